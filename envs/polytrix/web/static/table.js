// A table: takes in what the server sends, shows it, and sends what the person does.

import { Connection } from "./connection.js";
import { byId, drawing, fill, make } from "./dom.js";
import { Events } from "./events.js";
import { Hints } from "./hints.js";
import { Lesson } from "./lesson.js";
import { joined, Log } from "./log.js";
import { Look } from "./look.js";
import { Moves } from "./moves.js";
import { Places } from "./places.js";
import { Rules } from "./rules.js";
import { Tabs } from "./tabs.js";
import { Touch } from "./touch.js";
import { Watching } from "./watching.js";

addEventListener("hashchange", () => location.reload()); // another link in the same tab

const NOTATION = "polytrix-notation"; // whether this browser shows it with the moves
const NARROW = matchMedia("(max-width: 36rem)");

let view = null;
let begun = false; // whether this page has asked for the next game
let next = null; // a game that others have begun, while this page shows the end of the one before

const NO_CONNECTION = "Not sent: there is no connection.";
const send = (message) => connection.send({ version: view.version, ...message }) || refuse(NO_CONNECTION);
const play = (action) => send({ type: "move", action });
const choose = (action) => {
  if (!view.by_touch) play(action);
  else if (!touch.choose(action)) refuse("The guided game goes another way. Play freely to leave it.");
};

const log = new Log(byId("log"), byId("earlier"), () => connection.send({ type: "log" }));
const rules = new Rules(byId("rules"));
const moves = new Moves(byId("filter"), byId("list"), choose, play, (text) => send({ type: "say", text }));
const hints = new Hints(byId("hint"), byId("ask"), byId("adviser"), choose, (agent) => send({ type: "hint", agent }), () => places.point([], "hinted"));
const look = new Look(byId("look"));
const places = new Places(byId("board"), (name) => touch.touch(name), (shape) => look.show(shape));
const touch = new Touch(byId("offer"), places, play, (found) => moves.narrow(found));
const events = new Events(byId("board"), places, show);
const watching = new Watching(byId("watching"), byId("pause"), byId("speed"), (milliseconds) => connection.send({ type: "pace", milliseconds }));
const lesson = new Lesson(byId("lesson"), () => show(view));
const tabs = new Tabs(document.querySelector("[role=tablist]"), () => log.toNewest());

const TAKE_IN = {
  view: (news) => {
    const last = events.views.at(-1) ?? view;
    if (last?.over && last.round !== news.round && !begun) hold(news);
    else events.take(news);
  },
  current: () => {},
  going_on: ({ text }) => goingOn(text),
  refused: ({ text }) => refuse(text),
  hint: (hint) => {
    if (hint.version !== view?.version) return;
    refuse("");
    hints.show(hint);
    if (!hint.equal) places.point(legal(hint.moves[0].action).touch, "hinted");
  },
  pace: ({ milliseconds }) => watching.show(milliseconds),
  log: (message) => log.showAll(message),
  record: ({ name, text }) => save(name, text),
  closed: ({ text }) => close(text),
};

const connection = new Connection(location.hash.slice(1), {
  seen: () => (view ? view.version : -1),
  received: (message) => TAKE_IN[message.type]?.(message),
  online: (connected) => {
    byId("offline").hidden = connected;
    if (connected && byId("refused").textContent === NO_CONNECTION) refuse("");
  },
});

function show(news) {
  view = news;
  begun = false;
  document.title = `${view.may.move ? "Your move: " : ""}${view.title}`;
  byId("title").textContent = view.title;
  byId("status").textContent = view.status;
  byId("status").classList.toggle("mine", view.may.move);
  fill(byId("seats"), ...view.seats.map(seat));
  byId("take-back").hidden = !view.may.take_back;
  byId("resign").hidden = !view.may.resign;
  byId("choose").hidden = view.over || view.seat < 0;
  refuse("");
  look.hide();
  places.leave();
  showBoard(byId("board"), view);
  places.begin();
  log.show(view);
  showNews(log.news(view));
  hints.begin(view);
  const guided = { ...view, moves: lesson.show(view) };
  touch.show(guided);
  if (NARROW.matches && guided.moves !== view.moves) byId("board").querySelector(".next")?.scrollIntoView({ block: "nearest" });
  moves.show(guided);
  rules.show(view);
  watching.begin(view);
  showEnd();
  fill(byId("words"), ...words());
}

/** Show lines above the board, at the newest. */
function showNews(lines) {
  const news = byId("news");
  fill(news, ...lines);
  news.scrollTop = news.scrollHeight;
  byId("more").hidden = news.scrollHeight <= news.clientHeight;
}

function seat({ name, player, resigned, payoff }, number) {
  const won = payoff > 0 && payoff === Math.max(...view.seats.map((other) => other.payoff));
  const chip = make("li", {}, make("b", {}, name), ` ${player}${resigned ? " (has resigned)" : ""}${won ? ": won" : ""}`);
  chip.classList.toggle("mover", number === view.mover);
  if (number === view.mover) chip.setAttribute("aria-current", "true");
  return chip;
}

