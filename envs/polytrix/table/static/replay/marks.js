// Marks on the board for the moves that agents like: a frame around a place, an arrow from the first to the last.

import { shares, visible } from "./thoughts.js";

const SVG = "http://www.w3.org/2000/svg";
const LEAST = 0.05; // moves that are less likely are not marked
const BESIDE = 6; // so far apart are the marks of two agents
const MOST = 4; // moves of an agent that are marked

/** Mark on a drawing what agents like at a position; nothing where the game does not name its places. */
export function mark(drawing, replay, view, position) {
  const places = new Map([...drawing.querySelectorAll("[data-place]")].map((place) => [place.dataset.place, place]));
  for (const [number, { thoughts }] of replay.agents.entries()) {
    const beside = `translate(${number * BESIDE} ${number * BESIDE})`;
    const group = element("g", { class: "marks", "aria-hidden": "true", transform: beside });
    drawing.append(group);
    const thought = thoughts[position];
    if (!visible(replay, view, thought)) continue;
    for (const [move, share] of liked(thought)) {
      const boxes = move.touches.filter((name) => places.has(name)).map((name) => places.get(name).getBBox());
      const attributes = { class: `mark agent-${number}`, "stroke-opacity": 0.25 + 0.75 * share };
      if (boxes.length > 1) group.append(...arrow(boxes[0], boxes.at(-1), attributes));
      else if (boxes.length) group.append(frame(boxes[0], attributes));
    }
  }
}

/** The moves worth a mark, with how much the agent likes each, least first; of moves with scores, the best. */
function liked(thought) {
  const least = thought.names[0] === "probability" ? LEAST : 1;
  const lengths = shares(thought);
  return thought.moves.map((move, place) => [move, lengths[place]]).filter(([, share]) => share >= least && !thought.equal).slice(0, MOST).reverse();
}

function frame({ x, y, width, height }, attributes) {
  return element("rect", { ...attributes, x: x + 1, y: y + 1, width: width - 2, height: height - 2, rx: 4 });
}

function arrow(from, to, attributes) {
  const [x1, y1, x2, y2] = [from.x + from.width / 2, from.y + from.height / 2, to.x + to.width / 2, to.y + to.height / 2];
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const length = Math.min(to.width, to.height) / 4;
  const wing = (turn) => `${x2 - length * Math.cos(angle + turn)},${y2 - length * Math.sin(angle + turn)}`;
  const shaft = element("line", { ...attributes, x1, y1, x2, y2 });
  return [shaft, element("polyline", { ...attributes, points: `${wing(0.5)} ${x2},${y2} ${wing(-0.5)}` })];
}

function element(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
