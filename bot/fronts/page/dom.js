// Small helpers for elements. Data becomes text here, never markup.

/** An element: `make("p", { class: "quiet", title: "x", onclick }, "text", child)`. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An icon out of garden.svg. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `/static/garden.svg#${name}`);
  svg.append(use);
  return svg;
}

/** Set an attribute or text only where it differs, so that nothing is announced twice. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Make `parent` hold exactly `elements` in this order, keep those already there, and keep the
 * focus where it is as long as its element stays.
 */
export function arrange(parent, elements) {
  const focused = document.activeElement;
  const wanted = new Set(elements);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  elements.forEach((element, index) => {
    if (parent.children[index] !== element) parent.insertBefore(element, parent.children[index] ?? null);
  });
  if (focused && wanted.has(focused) && document.activeElement !== focused) {
    focused.focus({ preventScroll: true });
  }
}

/** Say something to those who listen instead of looking. */
export function announce(text) {
  if (!text) return;
  const line = make("p", {}, text);
  document.getElementById("news").append(line);
  setTimeout(() => line.remove(), 15_000);
}

/** The stone that stands for a person: an initial, and one of a few calm colours by id. */
export function dressStone(element, person) {
  setText(element, [...person.name][0]?.toUpperCase() ?? "");
  element.dataset.hue = String(person.id % 6);
}
