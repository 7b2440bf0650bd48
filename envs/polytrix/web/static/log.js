// The log: each decision in notation and words, with the chance that followed.

import { fill, make } from "./dom.js";

export const HIDDEN = "(hidden)";
const IN_NEWS = 4; // decisions, and lines of each

export class Log {
  /** askForAll() asks the server for the decisions that were not sent. */
  constructor(list, earlier, askForAll) {
    Object.assign(this, { list, earlier, entries: [], first: 0, round: -1 });
    earlier.addEventListener("click", askForAll);
  }

  show(view) {
    const { first, entries } = view.log;
    if (view.round !== this.round || first < this.first || first > this.first + this.entries.length) {
      Object.assign(this, { entries: [], first });
    }
    this.entries = [...this.entries.slice(0, first - this.first), ...entries];
    Object.assign(this, { round: view.round, seats: view.seats, since: view.log.since, opening: view.opening });
    this.draw();
  }

  showAll({ first, entries }) {
    Object.assign(this, { first, entries });
    this.draw();
    this.list.parentElement.scrollTop = 0;
  }

  draw() {
    this.earlier.hidden = this.first === 0;
    const rows = this.entries.map((entry, i) => this.row(entry, this.first + i));
    const opening = this.first === 0 && this.opening.length ? make("li", {}, make("span"), chance(this.opening)) : null;
    fill(this.list, opening, ...rows);
    this.toNewest();
  }

  /** Scroll to the end, which a panel that is not shown cannot do. */
  toNewest() {
    this.list.parentElement.scrollTop = this.list.parentElement.scrollHeight;
  }

  row(entry, number) {
    const [first, ...others] = entry.words;
    const told = [make("b", {}, this.seats[entry.seat].name), ` ${first} `, entry.move === HIDDEN ? null : notation(entry)];
    const more = others.map((line) => make("div", { className: "meaning" }, line));
    const text = make("div", {}, ...(first ? told : moveLine(entry, this.seats)), ...more, chance(entry.chance));
    const row = make("li", {}, make("span", { className: "number" }, `${number + 1}`), text);
    row.classList.toggle("fresh", number >= this.since);
    return row;
  }

  /** What followed one's own last decision, and the last ones of others, for the lines above the board. */
  news(view) {
    if (!view.log.count) return [chance(view.opening)];
    const at = Math.max(0, view.log.since - this.first);
    const fresh = this.entries.slice(at);
    const own = fresh[0]?.seat !== view.seat ? this.entries[at - 1] : null;
    const shown = fresh.slice(-IN_NEWS);
    return [own && chance(own.chance), ...shown.map((entry) => make("span", {}, ...told(entry, this.seats), " ", chance(entry.chance)))];
  }
}

/** The log of a page that has one part of it and gets the next. */
export function joined(before, news) {
  const kept = Math.max(0, news.first - before.first);
  const join = (name) => [...before[name].slice(0, kept), ...news[name]];
  return { ...news, first: Math.min(before.first, news.first), entries: join("entries"), touched: join("touched") };
}

/** The last lines of what was done. */
const short = (words) => `${words.length > IN_NEWS ? "… " : ""}${words.slice(-IN_NEWS).join("; ")}`;

/** Who made a move, and what it did in words; in notation if there are none. */
export function told(entry, seats) {
  return entry.words.length ? [make("b", {}, seats[entry.seat].name), ` ${short(entry.words)}`] : moveLine(entry, seats);
}

/** Who made a move, and the move in notation. */
function moveLine(entry, seats) {
  return [make("b", {}, seats[entry.seat].name), " ", notation(entry)];
}

const notation = (entry) => make("span", { className: "notation" }, entry.move === HIDDEN ? "hidden" : entry.move);

/** Chance outcomes, null for none; neighbours that are hidden are counted. */
export function chance(outcomes) {
  if (!outcomes.length) return null;
  const parts = [];
  for (const outcome of outcomes) {
    const last = parts.at(-1);
    if (last && last.outcome === outcome && outcome === HIDDEN) last.count += 1;
    else parts.push({ outcome, count: 1 });
  }
  const lines = parts.map(({ outcome, count }) => (outcome === HIDDEN ? `${count} hidden` : outcome));
  return make("span", { className: "chance" }, make("span", { className: "out-of-sight" }, "chance: "), lines.join("; "));
}
