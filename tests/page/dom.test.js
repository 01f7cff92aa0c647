import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./browser.js";
import { arrange, byId, dressStone, make, setText } from "../../bot/fronts/page/dom.js";

test("what a person wrote becomes text, never markup", () => {
  const element = make("p", { title: "<b>" }, "<img src=x onerror=alert(1)>", null, undefined);
  assert.equal(element.childNodes.length, 1);
  assert.equal(element.textContent, "<img src=x onerror=alert(1)>");
  assert.equal(element.getAttribute("title"), "<b>");
});

test("an attribute that is not there is not set", () => {
  const element = make("input", { disabled: false, value: null, hidden: true, "data-index": 0 });
  assert.deepEqual(element.getAttributeNames(), ["hidden", "data-index"]);
  assert.equal(element.getAttribute("data-index"), "0");
});

test("a function is what happens", () => {
  let clicks = 0;
  make("button", { onclick: () => (clicks += 1) }).click();
  assert.equal(clicks, 1);
});

test("arranging keeps what stays, its place and its focus", () => {
  const [one, two, three] = ["one", "two", "three"].map((text) => make("button", {}, text));
  const list = make("div", {}, one, two);
  document.body.append(list);
  two.focus();
  arrange(list, [three, two]);
  assert.deepEqual([...list.children], [three, two]);
  assert.equal(document.activeElement, two);
  arrange(list, [two, three]);
  assert.deepEqual([...list.children], [two, three]);
  assert.equal(document.activeElement, two);
});

test("what is not asked for goes", () => {
  const list = make("ul", {}, make("li"), make("li"));
  arrange(list, []);
  assert.equal(list.children.length, 0);
});

test("a text that is there already is left alone, so that nothing is said twice", () => {
  const element = make("p", {}, "same");
  const before = element.firstChild;
  setText(element, "same");
  assert.equal(element.firstChild, before);
  setText(element, "other");
  assert.equal(element.textContent, "other");
});

test("an element that is missing, or another kind of element, is an error at once", () => {
  assert.equal(byId("line", HTMLInputElement).id, "line");
  assert.throws(() => byId("nothing"), /nothing/);
  assert.throws(() => byId("composer", HTMLInputElement), /composer/);
});

test("a stone has the first letter as people see it, and a colour by its number", () => {
  const stone = make("span");
  dressStone(stone, { id: 8, name: "🦊 Fuchs" });
  assert.equal(stone.textContent, "🦊");
  assert.equal(stone.dataset.hue, "2");
  dressStone(stone, { id: 6, name: "äpfel" });
  assert.equal(stone.textContent, "Ä");
  assert.equal(stone.dataset.hue, "0");
});

test("every icon has its own name", () => {
  const garden = readFileSync(new URL("../../bot/fronts/page/garden.svg", import.meta.url), "utf8");
  const names = [...garden.matchAll(/<symbol id="(.+?)"/g)].map(([, name]) => name);
  assert.ok(names.length > 10);
  assert.deepEqual(names, [...new Set(names)]);
});
