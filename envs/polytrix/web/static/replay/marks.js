// Marks on the board for the moves that agents like: a frame around a place, an arrow from the first to the last.

import { svg } from "../dom.js";
import { shares, visible } from "./thoughts.js";

const LEAST = 0.05; // moves that are less likely are not marked
const BESIDE = 6; // so far apart are the marks of two agents
const MOST = 4; // moves of an agent that are marked

/** Mark on a drawing what agents like at a position; nothing where the game does not name its places. */
export function mark(drawing, replay, view, position) {
  const places = new Map([...drawing.querySelectorAll("[data-place]")].map((place) => [place.dataset.place, place]));
  for (const [number, { thoughts }] of replay.agents.entries()) {
    const beside = `translate(${number * BESIDE} ${number * BESIDE})`;
    const group = svg("g", { class: "marks", "aria-hidden": "true", transform: beside });
    drawing.append(group);
    const thought = thoughts[position];
    if (!visible(replay, view, thought)) continue;
    for (const [move, share] of liked(thought)) {
      const boxes = move.touches.filter((name) => places.has(name)).map((name) => places.get(name).getBBox());
      const attributes = { class: `mark agent-${number}`, "stroke-opacity": 0.25 + 0.6 * share };
      if (boxes.length > 1) group.append(arrow(boxes[0], boxes.at(-1), attributes));
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
  return svg("rect", { ...attributes, x: x + 1, y: y + 1, width: width - 2, height: height - 2, rx: 4 });
}

function arrow(from, to, attributes) {
  const [x2, y2] = middle(to);
  const [x1, y1] = edge(from, x2, y2);
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const length = Math.min(to.width, to.height) / 4;
  const wing = (turn) => `${x2 - length * Math.cos(angle + turn)},${y2 - length * Math.sin(angle + turn)}`;
  return svg("path", { ...attributes, d: `M${x1},${y1}L${x2},${y2}M${wing(0.5)}L${x2},${y2}L${wing(-0.5)}` });
}

const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

/** Where the way from the middle of a place to a point leaves the place; so what stands there is not hidden. */
function edge(place, x, y) {
  const [left, top] = middle(place);
  const part = Math.min(place.width / Math.abs(x - left), place.height / Math.abs(y - top)) / 2;
  return part < 1 ? [left + part * (x - left), top + part * (y - top)] : [left, top];
}
