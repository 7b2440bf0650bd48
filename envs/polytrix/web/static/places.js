// The places of a drawing, shapes with `data-place`: how they look, and how mouse, finger and keys touch them.
// What a place says (`data-says`) can be read by touch, whether or not the place is part of a move.

import { drawing } from "./dom.js";

const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const FINGER = 24; // least size of a place on a narrow screen, in pixels
const LEAST_TEXT = 11; // of a drawing, in pixels

export class Places {
  /**
   * touched(name) is called for each touch, with null beside all places;
   * looked(shape) for each place that is touched, with null beside them.
   */
  constructor(board, touched, looked) {
    Object.assign(this, { board, touched, looked, shapes: new Map(), usable: new Set(), current: null, held: false });
    board.addEventListener("click", (event) => this.touch(nameOf(event.target) ?? this.said(event)));
    board.addEventListener("keydown", (event) => this.key(event));
  }

  /** Forget the drawing that is about to be replaced; if it has the focus, the next one gets it. */
  leave() {
    const focused = document.activeElement;
    this.held = this.board.contains(focused) || (this.held && focused === document.body);
  }

  /** Take in a new drawing. */
  begin() {
    this.shapes = new Map([...this.board.querySelectorAll("[data-place]")].map((shape) => [shape.dataset.place, shape]));
    this.shapes.forEach(speak);
    this.fitted = false;
  }

  /** A touch of a place; one that is part of no move is only looked at. */
  touch(name) {
    this.looked(this.shapes.get(name) ?? null);
    if (name === null || this.usable.has(name)) this.touched(name);
  }

  /** The uppermost place below the mouse that says something. */
  said({ clientX, clientY }) {
    const below = ({ left, right, top, bottom }) => left <= clientX && clientX < right && top <= clientY && clientY < bottom;
    const found = [...this.shapes.values()].findLast((shape) => shape.dataset.says && below(shape.getBoundingClientRect()));
    return found?.dataset.place ?? null;
  }

  /** Show which places may be touched (`usable`), which of them are natural now (`next`), and which are `chosen`. */
  mark({ usable, next, chosen }) {
    this.usable = usable;
    this.reached = [...this.shapes.keys()].filter((name) => usable.has(name) || this.shapes.get(name).dataset.says);
    for (const [name, shape] of this.shapes) {
      shape.classList.toggle("usable", usable.has(name));
      shape.classList.toggle("next", next.has(name));
      shape.classList.toggle("chosen", chosen.includes(name));
      if (usable.has(name)) shape.setAttribute("aria-pressed", chosen.includes(name));
      else shape.removeAttribute("aria-pressed");
      if (this.reached.includes(name)) shape.setAttribute("role", "button");
      else for (const attribute of ["role", "tabindex"]) shape.removeAttribute(attribute);
    }
    if (!usable.has(this.current)) this.current = this.reached.find((name) => next.has(name)) ?? this.reached[0];
    this.rove();
    if (this.held && document.activeElement === document.body) this.focus();
    this.enlarge(next);
  }

  /** Whether any place says more than what it is called. */
  explain() {
    return [...this.shapes.values()].some((shape) => shape.dataset.says);
  }

  /** What a place is called. */
  label(name) {
    return this.shapes.get(name)?.dataset.label ?? name;
  }

  /** Only the current place is in the order of the Tab key; arrow keys go to the others. */
  rove() {
    for (const name of this.reached) this.shapes.get(name).setAttribute("tabindex", name === this.current ? 0 : -1);
  }

  focus() {
    this.shapes.get(this.current)?.focus({ preventScroll: true });
  }

  /** Highlight places: of a move in the list, or of one that has just been made. */
  point(names, how = "pointed") {
    for (const [name, shape] of this.shapes) shape.classList.toggle(how, names.includes(name));
  }

  /** Show what a move would put on its last place; null for no move. */
  preview(move) {
    this.board.querySelector(".ghost")?.remove();
    const shape = move?.ghost && this.shapes.get(move.touch.at(-1));
    if (!shape) return;
    const ghost = drawing(move.ghost, "");
    for (const [side, length] of Object.entries(boxOf(shape))) ghost.setAttribute(side, length);
    ghost.classList.add("ghost");
    shape.before(ghost);
  }

  key(event) {
    const name = event.target.dataset?.place;
    if (name === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.touch(name);
    else if (event.key in STEPS) this.go(name, STEPS[event.key]);
    else return;
    event.preventDefault();
  }

  /** Focus the nearest place in a direction. */
  go(from, [right, down]) {
    const start = middle(this.shapes.get(from));
    let best = null;
    for (const name of this.reached) {
      const [x, y] = middle(this.shapes.get(name));
      const along = (x - start[0]) * right + (y - start[1]) * down;
      const across = Math.abs((x - start[0]) * down) + Math.abs((y - start[1]) * right);
      if (along > 1 && (best === null || along + 2 * across < best.cost)) best = { name, cost: along + 2 * across };
    }
    if (best === null) return;
    this.current = best.name;
    this.rove();
    this.shapes.get(best.name).focus();
  }

  /** Draw so large that each text can be read and, on a narrow screen, a finger meets each of these places; scroll to them. */
  enlarge(names) {
    const drawing = this.board.querySelector("svg");
    if (!drawing || this.fitted) return;
    const boxes = [...names].filter((name) => this.shapes.has(name)).map((name) => this.shapes.get(name).getBBox());
    const { width } = drawing.viewBox.baseVal;
    const letters = [...drawing.querySelectorAll("text")].map((text) => Number(text.getAttribute("font-size")));
    drawing.style.setProperty("--readable", `${Math.ceil((LEAST_TEXT * width) / Math.min(...letters))}px`);
    if (!boxes.length) return;
    this.fitted = true;
    const least = Math.min(...boxes.map((box) => Math.min(box.width, box.height)));
    drawing.style.setProperty("--least", `${Math.ceil((FINGER * width) / least)}px`);
    this.scroll(boxes);
  }

  /** Scroll to the places that are outlined now. */
  scroll(boxes = [...this.board.querySelectorAll(".next")].map((shape) => shape.getBBox())) {
    const drawing = this.board.querySelector("svg");
    if (!drawing || !boxes.length) return;
    const scale = drawing.clientWidth / drawing.viewBox.baseVal.width;
    const first = (side) => Math.min(...boxes.map((box) => box[side])) * scale - FINGER;
    this.board.scrollTo({ left: first("x"), top: first("y"), behavior: "instant" });
  }
}

/** Give a place the name that is spoken: where it is and what is there, with the rest of what it says. */
function speak(shape, name) {
  const label = shape.getAttribute("aria-label") ?? name.replaceAll("-", " ");
  const [first, ...rest] = (shape.dataset.says ?? "").split("\n");
  shape.dataset.label = label;
  shape.setAttribute("aria-label", !first ? label : first.includes(label) ? first : `${label}: ${first}`);
  if (rest.length) shape.setAttribute("aria-description", rest.join(" "));
}

function nameOf(element) {
  return element.closest?.(".usable")?.dataset.place ?? null;
}

function boxOf(shape) {
  const { x, y, width, height } = shape.getBBox();
  return { x, y, width, height };
}

function middle(shape) {
  const { x, y, width, height } = boxOf(shape);
  return [x + width / 2, y + height / 2];
}
