// A guided first game: what to do and why, one move at a time.

import { fill, make } from "./dom.js";

export class Lesson {
  /** leave() shows the present view anew, with all its moves. */
  constructor(place, leave) {
    Object.assign(this, { place, leave, left: false });
  }

  /** Show what a view's lesson says; the moves that are offered with it. */
  show({ lesson, moves }) {
    const shown = lesson && !this.left;
    this.place.hidden = !shown;
    if (!shown) return moves;
    const { number, count, text, action } = lesson;
    const free = make("button", { className: "small", onclick: () => this.end() }, action === null ? "Close" : "Play freely");
    const where = make("summary", { className: "small faded" }, action === null ? "The guided game ends here" : `Step ${number} of ${count}`);
    fill(this.place, free, make("details", { open: true }, where, make("p", {}, text))); // folded, it leaves room for the board
    return action === null ? moves : moves.filter((move) => move.action === action);
  }

  end() {
    this.left = true;
    this.leave();
  }
}
