// The rules beside the board; the clauses that matter for the present moves stand below the first chapter.

import { fill, make } from "./dom.js";

export class Rules {
  constructor(place) {
    Object.assign(this, { place, game: null, clauses: new Map() });
  }

  async show(view) {
    if (this.game !== view.game) {
      this.game = view.game;
      await this.load(view);
    }
    this.mark(view.clauses);
  }

  async load(view) {
    const name = view.game.replace(/^.*\//, "");
    const answer = await fetch(`/games/${name}/rules.json`);
    const chapters = answer.ok ? await answer.json() : [];
    this.now = make("div", { id: "now", hidden: true });
    const found = chapters.map(({ title, html, open }) => {
      const body = make("div");
      body.innerHTML = html; // made by the server from the game's page, without any markup of the page's own
      return make("details", { open }, make("summary", {}, title), body);
    });
    const none = make("p", { className: "faded" }, "This game has no page with rules.");
    const [first, ...others] = found.length ? found : [none];
    fill(this.place, first, this.now, ...others);
    for (const row of this.place.querySelectorAll("[data-clause]")) this.clauses.set(row.dataset.clause, row);
  }

  mark(ids) {
    for (const [id, row] of this.clauses) row.classList.toggle("now", ids.includes(id));
    const rows = ids.filter((id) => this.clauses.has(id)).map((id) => this.clauses.get(id).cloneNode(true));
    if (!this.now) return;
    this.now.hidden = !rows.length;
    for (const row of rows) row.classList.remove("now");
    fill(this.now, make("h3", {}, "Rules for these moves"), make("table", {}, make("tbody", {}, ...rows)));
  }
}
