// Makes and finds elements, of SVG too, drawings from text, and numbers as text.

/** The element with an id. */
export const byId = (id) => document.getElementById(id);

/**
 * A new element. Properties that begin with "on" are listeners, those with a hyphen or `role` are attributes;
 * children are elements or text.
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.includes("-") || name === "role" || name === "for") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** Replace what is in an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

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

/** A number with its sign. */
export const signed = (number) => `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(2)}`;

/** A payoff with its sign, and no more digits than it needs. */
export const payoffText = (payoff) => (Math.abs(payoff) < 0.005 ? "0" : signed(payoff).replace(/\.?0+$/, ""));
