// jsdom with the page's HTML. Import it before the module under test. It has no layout (see
// tests/bot/fronts/test_page.py).

import { readFileSync } from "node:fs";
import { beforeEach } from "node:test";
import { JSDOM } from "jsdom";

const locales = new URL("../../bot/locales/", import.meta.url);

/** Return a language's `web-` texts, as in the served page. */
function words(code) {
  const file = readFileSync(new URL(`${code}/core.ftl`, locales), "utf8");
  const found = [...file.matchAll(/^(?:web-(.+?)|language-(name)) = (.*)$/gm)];
  return Object.fromEntries(
    found.map(([, word, own, text]) => [word ?? `own-${own}`, text.replace(/\{ \$(\w+) \}/g, "{$1}")]),
  );
}

const known = Object.fromEntries(["en", "de"].map((code) => [code, words(code)]));
const html = readFileSync(new URL("../../bot/fronts/page/index.html", import.meta.url), "utf8")
  .replace("{{base}}", "/")
  .replace("{{words}}", () => JSON.stringify(known).replaceAll("<", "\\u003c"));
const { window } = new JSDOM(html, { url: "http://localhost/", pretendToBeVisual: true });

class Observer {
  observe() {}
}

const found = {
  window,
  IntersectionObserver: Observer,
  ResizeObserver: Observer,
  addEventListener: window.addEventListener.bind(window),
  requestAnimationFrame: window.requestAnimationFrame.bind(window),
  getComputedStyle: window.getComputedStyle.bind(window),
  matchMedia: () => ({ matches: false, addEventListener() {} }),
};
const own = ["document", "location", "navigator", "Element", "HTMLElement", "HTMLInputElement", "HTMLDialogElement", "Node", "history"];
for (const name of own) found[name] = window[name];
for (const [name, value] of Object.entries(found)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
window.Element.prototype.scrollIntoView = () => {};

const body = window.document.body.cloneNode(true);

beforeEach(() => {
  window.document.body.replaceWith(body.cloneNode(true));
  window.document.getElementById("table").hidden = false; // hidden elements take no focus
  window.history.replaceState(null, "", "/");
});

/** Run all tasks that are ready. */
export function settled() {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Press a key on the focused element. */
export function press(key, more = {}) {
  const event = new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  (window.document.activeElement ?? window.document.body).dispatchEvent(event);
  return event;
}

export function type(field, text) {
  field.focus();
  field.value = text;
  field.dispatchEvent(new window.Event("input", { bubbles: true }));
}

export function texts(selector) {
  return [...window.document.querySelectorAll(selector)].map((element) => element.textContent);
}
