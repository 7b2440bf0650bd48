// Moves by touch: which moves fit the places touched so far, and below the board what they would do.

import { fill, make } from "./dom.js";

const WITH_WORDS = 3; // so many moves to choose from are told in words, more in notation

export class Touch {
  /** play(action) makes a move; narrow(moves) is told which ones still fit, or null for all. */
  constructor(panel, places, play, narrow) {
    Object.assign(this, { panel, places, play, narrow, moves: [], touched: [], picked: null });
  }

  show(view) {
    this.moves = view.may.move && view.by_touch ? view.moves : [];
    this.panel.hidden = !view.by_touch || view.seat < 0 || view.over;
    this.take([]);
  }

  /** The moves that touch all places touched so far, in whatever order. */
  fitting(touched = this.touched) {
    return this.moves.filter((move) => touched.every((name) => move.touch.includes(name)));
  }

  /** The moves that the person may mean now: the only one that fits, or those that touch nothing else, in this order if any do. */
  offered() {
    const fitting = this.fitting();
    if (this.touched.length && fitting.length === 1) return fitting;
    const complete = fitting.filter((move) => move.touch.length === this.touched.length);
    return this.inOrder(complete);
  }

  /** Those of the moves that begin with the places touched, in this order; all of them if none does. */
  inOrder(moves) {
    const found = moves.filter((move) => this.touched.every((name, i) => name === move.touch[i]));
    return found.length ? found : moves;
  }

  /** Whether another place may follow: a card of the row alone is flipped, although a hand card may be switched with it. */
  goesOn() {
    const fitting = this.fitting();
    return fitting.length > 1 && this.inOrder(fitting).some((move) => move.touch.length > this.touched.length);
  }

  /** The move that needs no further choice. */
  only() {
    const offered = this.offered();
    return this.touched.length && offered.length === 1 && !this.goesOn() ? offered[0] : null;
  }

  /** The move that Play makes. */
  meant() {
    return this.only() ?? this.offered().find((move) => move.action === this.picked) ?? null;
  }

  touch(name) {
    const meant = this.meant();
    if (name === null) this.take([]);
    else if (name === this.touched.at(-1) && meant) this.decide(meant.action);
    else if (this.touched.includes(name)) this.take(this.touched.filter((other) => other !== name));
    else if (this.fitting([...this.touched, name]).length) this.take([...this.touched, name]);
    else this.take([name]);
  }

  /** Choose a move as if its places had been touched; a second time plays it. Whether it is offered. */
  choose(action) {
    const move = this.moves.find((each) => each.action === action);
    if (move && this.meant() === move) this.decide(action);
    else if (move) {
      Object.assign(this, { touched: [...move.touch], picked: action });
      this.draw();
      this.panel.querySelector(".main").focus();
    }
    return Boolean(move);
  }

  /** Begin again; whether there was anything to take back. */
  clear() {
    const had = this.touched.length > 0 || this.picked !== null;
    this.leavePanel();
    if (had) this.take([]);
    return had;
  }

  decide(action) {
    this.leavePanel();
    this.play(action);
  }

  /** The focus goes back to the board, as the buttons of the panel are about to vanish. */
  leavePanel() {
    if (this.panel.contains(document.activeElement)) this.places.focus();
  }

  take(touched) {
    Object.assign(this, { touched, picked: null });
    this.draw();
  }

  pick(action) {
    if (this.picked === action) {
      this.decide(action);
      return;
    }
    this.picked = action;
    this.draw();
    this.panel.querySelector(`[data-action="${action}"]`)?.focus();
  }

  draw() {
    const fitting = this.fitting();
    const next = new Set(fitting.flatMap((move) => this.following(move)));
    this.places.mark({ usable: new Set(this.moves.flatMap((move) => move.touch)), next, chosen: this.touched });
    this.places.preview(this.meant());
    this.narrow(this.touched.length ? fitting : null);
    fill(this.panel, ...this.offer());
  }

  /** Where a move goes on: at its next place; if another order was chosen, at any that is left. */
  following(move) {
    const left = move.touch.filter((name) => !this.touched.includes(name));
    const inOrder = this.touched.every((name, i) => move.touch[i] === name);
    return inOrder ? left.slice(0, 1) : left;
  }

  offer() {
    if (!this.moves.length) return [];
    const offered = this.offered();
    const meant = this.meant();
    const words = offered.length <= WITH_WORDS;
    const options = offered.length && !this.only() ? make("div", { className: `options${words ? " words" : ""}` }, ...offered.map((move) => this.option(move, words))) : null;
    const told = meant ? (options && words ? null : `${sentence(meant.meaning)}.`) : this.asking(offered);
    const play = make("button", { className: "main", title: "Or touch the place again", disabled: !meant, onclick: () => this.decide(meant.action) }, "Play");
    const back = this.touched.length || meant ? make("button", { title: "Clear the selection (key Esc)", onclick: () => this.clear() }, "Cancel") : null;
    return [make("div", { className: "told" }, options, make("p", { role: "status" }, ...[told ?? []].flat())), back, play];
  }

  option(move, words) {
    const told = words ? move.meaning : make("span", { className: "notation" }, move.notation);
    const picked = this.picked === move.action;
    return make("button", { className: "option", title: move.meaning, "data-action": move.action, "aria-pressed": picked, onclick: () => this.pick(move.action) }, told);
  }

  /** What to do next. */
  asking(offered) {
    if (this.touched.length) {
      const words = !offered.length ? "selected. Where to?" : this.goesOn() ? "selected. Choose here, or touch another place." : "selected. Which move?";
      return [make("b", {}, this.touched.map((name) => this.places.label(name)).join(", ")), ` ${words}`];
    }
    const ways = [this.moves.some((move) => move.touch.length) && "touch an outlined place", offered.length && "choose here"];
    const rest = this.places.sayings().length ? "Touch anything else to read about it." : "Or use the list.";
    return [make("span", { className: "faded" }, `${sentence(ways.filter(Boolean).join(" or "))}, then Play. ${rest}`)];
  }
}

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}`;
