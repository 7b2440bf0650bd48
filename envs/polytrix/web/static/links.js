// The secret links of a table.

import { byId, fill, make } from "./dom.js";

/** The address of a link. The secret stands behind #, so that browsers do not send it along. */
export const address = (token) => `${location.origin}/table#${token}`;

/** Show a dialog with the links of other people and of spectators. */
export function showLinks(dialog, table) {
  const people = table.seats.filter((seat) => seat.kind !== "agent");
  const links = [
    ...people.map((seat) => [`${seat.name}${seat.kind === "you" ? " (you)" : ""}`, seat.token]),
    ["Spectators", table.watch],
  ];
  fill(dialog.querySelector(".links"), ...links.map(([who, token]) => link(who, address(token))));
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
