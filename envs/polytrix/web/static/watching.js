// The pace at a table where only agents play. It counts for all who watch.

import { fill, make } from "./dom.js";

const PAUSE = -1;
const USUAL = 700; // milliseconds before a move
const SPEEDS = [[5000, "slowest"], [2000, "slow"], [USUAL, "normal"], [250, "fast"], [60, "faster"], [0, "as fast as possible"]];

export class Watching {
  /** send(milliseconds) asks for another pace. */
  constructor(place, pause, speed, send) {
    Object.assign(this, { place, pause, speed, send, pace: null, over: false });
    pause.addEventListener("click", () => this.toggle());
    speed.addEventListener("change", () => this.pace === PAUSE || send(Number(speed.value)));
    this.offer(USUAL);
  }

  /** Where people play, no pace arrives, and nothing is shown. */
  show(milliseconds) {
    this.pace = milliseconds;
    if (milliseconds !== PAUSE) this.offer(milliseconds);
    this.pause.textContent = milliseconds === PAUSE ? "Resume" : "Pause";
    this.draw();
  }

  offer(milliseconds) {
    const known = SPEEDS.some(([speed]) => speed === milliseconds);
    const offered = known ? SPEEDS : [...SPEEDS, [milliseconds, `${milliseconds / 1000} s before a move`]];
    fill(this.speed, ...offered.map(([value, text]) => make("option", { value, selected: value === milliseconds }, text)));
  }

  begin(view) {
    this.over = view.over;
    this.draw();
  }

  draw() {
    this.place.hidden = this.pace === null || this.over;
  }

  toggle() {
    if (!this.place.hidden) this.send(this.pace === PAUSE ? Number(this.speed.value) : PAUSE);
  }
}
