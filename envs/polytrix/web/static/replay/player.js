// Goes through the positions of a game, by itself if it is playing.

export class Player {
  /** show() is called after every change. */
  constructor(show) {
    Object.assign(this, { show, at: 0, last: 0, speed: 1, timer: null });
  }

  get playing() {
    return this.timer !== null;
  }

  /** There are so many positions; stays where it is if it can. */
  begin(positions, at) {
    this.last = positions - 1;
    this.go(at);
  }

  go(position) {
    this.at = Math.max(0, Math.min(this.last, position));
    if (this.at === this.last) this.stop();
    this.show();
  }

  step(by) {
    this.stop();
    this.go(this.at + by);
  }

  /** Play on, from the beginning if it is at the end; or pause. */
  toggle() {
    if (this.playing) {
      this.stop();
      this.show();
      return;
    }
    if (this.at === this.last) this.at = 0;
    this.wait();
    this.show();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  /** speed: positions a second. */
  setSpeed(speed) {
    this.speed = speed;
    if (this.playing) this.wait();
  }

  wait() {
    this.stop();
    this.timer = setTimeout(() => {
      this.wait();
      this.go(this.at + 1);
    }, 1000 / this.speed);
  }
}
