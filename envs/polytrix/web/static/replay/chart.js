// What agents expect in the course of the game, as a chart that can be clicked.

import { fill, make, svg } from "../dom.js";
import { turning, visible } from "./thoughts.js";

const HEIGHT = 100;
const COLOURS = ["blue", "red", "green", "orange", "purple", "brown", "yellow", "pink", "grey"];

export class Chart {
  /** go(position) is called for a click. */
  constructor(place, go) {
    Object.assign(this, { place, go });
  }

  /** Draw the lines of a replay: a colour for each seat, a style for each agent. */
  draw(replay, view) {
    this.last = Math.max(1, replay.movers.length - 1);
    const lines = replay.agents.flatMap((agent, number) =>
      replay.seats.map((seat, index) => ({ agent, number, seat, index, points: this.points(replay, view, agent, index) })).filter(({ points }) => points.length),
    );
    this.place.hidden = !lines.length;
    if (this.place.hidden) return;
    const plot = svg("svg", { viewBox: `0 0 ${this.last} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    const y = (value) => HEIGHT / 2 - (value / replay.limit) * (HEIGHT / 2 - 4);
    plot.append(svg("line", { class: "zero", x1: 0, x2: this.last, y1: y(0), y2: y(0) }));
    this.cursor = svg("line", { class: "cursor", y1: 0, y2: HEIGHT });
    plot.append(this.cursor);
    for (const { number, index, points } of lines) {
      const path = points.map(([at, value]) => `${at},${y(value)}`).join(" ");
      plot.append(svg("polyline", { class: `line ${colour(replay, index)} agent-${number}`, points: path }));
    }
    for (const { agent, index, points } of lines) {
      const turned = points.filter(([at]) => turning(agent.thoughts[at]) && agent.thoughts[at].seat === index);
      for (const [at, value] of turned) plot.append(svg("path", { class: `turn ${colour(replay, index)}`, d: `M${at},${y(value)}h0` }));
    }
    plot.addEventListener("click", (event) => {
      const { left, width } = plot.getBoundingClientRect();
      this.go(Math.round(((event.clientX - left) / width) * this.last));
    });
    const several = replay.agents.length > 1;
    const key = lines.map(({ agent, number, seat, index }) =>
      make("li", {}, make("span", { className: `sample ${colour(replay, index)} agent-${number}` }), several ? `${seat} (${agent.name})` : seat),
    );
    fill(
      this.place,
      make("h2", {}, "Expected payoffs"),
      make("ul", { className: "key" }, ...key),
      make("div", { className: "plot" }, make("span", { className: "high" }, `+${replay.limit}`), make("span", { className: "low" }, `−${replay.limit}`), plot),
    );
  }

  show(position) {
    this.cursor?.setAttribute("x1", position);
    this.cursor?.setAttribute("x2", position);
  }

  /** Where an agent expects something for a seat, and the payoff at the end. */
  points(replay, view, agent, seat) {
    const found = agent.thoughts.flatMap((thought, at) => {
      const value = visible(replay, view, thought) ? thought.expected[seat] : null;
      return value === null ? [] : [[at, value]];
    });
    return found.length && replay.payoffs ? [...found, [replay.movers.length - 1, replay.payoffs[seat]]] : found;
  }
}

/** The class of a seat's colour: the one that it is called by, if all are called by colours. */
function colour({ seats }, index) {
  const called = seats.every((seat) => COLOURS.includes(seat));
  return `colour-${called ? seats[index] : COLOURS[index % COLOURS.length]}`;
}
