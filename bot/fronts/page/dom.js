// Helpers for elements. Data becomes text, never markup.

/**
 * Return the element of index.html with this id.
 *
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind] for the properties of its class
 * @returns {T}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof (kind ?? HTMLElement))) throw new Error(`no such element: ${id}`);
  return /** @type {T} */ (found);
}

/**
 * Return a new element: `make("p", { class: "quiet", title: "x", onclick }, "text", child)`.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} attributes
 * @param {(Node | string | null | undefined)[]} children
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/** @param {string} name of a file beside this one */
export const fileUrl = (name) => new URL(name, import.meta.url).pathname;

/** @param {string} name in garden.svg */
export const iconUrl = (name) => `${fileUrl("garden.svg")}#${name}`;

/** @param {string} name in garden.svg */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", iconUrl(name));
  svg.append(use);
  return svg;
}

/**
 * Draw black and white stones in a text. As letters they would be inverted in dark mode.
 *
 * @param {string} text
 */
export function withStones(text) {
  return text.split(/([⚫⚪])/u).map((part) => {
    const kind = part === "⚫" ? "black" : part === "⚪" ? "white" : "";
    return kind ? make("span", { class: `dot ${kind}` }, part) : part;
  });
}

/**
 * Set a text only if it differs, so that nothing is announced twice.
 *
 * @param {Element | null} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/**
 * Replace the children of `parent`. Existing ones stay in place and keep the focus.
 *
 * @param {Element} parent
 * @param {Element[]} elements
 */
export function arrange(parent, elements) {
  const focused = document.activeElement;
  const wanted = new Set(elements);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  elements.forEach((element, index) => {
    if (parent.children[index] !== element) parent.insertBefore(element, parent.children[index] ?? null);
  });
  if (focused instanceof HTMLElement && wanted.has(focused) && document.activeElement !== focused) {
    focused.focus({ preventScroll: true });
  }
}

/** Resolves when all that has changed is on the screen. */
export async function painted() {
  await new Promise(requestAnimationFrame);
  await new Promise((resolve) => void setTimeout(resolve));
}

/** @param {string | null} [text] for screen readers */
export function announce(text) {
  if (!text) return;
  const line = make("p", {}, text);
  byId("news").append(line);
  setTimeout(() => line.remove(), 15_000);
}

/**
 * Draw a user's avatar: a stone with an initial, in a colour by id.
 *
 * @param {HTMLElement} element
 * @param {Wire.Person} person
 */
export function dressStone(element, person) {
  setText(element, [...person.name][0]?.toUpperCase() ?? "");
  element.dataset.hue = String(person.id % 6);
}