/** Keep the newest position of a game that others have begun. */
function hold(news) {
  next = next?.round === news.round ? { ...news, log: joined(next.log, news.log) } : news;
  showEnd();
}

function beginNext() {
  begun = true;
  if (next) events.take(next);
  else send({ type: "begin" });
  next = null;
}

function showEnd() {
  const end = byId("end");
  end.hidden = !view.over;
  if (end.hidden) return;
  const told = next ? make("p", { role: "status" }, "A new game has begun.") : null;
  const again = make("button", { className: "main", onclick: beginNext }, next ? "Go to the new game" : "New game");
  const record = make("button", { onclick: () => connection.send({ type: "record" }) }, "Save the game");
  const look = make("a", { className: "button", href: `/replay#token=${connection.token}&game=${view.round}` }, "Watch the replay");
  fill(end, told, next || view.may.begin ? again : null, look, record, make("a", { className: "button", href: "/" }, "All games"));
}

function words() {
  const parts = [make("ul", {}, ...places.sayings().map(([label, says]) => make("li", {}, make("b", {}, label), `: ${says}`)))];
  if (view.text) parts.push(make("h2", {}, "In codes"));
  if (view.text) parts.push(make("pre", { "aria-label": "The position as text" }, view.text));
  if (view.notes.length) parts.push(make("ul", {}, ...view.notes.map((note) => make("li", {}, note))));
  if (view.legend) parts.push(make("p", { className: "small faded" }, `How to read this: ${view.legend}`));
  if (view.taken_back) parts.push(make("p", { className: "small faded" }, `Decisions taken back: ${view.taken_back}.`));
  if (view.seed) parts.push(make("p", { className: "small faded" }, `Seed of this game: ${view.seed}.`));
  return parts.length ? parts : [make("p", { className: "faded" }, "Nothing yet.")];
}

function goingOn(text) {
  byId("going-on").hidden = !text;
  byId("going-on").textContent = text;
}

function refuse(text) {
  byId("refused").hidden = !text;
  byId("refused").textContent = text;
}

function close(text) {
  byId("status").textContent = "This table is closed.";
  fill(byId("board"), make("p", {}, text), make("a", { className: "button", href: "/" }, "All games"));
}

function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  make("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

function takeBack() {
  if (view?.may.take_back) send({ type: "take_back" });
}

byId("filter").addEventListener("input", () => refuse(""));
byId("take-back").addEventListener("click", takeBack);
byId("resign").addEventListener("click", () => {
  byId("sure-text").textContent = view.seats.length > 2 ? "Resign and let an agent play on for you?" : "Resign and end the game?";
  byId("sure").returnValue = "no";
  byId("sure").showModal();
});
byId("sure").addEventListener("close", () => byId("sure").returnValue === "yes" && send({ type: "resign" }));
byId("zoom").addEventListener("click", () => {
  byId("zoom").setAttribute("aria-pressed", byId("board").classList.toggle("large"));
  places.scroll();
});
byId("more").addEventListener("click", () => {
  tabs.choose("tab-log");
  byId("panel-log").scrollIntoView({ block: "nearest" });
});
byId("notation").addEventListener("change", (event) => localStorage.setItem(NOTATION, event.target.checked));
byId("notation").checked = localStorage.getItem(NOTATION) === "true";
byId("keys").addEventListener("click", () => byId("key-help").showModal());

const KEYS = {
  "/": () => moves.focus(),
  m: () => moves.focus(),
  b: () => places.focus(),
  h: () => hints.ask(),
  u: takeBack,
  " ": () => watching.toggle(),
  l: () => tabs.choose("tab-log"),
  r: () => tabs.choose("tab-rules"),
  w: () => tabs.choose("tab-words"),
  n: () => byId("notation").click(),
  Escape: () => [look.hide(), touch.clear()].includes(true) || hints.hide(),
};

/** A legal move. */
const legal = (action) => view?.moves.find((move) => move.action === action);

/** Show the places of the move under the mouse or in focus, and what it would put there. */
function point(event) {
  const move = legal(Number(event.target.closest?.("[data-action]")?.dataset.action));
  places.point(move?.touch ?? []);
  places.preview(move ?? touch.meant());
}

for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, point);

document.addEventListener("keydown", (event) => {
  const own = { " ": "input, select, dialog, button, summary, a", Escape: "dialog" }[event.key] ?? "input, select, dialog";
  const typing = event.target.closest(own); // these use the key themselves
  if (!view || typing || event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});

NARROW.addEventListener("change", () => view && show(view));

/** Show the drawing of a view: the one that is as wide as the page. */
function showBoard(place, view) {
  if (view.board === null) {
    fill(place, make("p", {}, "The players are hiding something from each other. You will see the board when nothing is hidden, and all of it once the game is over."));
    return;
  }
  const drawn = drawing((NARROW.matches && view.narrow) || view.board, `The board of ${view.title}. The tab In words has it as text.`);
  if (view.by_touch) drawn.setAttribute("role", "group");
  fill(place, drawn);
}
