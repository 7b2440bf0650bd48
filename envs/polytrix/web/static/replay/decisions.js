// The decisions of a game as a list, with the present one marked.

import { fill, make } from "../dom.js";
import { chance, HIDDEN } from "../log.js";
import { turning, visible } from "./thoughts.js";

export class Decisions {
  /** go(position) is called for a click. */
  constructor(list, go) {
    Object.assign(this, { list, go });
  }

  draw(replay, view) {
    const rows = view.moves.map((entry, number) => this.row(replay, view, entry, number));
    const beginning = make("button", { className: "decision", onclick: () => this.go(0) }, make("span", { className: "number" }, "0"), make("span", { className: "beginning" }, "Beginning ", ...chance(view.opening)));
    fill(this.list, make("li", {}, beginning), ...rows);
  }

  row(replay, view, entry, number) {
    const thoughts = replay.agents.map((agent) => agent.thoughts[number]).filter((thought) => visible(replay, view, thought));
    const signs = [
      thoughts.some((thought) => thought.differs) && make("span", { className: "sign differs", title: "An agent would play another move" }, "≠"),
      thoughts.some(turning) && make("span", { className: "sign turn", title: "An agent has changed its mind before this move" }, "↯"),
    ];
    return make(
      "li",
      {},
      make(
        "button",
        { className: "decision", onclick: () => this.go(number + 1) },
        make("span", { className: "number" }, `${number + 1}`),
        make("span", {}, make("b", {}, replay.seats[entry.seat]), " ", make("span", { className: "notation" }, shown(entry.move)), ...signs.map((sign) => sign || "")),
      ),
    );
  }

  show(position) {
    const buttons = this.list.querySelectorAll("button");
    for (const button of this.list.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    buttons[position].setAttribute("aria-current", "step");
    const { offsetTop, offsetHeight } = buttons[position];
    const { scrollTop, clientHeight } = this.list;
    if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) this.list.scrollTop = offsetTop - clientHeight / 2;
  }
}

/** What has led to a position, in words. */
export function happened(replay, view, position) {
  if (position === 0) {
    return view.opening.length ? chance(view.opening) : ["Nothing has been played yet."];
  }
  const entry = view.moves[position - 1];
  return [
    make("b", {}, replay.seats[entry.seat]),
    " ",
    make("span", { className: "notation" }, shown(entry.move)),
    ` ${entry.words.join("; ")} `,
    ...chance(entry.chance),
  ];
}

const shown = (move) => (move === HIDDEN ? "hidden" : move);
