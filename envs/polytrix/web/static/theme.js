// The switch between dark and light. Without a choice, the system decides.

const KEY = "polytrix-theme";
const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");

let own = null; // where a page may keep nothing, for example in a notebook

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return own;
  }
}

function keep(theme) {
  own = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // only this page remembers it
  }
}

function chosen() {
  return kept() ?? (dark.matches ? "dark" : "light");
}

function show() {
  root.dataset.theme = chosen();
  const other = chosen() === "dark" ? "light" : "dark";
  for (const button of document.querySelectorAll("[data-switch-theme]")) {
    button.textContent = other === "dark" ? "Dark" : "Light";
    button.setAttribute("aria-label", `Switch to ${other} colours`);
  }
}

show();
dark.addEventListener("change", show);
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-switch-theme]")) return;
  keep(chosen() === "dark" ? "light" : "dark");
  show();
});
