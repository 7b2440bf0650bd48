// The list of legal moves: what each does, with its notation; filtered by what is typed.

import { fill, make } from "./dom.js";

export class Moves {
  /** choose(action) is told which move was touched; play(action) and say(text) send what was typed. */
  constructor(filter, list, choose, play, say) {
    Object.assign(this, { filter, list, choose, play, say, moves: [], narrowed: null, may: false, held: null });
    filter.addEventListener("input", () => this.draw());
    filter.addEventListener("keydown", (event) => this.typed(event));
    list.addEventListener("keydown", (event) => this.walk(event));
  }

  show(view) {
    this.moves = view.moves;
    this.narrowed = null;
    this.may = view.may.move;
    this.over = view.over;
    this.watching = view.seat < 0;
    const focused = document.activeElement;
    if (this.list.contains(focused)) this.held = () => this.list.querySelector("button");
    else if (focused === this.filter) this.held = () => this.filter;
    else if (focused !== document.body) this.held = null;
    this.filter.value = "";
    this.filter.disabled = !this.may;
    this.draw();
    if (this.may && document.activeElement === document.body) this.held?.()?.focus({ preventScroll: true });
  }

  focus() {
    this.filter.focus();
  }

  /** Leave the field, so that letters are keys again. */
  leave() {
    this.held = null;
    this.filter.blur();
  }

  /** Show only these moves; null for all. */
  narrow(moves) {
    this.narrowed = moves;
    this.draw();
  }

  /** The moves that begin with what is typed; if there are none, those whose notation or meaning has it. */
  matching() {
    const wanted = this.filter.value.trim().toLowerCase();
    const moves = this.narrowed ?? this.moves;
    const begin = moves.filter((move) => move.notation.toLowerCase().startsWith(wanted));
    if (begin.length) return begin;
    return moves.filter((move) => `${move.notation} ${move.meaning}`.toLowerCase().includes(wanted));
  }

  draw() {
    const found = this.matching();
    if (!this.may) fill(this.list, this.over ? null : make("li", { className: "empty" }, this.watching ? "You are watching." : "It is not your turn."));
    else if (!found.length) fill(this.list, make("li", { className: "empty" }, "No legal move contains this. Press Enter to see why."));
    else fill(this.list, ...found.map((move) => make("li", {}, moveButton(move, this.choose))));
  }

  typed(event) {
    if (event.key === "Escape") {
      if (!this.filter.value) this.leave();
      this.filter.value = "";
      this.draw();
    } else if (event.key === "ArrowDown") {
      this.list.querySelector("button")?.focus();
    } else if (event.key === "Enter" && this.filter.value.trim()) {
      const text = this.filter.value.trim();
      const found = this.matching();
      const exact = this.moves.find((move) => move.notation === text) ?? (found.length === 1 ? found[0] : null);
      if (exact) this.play(exact.action);
      else if (!found.length) this.say(text);
      else return;
    } else return;
    event.preventDefault();
  }

  walk(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    const buttons = [...this.list.querySelectorAll("button")];
    const place = buttons.indexOf(document.activeElement) + step;
    if (place < 0 && step === -1) this.filter.focus();
    else buttons[Math.max(0, Math.min(buttons.length - 1, place))]?.focus();
    event.preventDefault();
  }
}

/** A button that chooses a move, with what it does, its notation, and numbers if there are any. */
export function moveButton(move, choose, numbers = "") {
  return make(
    "button",
    { className: "move", "data-action": move.action, onclick: () => choose(move.action) },
    make("span", { className: "meaning" }, move.meaning),
    make("span", { className: "notation aside" }, move.notation),
    numbers && make("span", { className: "numbers" }, numbers),
  );
}
