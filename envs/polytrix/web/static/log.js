// The log: each decision in words, line by line, with the chance that followed.

import { fill, make } from "./dom.js";

export const HIDDEN = "(hidden)";

export class Log {
  /** askForAll() asks the server for the decisions that were not sent. */
  constructor(list, earlier, askForAll) {
    Object.assign(this, { list, earlier, entries: [], first: 0, round: -1 });
    earlier.addEventListener("click", askForAll);
    const panel = list.parentElement;
    this.atEnd = true;
    panel.addEventListener("scroll", () => (this.atEnd = panel.scrollTop + panel.clientHeight > panel.scrollHeight - 4));
    new ResizeObserver(() => this.follow()).observe(panel); // other parts of the page take room from it
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
    this.atEnd = false;
    this.draw();
    this.list.parentElement.scrollTop = 0;
  }

  draw() {
    this.earlier.hidden = this.first === 0;
    const rows = this.entries.map((entry, i) => this.row(entry, this.first + i));
    const opening = this.first === 0 && this.opening.length ? make("li", {}, make("span"), make("div", {}, ...chance(this.opening))) : null;
    fill(this.list, opening, ...rows);
    this.follow();
  }

  /** Stay at the end, unless the reader has scrolled away from it. */
  follow() {
    if (this.atEnd) this.toNewest();
  }

  /** Scroll to the end, which a panel that is not shown cannot do. */
  toNewest() {
    this.list.parentElement.scrollTop = this.list.parentElement.scrollHeight;
  }

  row(entry, number) {
    const row = make("li", {}, make("span", { className: "number" }, `${number + 1}`), make("div", {}, ...lines(entry, this.seats)));
    row.classList.toggle("fresh", number >= this.since);
    return row;
  }

  /** Line by line, what followed one's own last decision and what others have done, for the place above the board. */
  news(view) {
    if (!view.log.count) return chance(view.opening);
    const at = Math.max(0, view.log.since - this.first);
    const fresh = this.entries.slice(at);
    const own = fresh[0]?.seat !== view.seat ? this.entries[at - 1] : null;
    return [...chance(own?.chance ?? []), ...fresh.flatMap((entry) => lines(entry, this.seats))];
  }
}

/** The log of a page that has one part of it and gets the next. */
export function joined(before, news) {
  const kept = Math.max(0, news.first - before.first);
  const join = (name) => [...before[name].slice(0, kept), ...news[name]];
  return { ...news, first: Math.min(before.first, news.first), entries: join("entries"), touched: join("touched") };
}

/** A decision and the chance that followed. */
const lines = (entry, seats) => [...told(entry, seats), ...chance(entry.chance)];

/** Who made a move, and line by line what it did in words; in notation if there are none. */
export function told(entry, seats) {
  const [first, ...others] = entry.words;
  const hidden = entry.move === HIDDEN;
  const move = make("span", { className: `notation${first ? " aside" : ""}` }, hidden ? "hidden" : entry.move);
  const made = make("div", {}, make("b", {}, seats[entry.seat].name), first ? ` ${first} ` : " ", first && hidden ? null : move);
  return [made, ...others.map((line) => make("div", { className: "meaning" }, line))];
}

/** A line for each chance outcome; neighbours that are hidden are counted. */
export function chance(outcomes) {
  const parts = [];
  for (const outcome of outcomes) {
    const last = parts.at(-1);
    if (last && last.outcome === outcome && outcome === HIDDEN) last.count += 1;
    else parts.push({ outcome, count: 1 });
  }
  return parts.map(({ outcome, count }) => {
    const told = outcome === HIDDEN ? `${count} hidden` : outcome;
    return make("span", { className: "chance" }, make("span", { className: "out-of-sight" }, "chance: "), told);
  });
}
