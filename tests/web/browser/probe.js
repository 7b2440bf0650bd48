// What the tests ask of a page.

const named = (element) => `${element.tagName.toLowerCase()}#${element.id}.${element.className} ${element.textContent.trim().slice(0, 30)}`;

/** The controls that no finger reaches: outside of the page, below something else, or tiny. */
function unreachable() {
  const controls = [...document.querySelectorAll("button, input, select, a[href], summary")];
  return controls.filter((control) => control.checkVisibility() && !reachable(control)).map(named);
}

function reachable(control) {
  control.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, right, top, bottom, width, height } = control.getBoundingClientRect();
  const x = (left + right) / 2;
  const y = (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2;
  const hit = document.elementFromPoint(x, y);
  const large = control.matches("[type=checkbox]") || (width >= 24 && height >= 20);
  return large && left >= 0 && right <= innerWidth + 0.5 && hit !== null && (control.contains(hit) || hit.contains(control));
}

/** The texts outside of drawings with less contrast to their ground than `least`; what is disabled does not count. */
function faint(least) {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const seen = texts.currentNode.data.trim() && element.checkVisibility() && !element.closest("svg, script, :disabled, option");
    if (!seen) continue;
    const ground = groundOf(element);
    const ink = over(channels(getComputedStyle(element).color), ground);
    const contrast = contrastOf(ink, ground);
    if (contrast < least) found.push(`${named(element)}: ${contrast.toFixed(2)}`);
  }
  return found;
}

/** Red, green, blue from 0 to 255, and alpha. */
function channels(colour) {
  const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
  return [red, green, blue, alpha];
}

/** A colour on an opaque one. */
const over = ([red, green, blue, alpha], ground) => [...[red, green, blue].map((value, i) => value * alpha + ground[i] * (1 - alpha)), 1];

function groundOf(element) {
  const own = channels(getComputedStyle(element).backgroundColor);
  if (own[3] === 1) return own;
  return over(own, element.parentElement ? groundOf(element.parentElement) : [255, 255, 255, 1]);
}

function luminance(colour) {
  const [red, green, blue] = colour.slice(0, 3).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** What the texts of the board measure: size on the screen, contrast to what is drawn below them, and what they say. */
function boardTexts() {
  const shapes = [...document.querySelectorAll("#board svg :is(rect, circle, polygon):not([data-place])")];
  return [...document.querySelectorAll("#board svg text")].filter((text) => text.textContent && text.checkVisibility()).map((text) => {
    const { x, y, width, height } = text.getBBox();
    const matrix = text.getScreenCTM();
    const middle = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(matrix);
    const below = shapes.filter((shape) => shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING && covers(shape, middle));
    const ground = below.reduce((ground, shape) => over(painted(shape), ground), [255, 255, 255, 1]);
    const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(matrix.a, matrix.b);
    return { words: text.textContent, size, contrast: contrastOf(over(painted(text), ground), ground) };
  });
}

function covers(shape, point) {
  const { fill } = getComputedStyle(shape);
  return fill !== "none" && shape.checkVisibility() && shape.isPointInFill(point.matrixTransform(shape.getScreenCTM().inverse()));
}

/** The colour of a shape with its own opacity and that of the groups around it. */
function painted(shape) {
  const style = getComputedStyle(shape);
  const [red, green, blue, alpha] = channels(style.fill);
  let opacity = alpha * style.fillOpacity;
  for (let each = shape; each.tagName !== "svg"; each = each.parentElement) opacity *= getComputedStyle(each).opacity;
  return [red, green, blue, opacity];
}

/** The least side of the places that can be touched now, in pixels. */
function leastTarget() {
  const places = [...document.querySelectorAll("#board svg .usable")].map((place) => place.getBoundingClientRect());
  return Math.min(...places.map(({ width, height }) => Math.min(width, height)));
}
