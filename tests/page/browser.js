// A browser for the page's modules, as far as they need one: jsdom with the page's own HTML.
// Import it before the module under test. It lays nothing out; tests/bot/fronts/test_page.py does.

import { readFileSync } from "node:fs";
import { beforeEach } from "node:test";
import { JSDOM } from "jsdom";

const locales = new URL("../../bot/locales/", import.meta.url);

/** A language's `web-` texts, as the server puts them into the page. */
function words(code) {
  const file = readFileSync(new URL(`${code}/core.ftl`, locales), "utf8");
  const found = [...file.matchAll(/^(?:web-(.+?)|language-(name)) = (.*)$/gm)];
  return Object.fromEntries(
    found.map(([, word, own, text]) => [word ?? `own-${own}`, text.replace(/\{ \$(\w+) \}/g, "{$1}")]),
  );
}

const known = Object.fromEntries(["en", "de"].map((code) => [code, words(code)]));
const html = readFileSync(new URL("../../bot/fronts/page/index.html", import.meta.url), "utf8")
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
  window.document.getElementById("table").hidden = false; // only what can be seen takes the focus
  window.location.hash = "";
});

/** Run all tasks that are ready. */
export function settled() {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Press a key where the focus is. */
export function press(key, more = {}) {
  const event = new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  (window.document.activeElement ?? window.document.body).dispatchEvent(event);
  return event;
}

/** Replace a field's value by `text`, as typing does. */
export function type(field, text) {
  field.focus();
  field.value = text;
  field.dispatchEvent(new window.Event("input", { bubbles: true }));
}

/** The texts of the elements that `selector` finds. */
export function texts(selector) {
  return [...window.document.querySelectorAll(selector)].map((element) => element.textContent);
}
