// The board: the game's own drawing, with what has changed in groups of class `changed`.

import { fill, make } from "./dom.js";

/** Show the drawing of a view. */
export function showBoard(place, view) {
  if (view.board === null) {
    fill(place, make("p", {}, "The seats hide something from each other now. You see the board when nothing is hidden, and all of it once the game is over."));
    return;
  }
  const drawing = document.importNode(new DOMParser().parseFromString(view.board, "image/svg+xml").documentElement, true);
  const { width, height } = drawing.viewBox.baseVal;
  drawing.style.setProperty("--ratio", width / height);
  drawing.style.setProperty("--natural", `${width}px`);
  drawing.removeAttribute("width");
  drawing.removeAttribute("height");
  drawing.setAttribute("role", view.by_touch ? "group" : "img");
  drawing.setAttribute("aria-label", `The board of ${view.title}. The tab In words has it as text.`);
  fill(place, drawing);
}
