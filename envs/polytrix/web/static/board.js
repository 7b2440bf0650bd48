// The board: the game's own drawing, with what has changed in groups of class `changed`.

import { fill, make } from "./dom.js";
import { drawing } from "./svg.js";

/** Show the drawing of a view. */
export function showBoard(place, view) {
  if (view.board === null) {
    fill(place, make("p", {}, "The seats hide something from each other now. You see the board when nothing is hidden, and all of it once the game is over."));
    return;
  }
  const drawn = drawing(view.board, `The board of ${view.title}. The tab In words has it as text.`);
  if (view.by_touch) drawn.setAttribute("role", "group");
  fill(place, drawn);
}
