// Makes elements of SVG, and drawings from text.

/** A new element of SVG. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A drawing as an element without a size of its own; styles know its `--ratio` and its `--natural` width. */
export function drawing(text, label) {
  const element = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  const { width, height } = element.viewBox.baseVal;
  element.style.setProperty("--ratio", width / height);
  element.style.setProperty("--natural", `${width}px`);
  element.removeAttribute("width");
  element.removeAttribute("height");
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", label);
  return element;
}
