// Hints: what an agent would do, with its numbers.

import { fill, make } from "./dom.js";
import { moveButton } from "./moves.js";

export class Hints {
  /** choose(action) is told which move was touched, wish(agent) asks for a hint, hidden() is called when there is none any more. */
  constructor(place, button, adviser, choose, wish, hidden) {
    Object.assign(this, { place, button, adviser, choose, wish, hidden });
    button.addEventListener("click", () => this.ask());
  }

  begin(view) {
    this.hide();
    this.button.disabled = this.adviser.disabled = !view.may.move;
    if (this.adviser.options.length) return;
    fill(this.adviser, ...view.advisers.map((name) => make("option", { selected: name === "greedy" }, name)));
  }

  ask() {
    if (!this.button.disabled) this.wish(this.adviser.value);
  }

  hide() {
    this.place.hidden = true;
    this.hidden();
  }

  show(hint) {
    const told = hint.equal
      ? `${hint.agent} likes all ${hint.count} moves equally.`
      : `${hint.agent} would ${hint.moves[0].meaning}. ${hint.meanings}`;
    const numbers = (move) => move.numbers.map((number, i) => `${hint.names[i]} ${number}`).join(", ");
    fill(
      this.place,
      make("p", { role: "status" }, told),
      ...(hint.equal ? [] : hint.moves.map((move) => moveButton(move, this.choose, numbers(move)))),
      make("div", { className: "bar" }, make("button", { className: "small", onclick: () => this.hide() }, "Close the hint")),
    );
    this.place.hidden = false;
    this.place.parentElement.scrollTop = 0;
  }
}
