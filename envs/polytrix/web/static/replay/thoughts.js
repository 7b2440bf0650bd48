// What agents think of a position: the moves that they like, as bars with their numbers.

import { make, signed } from "../dom.js";

const WORDS = {
  probability: (number) => `${(100 * number).toFixed(1)}%`,
  visits: (number) => `${Math.round(number)} visits`,
  value: (number) => `value ${signed(number)}`,
  score: (number) => `score ${number.toFixed(2)}`,
};

/** Whether a view may show a thought: it was made of what its seat knew, which another seat does not know. */
export const visible = (replay, view, thought) => Boolean(thought) && (replay.open || view.seat === null || view.seat === thought.seat);

/** Whether an agent has changed its mind. */
export const turning = (thought) => Boolean(thought) && (thought.jump !== null || thought.liked !== "");

/** One agent's thoughts at a position. */
export function opinion(replay, view, agent, position) {
  const thought = agent.thoughts[position];
  return make("section", { className: "opinion", "aria-label": `What ${agent.name} thinks` }, make("h2", {}, agent.name), ...said(replay, view, agent, thought, position));
}

function said(replay, view, agent, thought, position) {
  const mover = replay.movers[position];
  if (mover < 0) return [make("p", { className: "faded" }, "The game is over.")];
  if (thought === undefined) return [make("p", { className: "faded" }, "Not thought about yet.")];
  if (!visible(replay, view, thought)) {
    return [make("p", { className: "faded" }, `${replay.seats[view.seat]} does not know what ${replay.seats[mover]} knows.`)];
  }
  return [make("p", { className: "expects" }, expects(replay, thought)), ...news(replay, thought), bars(thought)];
}

function expects(replay, thought) {
  const numbers = thought.expected.flatMap((value, seat) => (value === null ? [] : [`${replay.seats[seat]} ${signed(value)}`]));
  return numbers.length ? `expects ${numbers.join(", ")}` : `for ${replay.seats[thought.seat]}`;
}

/** Where it disagrees with the game, and with itself. */
function news(replay, thought) {
  const lines = [];
  const played = thought.moves.find((move) => move.played);
  if (thought.equal) lines.push(["", `likes all ${thought.count} moves equally`]);
  else if (thought.differs) lines.push(["differs", `would play ${thought.moves[0].notation} instead of ${played.notation}`]);
  else if (played) lines.push(["agrees", "would play the same"]);
  if (thought.liked) lines.push(["turn", `liked ${thought.liked} at ${replay.seats[thought.seat]}'s last decision, and no longer`]);
  if (thought.jump !== null) lines.push(["turn", `expects ${Math.abs(thought.jump).toFixed(2)} ${thought.jump > 0 ? "more" : "less"} than at ${replay.seats[thought.seat]}'s last decision`]);
  return lines.map(([className, text]) => make("p", { className: `said ${className}` }, text));
}

function bars(thought) {
  const lengths = shares(thought);
  const rows = thought.moves.map((move, place) => {
    const bar = make("span", { className: "bar-of", "aria-hidden": "true" });
    bar.style.setProperty("--share", lengths[place]);
    const numbers = thought.names.flatMap((name, index) => (move.numbers[index] === null ? [] : [(WORDS[name] ?? ((number) => `${name} ${number.toFixed(2)}`))(move.numbers[index])]));
    return make(
      "li",
      { className: move.played ? "liked played" : "liked", title: move.meaning },
      bar,
      make("span", { className: "notation" }, move.notation),
      make("span", { className: "numbers" }, numbers.join(" · "), move.played ? make("b", {}, " played") : ""),
      make("span", { className: "meaning" }, move.meaning),
    );
  });
  const rest = thought.count - thought.moves.length;
  if (rest > 0) rows.push(make("li", { className: "faded small" }, `and ${rest} more`));
  return make("ol", { className: "bars", "aria-label": "Moves, the one that it likes best first" }, ...rows);
}

/** How long the bars are, from 0 to 1: probabilities as they are, scores between the least and the highest. */
export function shares(thought) {
  const first = thought.moves.map((move) => move.numbers[0] ?? 0);
  if (thought.names[0] === "probability") return first;
  const [low, high] = [Math.min(...first), Math.max(...first)];
  return first.map((number) => (high > low ? (number - low) / (high - low) : 1));
}
