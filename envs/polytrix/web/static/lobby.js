// The lobby: choose a game, set up a table, go on at one.

import { byId, fill, make } from "./dom.js";
import { Form } from "./form.js";
import { Server } from "./server.js";

/** The address of a link. The secret stands behind #, so that browsers do not send it along. */
const address = (token) => `${location.origin}/table#${token}`;

/** Names of this computer, which lead others nowhere. */
const HERE = ["127.0.0.1", "localhost", "[::1]"];

const given = new URLSearchParams(location.hash.slice(1));
const server = new Server(given.get("key"));
const wanted = given.get("game");
history.replaceState(null, "", location.pathname); // the key stays out of sight
addEventListener("hashchange", () => location.reload());

function trouble(text) {
  byId("trouble").hidden = !text;
  byId("trouble").textContent = text;
  if (text) byId("trouble").scrollIntoView({ block: "nearest" });
}

async function begin() {
  try {
    const games = await server.get("/api/games");
    fill(byId("games"), ...games.map((game) => card(game)));
    const first = games.find((game) => game.name === wanted);
    if (first) choose(first);
    await showTables();
  } catch (error) {
    trouble(error.message);
  }
}

/** The first two sentences. */
const beginning = (text) => text.split(/(?<=[.!?]) /).slice(0, 2).join(" ");

function card(game) {
  const counts = game.counts;
  const players = counts.length > 1 ? `${counts[0]} to ${counts.at(-1)} players` : `${counts[0]} players`;
  const facts = [players, game.minutes && `about ${game.minutes} minutes`, game.difficulty].filter(Boolean).join(" · ");
  return make(
    "button",
    { className: "game card", id: `game-${game.name}`, "aria-pressed": "false", "aria-label": `${game.title}, ${facts}`, onclick: () => choose(game, true) },
    make("img", { src: `/games/${game.name}/picture.svg`, alt: "", loading: "lazy" }),
    make(
      "div",
      {},
      make("strong", {}, game.title),
      make("span", { className: "small faded" }, facts),
      make("p", { className: "small" }, beginning(game.summary)), // the form has all of it
    ),
  );
}

function choose(game, focus = false) {
  for (const other of document.querySelectorAll(".game")) {
    other.setAttribute("aria-pressed", other.id === `game-${game.name}`);
  }
  byId("form-section").hidden = false;
  byId("guided").hidden = !game.guided;
  byId("guided").onclick = () => start({ game: game.id, guided: true }).catch((error) => trouble(error.message));
  byId("form-title").textContent = `A table of ${game.title}`;
  byId("about").textContent = game.summary;
  new Form(byId("form"), game, start, (file) => sendNetwork(game, file));
  if (focus) {
    byId("form-title").focus({ preventScroll: true });
    byId("form-section").scrollIntoView({ behavior: "smooth", block: "start" });
  }
}

async function start(form) {
  const table = await server.post("/api/tables", form);
  if (table.seats.some((seat) => seat.kind === "person")) {
    showLinks(byId("links"), table);
    await showTables();
  } else location.href = address(ownToken(table));
}

/** Send a saved network; what it is called as an agent. */
async function sendNetwork(game, file) {
  const names = new URLSearchParams({ game: game.id, name: file.name });
  return (await server.upload(`/api/networks?${names}`, file)).agent;
}

/** The link of the host: the own seat, or else that of spectators. */
function ownToken(table) {
  return (table.seats.find((seat) => seat.kind === "you") ?? { token: table.watch }).token;
}

async function showTables() {
  const tables = await server.get("/api/tables");
  byId("tables-section").hidden = !tables.length;
  fill(byId("tables"), ...tables.map(row));
}

function row(table) {
  const who = table.seats.map((seat) => `${seat.name}: ${seat.kind === "you" ? "you" : seat.player}`).join(", ");
  const forget = () => {
    byId("sure-text").textContent = `Delete this table of ${table.title} with all its games?`;
    byId("sure").onclose = async () => {
      if (byId("sure").returnValue !== "yes") return;
      await server.post("/api/tables/forget", { id: table.id }).then(showTables).catch((error) => trouble(error.message));
    };
    byId("sure").returnValue = "no";
    byId("sure").showModal();
  };
  return make(
    "li",
    { className: "table" },
    make("a", { href: address(ownToken(table)) }, table.title),
    make("span", { className: "who small faded" }, make("b", { className: "status" }, table.status), ` ${who}`),
    make("button", { className: "small", onclick: () => showLinks(byId("links"), table) }, "Links"),
    make("button", { className: "small", "aria-label": `Delete this table of ${table.title}`, onclick: forget }, "Delete"),
  );
}

begin();

/** Show a dialog with the links of other people and of spectators. */
function showLinks(dialog, table) {
  const people = table.seats.filter((seat) => seat.kind !== "agent");
  const links = [
    ...people.map((seat) => [`${seat.name}${seat.kind === "you" ? " (you)" : ""}`, seat.token]),
    ["Spectators", table.watch],
  ];
  fill(dialog.querySelector(".links"), ...links.map(([who, token]) => link(who, address(token))));
  byId("here-only").hidden = !HERE.includes(location.hostname);
  byId("go").href = address((people.find((seat) => seat.kind === "you") ?? { token: table.watch }).token);
  dialog.showModal();
}

function link(who, text) {
  const shown = make("input", { value: text, readOnly: true, "aria-label": `Link for ${who}`, onfocus: () => shown.select() });
  const copy = make("button", { "aria-label": `Copy the link for ${who}` }, "Copy");
  copy.addEventListener("click", async () => {
    shown.select();
    await navigator.clipboard?.writeText(text).catch(() => document.execCommand("copy"));
    copy.textContent = "Copied";
  });
  return make("li", {}, make("b", {}, who), make("div", { className: "row" }, shown, copy));
}
