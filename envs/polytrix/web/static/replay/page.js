// A page of its own: the replay is in it, compressed.

import "../theme.js";
import { byId, fill, make } from "../dom.js";
import { facts, Viewer } from "./viewer.js";

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

unpacked(byId("replay").textContent).then(
  (replay) => {
    const settings = Object.entries(replay.options).map(([name, value]) => `${name}=${value}`);
    const seed = replay.seed === null ? [] : [`seed ${replay.seed}`];
    byId("title").textContent = replay.title;
    byId("facts").textContent = facts(replay);
    byId("settings").textContent = [...seed, ...settings].join(", ");
    new Viewer(byId("viewer"), replay);
  },
  (error) => fill(byId("viewer"), make("p", { className: "wrong" }, `This page cannot be shown: ${error.message}. A browser of 2023 or later is needed.`)),
);
