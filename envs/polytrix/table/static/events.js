// What has happened is shown step by step: others' moves on the board, dice and cards in a note above it.

import { byId, make } from "./dom.js";
import { chance, HIDDEN, moveLine } from "./log.js";

const STEP = 600; // milliseconds
const MOST = 8; // a page that has missed more shows the last ones
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export class Events {
  /** places highlights; show(view) shows what views say once their steps have been shown. */
  constructor(board, places, show) {
    Object.assign(this, { board, places, show, views: [], round: -1, count: 0, running: false, next: () => {} });
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, (event) => this.skip(event), true);
  }

  /** Take in a view. */
  take(view) {
    this.views.push(view);
    if (!this.running) this.run();
  }

  async run() {
    this.running = true;
    while (this.views.length) {
      const steps = this.steps(this.views[0]);
      if (steps.length) this.hold(true);
      for (const step of steps) if (this.running) await this.step(step);
      if (!this.running) return; // skipped: all views have been shown
      this.finish(this.views.shift());
    }
    this.running = false;
  }

  /** The steps of a view: for each new decision of another seat its move, and chance after any decision. */
  steps({ round, seat, seats, log }) {
    const isNext = round === this.round && log.count > this.count;
    const first = Math.max(this.count, log.first);
    if (!isNext || seat < 0 || STILL.matches || document.hidden) return [];
    const steps = log.entries.slice(first - log.first).flatMap((entry, i) => {
      const move = { note: moveLine(entry, seats), places: log.touched[first - log.first + i] ?? [] };
      const outcomes = entry.chance.filter((outcome) => outcome !== HIDDEN);
      return [...(entry.seat === seat ? [] : [move]), ...(outcomes.length ? [{ note: [chance(outcomes)], places: [] }] : [])];
    });
    return steps.slice(-MOST);
  }

  async step({ note, places }) {
    const shown = make("div", { className: "event", "aria-hidden": "true" }, ...note);
    this.board.append(shown);
    this.places.point(places, "made");
    await new Promise((resolve) => {
      this.next = resolve;
      setTimeout(resolve, STEP);
    });
    shown.remove();
    this.places.point([], "made");
  }

  /** Any touch or key: show the newest position at once. */
  skip(event) {
    if (!this.running) return;
    event.stopPropagation();
    if (!event.target.closest("input")) event.preventDefault();
    this.running = false;
    this.next();
    for (const view of this.views.splice(0)) this.finish(view);
  }

  finish(view) {
    this.hold(false);
    Object.assign(this, { round: view.round, count: view.log.count });
    this.show(view);
  }

  /** While steps are shown, the moves of the position before cannot be made. */
  hold(held) {
    for (const id of ["moves", "offer"]) byId(id).inert = held;
  }
}
