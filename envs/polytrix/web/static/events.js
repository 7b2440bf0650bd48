// What has happened is shown step by step: others' moves on the board, dice and cards in a note above it.

import { byId, make } from "./dom.js";
import { chance, HIDDEN, told } from "./log.js";

const STEP = 600; // milliseconds
const MOST = 8; // a page that has missed more shows the last ones
const LINES = 4; // of what a move did
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export class Events {
  /** places highlights; show(view) shows what views say once their steps have been shown. */
  constructor(board, places, show) {
    Object.assign(this, { board, places, show, views: [], round: -1, count: 0, running: false, held: false, next: () => {} });
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, (event) => this.skip(event), true);
  }

  /** Take in a view. */
  take(view) {
    this.views.push(view);
    if (!this.running) this.run();
  }

  async run() {
    this.running = true;
    try {
      while (this.running && this.views.length) await this.showNext();
    } finally {
      this.running = false;
    }
  }

  async showNext() {
    const { before, after } = this.steps(this.views[0]);
    this.hold(before.length > 0);
    await this.play(before);
    if (!this.running) return; // skipped: all views have been shown
    this.finish(this.views.shift());
    await this.play(after);
  }

  async play(steps) {
    for (const step of steps) if (this.running) await this.step(step);
  }

  /** The steps of a view: others' moves and chance on the board before; the newest chance on the new one. */
  steps({ round, seat, seats, log }) {
    const first = Math.max(this.count, log.first);
    const fresh = round === this.round ? log.entries.slice(first - log.first) : [];
    if (!fresh.length || seat < 0 || STILL.matches || document.hidden) return { before: [], after: [] };
    const before = fresh.flatMap((entry, i) => {
      const move = { note: told(entry, seats).slice(0, LINES), places: log.touched[first - log.first + i] ?? [] };
      return [...(entry.seat === seat ? [] : [move]), ...chances(entry)];
    });
    const after = chances(fresh.at(-1));
    return { before: before.slice(0, before.length - after.length).slice(-MOST), after };
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
    if (this.held) event.stopPropagation();
    if (this.held && !event.target.closest("input")) event.preventDefault();
    this.running = false;
    this.next();
    for (const view of this.views.splice(0)) this.finish(view);
  }

  finish(view) {
    this.hold(false);
    Object.assign(this, { round: view.round, count: view.log.count });
    this.show(view);
  }

  /** While the position before is shown, its moves cannot be made any more. */
  hold(held) {
    this.held = held;
    for (const id of ["moves", "offer"]) byId(id).inert = held;
  }
}

/** The step for the chance that followed a decision, if any of it may be known. */
function chances(entry) {
  const outcomes = entry.chance.filter((outcome) => outcome !== HIDDEN);
  return outcomes.length ? [{ note: chance(outcomes), places: [] }] : [];
}
