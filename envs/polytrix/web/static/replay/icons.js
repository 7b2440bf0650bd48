// The signs on buttons; fonts lack them.

import { svg } from "../svg.js";

const PATHS = {
  first: "M5 4h2.5v16h-2.5zM20 4v16l-11-8z",
  back: "M15.5 4.5l-8 7.5 8 7.5",
  play: "M6 4l14 8-14 8z",
  pause: "M6 4h4v16h-4zM14 4h4v16h-4z",
  on: "M8.5 4.5l8 7.5-8 7.5",
  last: "M16.5 4h2.5v16h-2.5zM4 4v16l11-8z",
};

const LINES = ["back", "on"];

/** A sign as an element; the button says in words what it does. */
export function icon(name) {
  const look = LINES.includes(name) ? "icon line" : "icon";
  return svg("svg", { viewBox: "0 0 24 24", class: look, "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}
