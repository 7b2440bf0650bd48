// Tabs, by click and by arrow keys.

import { byId } from "./dom.js";

export class Tabs {
  /** shown() is called when a tab is chosen. */
  constructor(list, shown) {
    this.shown = shown;
    this.tabs = [...list.querySelectorAll("[role=tab]")];
    for (const tab of this.tabs) tab.addEventListener("click", () => this.choose(tab.id));
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const place = this.tabs.indexOf(document.activeElement) + step;
      const next = this.tabs[(place + this.tabs.length) % this.tabs.length];
      this.choose(next.id);
      next.focus();
    });
  }

  choose(id) {
    for (const tab of this.tabs) {
      const chosen = tab.id === id;
      tab.setAttribute("aria-selected", chosen);
      tab.tabIndex = chosen ? 0 : -1;
      byId(tab.getAttribute("aria-controls")).hidden = !chosen;
    }
    this.shown();
  }
}
