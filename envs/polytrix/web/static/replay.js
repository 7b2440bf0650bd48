// A game that is over, on the server's page: opened from a link or a file, with what agents think of it.

import { byId, fill, make } from "./dom.js";
import { facts, Viewer } from "./replay/viewer.js";
import { Server } from "./server.js";

const NOBODY = "nobody";
const OFTEN = 500; // milliseconds between drawings while thoughts arrive

const server = new Server(null);
let wanted = null; // which game, for the server
let replay = null;
let viewer = null;
const asked = [null, null]; // what the two agents think, and how to stop them
let drawn = 0;

addEventListener("hashchange", () => location.reload());

function trouble(text) {
  byId("trouble").hidden = !text;
  byId("trouble").textContent = text;
}

async function open(game) {
  trouble("");
  byId("facts").textContent = "Drawing the game…";
  try {
    replay = { ...(await server.post("/api/replay", game)), agents: [] };
  } catch (error) {
    byId("facts").textContent = replay ? facts(replay) : "";
    trouble(error.message);
    return;
  }
  byId("going-on").textContent = "";
  stop(0);
  stop(1);
  wanted = game;
  document.title = replay.title;
  byId("title").textContent = replay.title;
  byId("facts").textContent = facts(replay);
  byId("settings").textContent = [`seed ${replay.seed}`, ...Object.entries(replay.options).map(([name, value]) => `${name}=${value}`)].join(", ");
  viewer?.close();
  viewer = new Viewer(byId("viewer"), replay);
  byId("ask").hidden = false;
  for (const id of ["first", "second"]) fill(byId(id), ...[NOBODY, ...replay.advisers].map((name) => make("option", {}, name)));
}

// -- thoughts ----------------------------------------------------------------------------------

function stop(place) {
  asked[place]?.controller.abort();
  asked[place] = null;
}

async function ask(place, name) {
  stop(place);
  show();
  if (name === NOBODY) return;
  const controller = new AbortController();
  const mine = { controller, name, thoughts: [], done: false };
  asked[place] = mine;
  trouble("");
  try {
    for await (const line of server.lines("/api/thoughts", { ...wanted, agent: name }, controller.signal)) {
      if (line.failed) throw new Error(line.failed);
      if (line.going_on) byId("going-on").textContent = line.going_on;
      else {
        byId("going-on").textContent = "";
        mine.thoughts[line.at] = line.thought;
      }
      if (performance.now() - drawn > OFTEN) show();
    }
    mine.done = true;
  } catch (error) {
    if (controller.signal.aborted) return;
    stop(place);
    byId(place ? "second" : "first").value = NOBODY;
    trouble(error.message);
  }
  show();
}

function show() {
  drawn = performance.now();
  const agents = asked.filter(Boolean);
  const thinking = agents.filter(({ done }) => !done);
  byId("progress").hidden = !thinking.length;
  if (thinking.length) {
    byId("progress").max = thinking.length * replay.movers.length;
    byId("progress").value = thinking.reduce((sum, { thoughts }) => sum + thoughts.length, 0);
  } else byId("going-on").textContent = "";
  viewer.update({ ...replay, agents: agents.map(({ name, thoughts }) => ({ name, thoughts })) });
}

byId("first").addEventListener("change", (event) => ask(0, event.target.value));
byId("second").addEventListener("change", (event) => ask(1, event.target.value));

// -- opening -----------------------------------------------------------------------------------

byId("file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  event.target.value = ""; // the same file can be opened again
  if (file) await open({ transcript: await file.text() });
});

const given = new URLSearchParams(location.hash.slice(1));
if (given.has("token")) open({ token: given.get("token"), game: Number(given.get("game")) });
else byId("facts").textContent = "Open a file written by “Save the game”, or by --save on the command line.";
