// What language models were asked and what they said.

import { make } from "../dom.js";
import { visible } from "./thoughts.js";

/** The chat at a position, as elements: none if no model was asked there. */
export function chat(replay, view, position) {
  const found = replay.chats[position];
  if (!visible(replay, view, found)) return [];
  const name = replay.players[found.seat];
  return [
    make(
      "section",
      { className: "opinion chat", "aria-label": `What ${name} says` },
      make("h2", {}, name),
      ...found.answers.flatMap((answer) => said(answer)),
      make("details", {}, make("summary", {}, "What it was told"), make("pre", {}, found.question)),
    ),
  ];
}

function said({ text, reasoning, error }) {
  return [
    reasoning && make("details", {}, make("summary", {}, "What it has thought"), make("pre", {}, reasoning)),
    make("pre", { className: error === null ? "answer" : "answer refused" }, text || "(nothing)"),
    error !== null && make("p", { className: "said differs" }, `Refused: ${error}`),
  ].filter(Boolean);
}
