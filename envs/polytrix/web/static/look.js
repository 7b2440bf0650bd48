// A place of the board, large, with all that it says in words.

import { fill, make } from "./dom.js";

const AROUND = 4; // units of the drawing that are shown around a place
const LARGER = 3; // times the size on the board
const HIGHEST = 180; // pixels

export class Look {
  constructor(panel) {
    this.panel = panel;
  }

  /** Show a place, a shape of the drawing; on a narrow page on the half of the window where it is not. Null for none. */
  show(shape) {
    this.panel.hidden = !shape?.dataset.says;
    if (this.panel.hidden) return;
    const { top, height } = shape.getBoundingClientRect();
    this.panel.classList.toggle("low", top + height / 2 < innerHeight / 2);
    const close = make("button", { className: "plain", "aria-label": "Close", title: "Key Esc", onclick: () => this.hide() }, "✕");
    const says = shape.dataset.says.split("\n").map((line) => make("p", {}, line));
    fill(this.panel, enlarged(shape), make("div", { className: "says" }, ...says), close);
  }

  /** Whether there was anything to close. */
  hide() {
    const shown = !this.panel.hidden;
    this.panel.hidden = true;
    return shown;
  }
}

/** A copy of what is drawn at a place. */
function enlarged(shape) {
  const drawing = shape.ownerSVGElement.cloneNode(true);
  for (const other of drawing.querySelectorAll("[data-place], .ghost")) other.remove();
  const { x, y, width, height } = shape.getBBox();
  drawing.setAttribute("viewBox", `${x - AROUND} ${y - AROUND} ${width + 2 * AROUND} ${height + 2 * AROUND}`);
  drawing.style.width = `${Math.round(Math.min(LARGER * shape.getBoundingClientRect().width, (HIGHEST * width) / height))}px`;
  drawing.removeAttribute("aria-label");
  drawing.setAttribute("aria-hidden", "true");
  return drawing;
}
