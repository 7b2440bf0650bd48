// The places of a drawing, shapes with `data-place`: how they look, and how mouse, finger and keys touch them.

const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const FINGER = 24; // least size of a place on a narrow screen, in pixels

export class Places {
  /** touched(name) is called for each touch, with null beside all places that can be touched. */
  constructor(board, touched) {
    Object.assign(this, { board, touched, shapes: new Map(), usable: [], current: null, held: false });
    board.addEventListener("click", (event) => touched(nameOf(event.target)));
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
    this.fitted = false;
  }

  /** Show which places may be touched (`usable`), which of them are natural now (`next`), and which are `chosen`. */
  mark({ usable, next, chosen }) {
    this.usable = [...this.shapes.keys()].filter((name) => usable.has(name));
    for (const [name, shape] of this.shapes) {
      shape.classList.toggle("usable", usable.has(name));
      shape.classList.toggle("next", next.has(name));
      shape.classList.toggle("chosen", chosen.includes(name));
      if (usable.has(name)) {
        shape.setAttribute("role", "button");
        shape.setAttribute("aria-pressed", chosen.includes(name));
        if (!shape.hasAttribute("aria-label")) shape.setAttribute("aria-label", name.replaceAll("-", " "));
      } else for (const attribute of ["role", "aria-pressed", "tabindex"]) shape.removeAttribute(attribute);
    }
    if (!usable.has(this.current)) this.current = this.usable.find((name) => next.has(name)) ?? this.usable[0];
    this.rove();
    if (this.held && document.activeElement === document.body) this.focus();
    this.enlarge(next);
  }

  /** What a place is called. */
  label(name) {
    return this.shapes.get(name)?.getAttribute("aria-label") ?? name;
  }

  /** Only the current place is in the order of the Tab key; arrow keys go to the others. */
  rove() {
    for (const name of this.usable) this.shapes.get(name).setAttribute("tabindex", name === this.current ? 0 : -1);
  }

  focus() {
    this.shapes.get(this.current)?.focus({ preventScroll: true });
  }

  /** Highlight places: of a move in the list, or of one that has just been made. */
  point(names, how = "pointed") {
    for (const [name, shape] of this.shapes) shape.classList.toggle(how, names.includes(name));
  }

  key(event) {
    const name = nameOf(event.target);
    if (name === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.touched(name);
    else if (event.key in STEPS) this.go(name, STEPS[event.key]);
    else return;
    event.preventDefault();
  }

  /** Focus the nearest place in a direction. */
  go(from, [right, down]) {
    const start = middle(this.shapes.get(from));
    let best = null;
    for (const name of this.usable) {
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

  /** On a narrow screen: draw so large that a finger meets each of these places, and scroll to them. */
  enlarge(names) {
    const drawing = this.board.querySelector("svg");
    const boxes = [...names].filter((name) => this.shapes.has(name)).map((name) => this.shapes.get(name).getBBox());
    if (!drawing || !boxes.length || this.fitted) return;
    this.fitted = true;
    const { width } = drawing.viewBox.baseVal;
    const least = Math.min(...boxes.map((box) => Math.min(box.width, box.height)));
    drawing.style.setProperty("--least", `${Math.ceil((FINGER * width) / least)}px`);
    const left = Math.min(...boxes.map((box) => box.x));
    this.board.scrollLeft = (left / width) * drawing.clientWidth - FINGER;
  }
}

function nameOf(element) {
  return element.closest?.(".usable")?.dataset.place ?? null;
}

function middle(shape) {
  const { x, y, width, height } = shape.getBBox();
  return [x + width / 2, y + height / 2];
}
