// A replay: the board at each position, the way there, and what agents think.

import { drawing, fill, make, payoffText, svg } from "../dom.js";
import { Chart } from "./chart.js";
import { chat } from "./chats.js";
import { Decisions, happened } from "./decisions.js";
import { board, text } from "./frames.js";
import { mark } from "./marks.js";
import { Player } from "./player.js";
import { opinion, turning, visible } from "./thoughts.js";

/** The signs on buttons; fonts lack them. */
const PATHS = {
  first: "M5 4h2.5v16h-2.5zM20 4v16l-11-8z",
  back: "M15.5 4.5l-8 7.5 8 7.5",
  play: "M6 4l14 8-14 8z",
  pause: "M6 4h4v16h-4zM14 4h4v16h-4z",
  on: "M8.5 4.5l8 7.5-8 7.5",
  last: "M16.5 4h2.5v16h-2.5zM4 4v16l11-8z",
};

const LINES = ["back", "on"];

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32]; // positions a second

export class Viewer {
  /** Show a replay in an element. */
  constructor(place, replay) {
    Object.assign(this, { replay, view: replay.views[0] });
    this.player = new Player(() => this.show());
    this.board = make("div", { className: "board" });
    this.news = make("p", { className: "happened", role: "status" });
    this.opinions = make("div", { className: "opinions" });
    this.words = make("pre", { tabIndex: 0, "aria-label": "The position as text" });
    this.chart = new Chart(make("div", { className: "chart card" }), (position) => this.jump(position));
    this.decisions = new Decisions(make("ol", { className: "decisions", "aria-label": "Moves" }), (position) => this.jump(position));
    fill(
      place,
      make("div", { className: "look" }, this.board, this.news, this.controls(), this.chart.place),
      make("div", { className: "beside" }, this.opinions, make("section", { className: "card moves" }, make("h2", {}, "Moves"), this.decisions.list)),
      make("details", { className: "card words" }, make("summary", {}, "In words"), this.words, replay.legend && make("p", { className: "small faded" }, `How to read this: ${replay.legend}`)),
    );
    this.listening = new AbortController();
    document.addEventListener("keydown", (event) => this.key(event), { signal: this.listening.signal });
    this.draw(0);
  }

  /** Listen no more, since another replay comes in its place. */
  close() {
    this.player.stop();
    this.listening.abort();
  }

  /** Take in another replay of the same game, for example with more thoughts. */
  update(replay) {
    this.replay = replay;
    this.view = replay.views.find(({ seat }) => seat === this.view.seat) ?? replay.views[0];
    this.draw(this.player.at);
  }

  // -- controls ------------------------------------------------------------------------------

  controls() {
    const button = (sign, label, onclick) => make("button", { "aria-label": label, title: label, onclick }, sign);
    this.slider = make("input", { type: "range", min: 0, step: 1, "aria-label": "Position", oninput: () => this.jump(this.slider.valueAsNumber) });
    this.play = button("", "Play", () => this.player.toggle());
    this.speed = make("select", { "aria-label": "Speed", onchange: () => this.player.setSpeed(SPEEDS[this.speed.selectedIndex]) }, ...SPEEDS.map((speed) => make("option", { selected: speed === 1 }, `${speed} a second`)));
    this.eyes = make("select", { "aria-label": "Whose view", onchange: () => this.look(this.replay.views[this.eyes.selectedIndex]) }, ...this.replay.views.map(({ seat }) => make("option", {}, seat === null ? "all in view" : `as ${this.replay.seats[seat]}`)));
    this.eyes.hidden = this.replay.views.length < 2;
    this.next = button("↯ ≠", "Next move where an agent disagrees or has changed its mind (key n)", () => this.goToTurn());
    this.count = make("span", { className: "count small faded" });
    return make(
      "div",
      { className: "controls", role: "group", "aria-label": "Go through the game" },
      this.slider,
      make(
        "div",
        { className: "bar" },
        button(icon("first"), "To the beginning (Home)", () => this.player.step(-Infinity)),
        button(icon("back"), "One move back (left arrow)", () => this.player.step(-1)),
        this.play,
        button(icon("on"), "One move on (right arrow)", () => this.player.step(1)),
        button(icon("last"), "To the end (End)", () => this.player.step(Infinity)),
        this.next,
        this.count,
        make("span", { className: "rest" }),
        this.speed,
        this.eyes,
      ),
    );
  }

  key(event) {
    const inField = event.target.closest("input, select, textarea, dialog");
    const pressed = event.key === " " && event.target.closest("button, summary"); // the browser presses it
    if (inField || pressed || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      ArrowLeft: () => this.player.step(-1),
      ArrowRight: () => this.player.step(1),
      Home: () => this.player.step(-Infinity),
      End: () => this.player.step(Infinity),
      " ": () => this.player.toggle(),
      n: () => this.goToTurn(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  jump(position) {
    this.player.stop();
    this.player.go(position);
  }

  /** Go to the next position where an agent disagrees with the game or with itself; from the last one, to the first. */
  goToTurn() {
    const worthALook = (position) =>
      this.replay.agents.some(({ thoughts }) => {
        const thought = thoughts[position];
        return visible(this.replay, this.view, thought) && (thought.differs || turning(thought));
      });
    const positions = this.replay.movers.map((_, position) => position).filter(worthALook);
    const next = positions.find((position) => position > this.player.at) ?? positions[0];
    if (next !== undefined) this.jump(next);
  }

  look(view) {
    this.view = view;
    this.draw(this.player.at);
  }

  // -- showing -------------------------------------------------------------------------------

  draw(at) {
    this.slider.max = this.replay.movers.length - 1;
    this.next.hidden = !this.replay.agents.length;
    this.opinions.hidden = !this.replay.agents.length && !this.replay.chats.length;
    this.chart.draw(this.replay, this.view);
    this.decisions.draw(this.replay, this.view);
    this.player.begin(this.replay.movers.length, at);
  }

  show() {
    const { replay, view } = this;
    const { at, last, playing } = this.player;
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", `after move ${at} of ${last}`);
    this.count.textContent = `${at} / ${last}`;
    fill(this.play, icon(playing ? "pause" : "play"));
    this.play.setAttribute("aria-label", playing ? "Pause (space)" : "Play (space)");
    this.play.title = this.play.getAttribute("aria-label");
    this.news.setAttribute("aria-live", playing ? "off" : "polite");
    fill(this.news, ...happened(replay, view, at), at === last ? make("b", { className: "result" }, ` ${replay.result}`) : null);
    fill(this.board, drawing(board(replay, view, at, Math.max(0, at - 1)), `The board of ${replay.title}. “In words” has it as text.`));
    mark(this.board.firstChild, replay, view, at);
    fill(this.opinions, ...chat(replay, view, at), ...replay.agents.map((agent) => opinion(replay, view, agent, at)));
    this.words.textContent = text(replay, view, at);
    this.chart.show(at);
    this.decisions.show(at);
  }
}

/** What a replay is of, in one line. */
export function facts(replay) {
  const who = replay.seats.map((seat, number) => {
    const paid = replay.payoffs ? ` ${payoffText(replay.payoffs[number])}` : "";
    return `${seat}${replay.players.length ? ` (${replay.players[number]})` : ""}${paid}`;
  });
  return `${who.join(", ")}. ${replay.result}`;
}

/** A sign as an element; the button says in words what it does. */
function icon(name) {
  const look = LINES.includes(name) ? "icon line" : "icon";
  return svg("svg", { viewBox: "0 0 24 24", class: look, "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}
