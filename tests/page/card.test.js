import assert from "node:assert/strict";
import { test } from "node:test";
import { settled } from "./browser.js";
import { PICTURE } from "./logs.js";
import { Card } from "../../bot/fronts/page/card.js";

function shown(screen) {
  const card = new Card({ press: () => Promise.resolve(true), ask: () => Promise.resolve(null), change: (update) => update() });
  card.show(screen);
  return card.element;
}

test("black and white stones are drawn as such wherever a card names a side", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] }); // a countdown never ends
  const card = shown({
    text: "Find the best move for ⚫.\nTime until soon, ⚪.",
    due: { words: "soon", at: 2_000_000_000 },
    questions: [{ text: "⚪ offers a draw", answers: [{ label: "Accept ⚪", token: "b" }] }],
    buttons: [[{ label: "#10 Othello · Cleo ⚫ – ⚪ Eva", token: "a" }]],
  });
  const drawn = (where) => [...card.querySelectorAll(`${where} .dot`)].map(({ className }) => className);
  assert.deepEqual(drawn(".card-text"), ["dot black", "dot white"]);
  assert.deepEqual(drawn(".card-buttons button"), ["dot black", "dot white"]);
  assert.deepEqual(drawn(".card-questions p"), ["dot white"]);
  assert.deepEqual(drawn(".card-questions button"), ["dot white"]);
  assert.equal(card.querySelector(".card-buttons").textContent, "#10 Othello · Cleo ⚫ – ⚪ Eva");
});

test("the link to a shared game can be opened, and copied with a button", () => {
  const url = "https://example.org/s/AbC";
  const card = shown({ text: `Anyone with this link can see it: ${url}\nNo names.`, copied: [url] });
  const [text, invite, more] = [".card-text", ".card-invite", ".card-more"].map((one) => card.querySelector(one));
  assert.deepEqual([text, more].map((one) => one.textContent.trim()), ["Anyone with this link can see it:", "No names."]);
  assert.deepEqual([invite.querySelector("a").href, invite.querySelector("a").target], [url, "_blank"]);
  assert.equal(invite.querySelector("button.primary").textContent, "Copy link");
});

test("a line that ends with a shortened unit of time is no sentence, so a sign divides it from the next", () => {
  const ended = (text) => shown({ text }).querySelector(".card-text > span").className;
  const lines = ["Ann hat noch 10 Min.", "Ben hat noch 1 Std.", "… 5 Sek.", "Ann am Zug.", "Noch 3 Züge.", "Steine: 2"];
  assert.deepEqual(lines.map(ended), ["", "", "", "ended", "ended", ""]);
});

test("a button that can do nothing is disabled and sends nothing", () => {
  const pressed = [];
  const press = (token) => { pressed.push(token); return Promise.resolve(true); };
  const card = new Card({ press, ask: () => Promise.resolve(null), change: (update) => update() });
  const answer = (token, disabled) => ({ text: `${token}?`, answers: [{ label: token, token, disabled }] });
  card.show({
    text: "",
    questions: [answer("settled", true), answer("open", false)],
    buttons: [[{ label: "off", token: "off", disabled: true }, { label: "on", token: "on" }]],
  });
  const buttons = [...card.element.querySelectorAll(".card-questions button, .card-buttons button")];
  assert.deepEqual(buttons.map((one) => one.getAttribute("aria-disabled")).sort(), ["false", "false", "true", "true"]);
  for (const button of buttons.filter((one) => one.getAttribute("aria-disabled") === "true")) button.click();
  assert.deepEqual(pressed, []);
  buttons.find((one) => one.textContent === "open").click();
  assert.deepEqual(pressed, ["open"]);
});

test("a second click at the same spot is dropped, except after a click elsewhere", () => {
  const pressed = [];
  const show = (token) => {
    const press = () => { pressed.push(token); return Promise.resolve(true); };
    const card = new Card({ press, ask: () => Promise.resolve(null), change: (update) => update() });
    card.show({ text: "", buttons: [[{ label: token, token }]] });
    document.body.append(card.element);
    return card.element.querySelector(".card-buttons button");
  };
  const click = (element, clientX) =>
    element.dispatchEvent(new window.MouseEvent("click", { bubbles: true, detail: 1, clientX, clientY: 5 }));
  const [first, second] = [show("first"), show("second")];
  click(first, 5);
  click(second, 5);
  assert.deepEqual(pressed, ["first"]);
  click(document.getElementById("next"), 90);
  click(second, 5);
  assert.deepEqual(pressed, ["first", "second"]);
});

test("offers precede the button to resign, and another button shows them where they are folded", async () => {
  const pressed = [];
  const press = (token) => { pressed.push(token); return Promise.resolve(true); };
  const card = new Card({ press, ask: () => Promise.resolve(null), change: (update) => update() });
  const buttons = [[{ label: "Moves", token: "moves" }, { label: "Resign", token: "resign", style: "danger" }]];
  const offers = [{ label: "Draw", named: "Offer draw", token: "draw" }];
  card.show({ text: "", match: 7, buttons, offers });
  const names = () => [...card.element.querySelectorAll(".card-buttons button")].map((one) => one.getAttribute("aria-label") ?? one.textContent);
  assert.deepEqual(names(), ["Moves", "Offer draw", "More", "Resign"]);
  const [, draw, more] = card.element.querySelectorAll(".card-buttons button");
  more.click();
  assert.deepEqual([more.getAttribute("aria-expanded"), pressed], ["true", []]);
  draw.click();
  await settled();
  assert.deepEqual([more.getAttribute("aria-expanded"), pressed], ["false", ["draw"]]);
  card.show({ text: "", match: 7, buttons: [[{ label: "Rematch", token: "again" }]] });
  assert.deepEqual(names(), ["Rematch"]);
});

test("a button shows that it works if its answer takes long", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let arrive;
  const press = () => new Promise((resolve) => void (arrive = resolve));
  const card = new Card({ press, ask: () => Promise.resolve(null), change: (update) => update() });
  card.show({ text: "", buttons: [[{ label: "Hint", token: "hint" }]] });
  const hint = card.element.querySelector(".card-buttons button");
  hint.click();
  assert.equal(hint.getAttribute("aria-busy"), null);
  context.mock.timers.tick(300);
  assert.equal(hint.getAttribute("aria-busy"), "true");
  arrive(true);
  await settled();
  assert.equal(hint.getAttribute("aria-busy"), null);
});

test("a picture that is no match's board answers right after the press that has brought it", async () => {
  const pressed = [];
  const press = async (token) => { pressed.push(token); await card.show(THEMES); return true; };
  const card = new Card({ press, ask: () => Promise.resolve(null), change: (update) => update() });
  const cells = [{ box: [0, 0, 50, 50], label: "wood", token: "wood", legal: true }];
  const THEMES = { text: "", match: null, version: 0, picture: { ...PICTURE, cells } };
  card.show({ text: "", match: null, version: 0, buttons: [[{ label: "Colours", token: "theme" }]] });
  card.element.querySelector(".card-buttons button").click();
  await settled();
  card.element.querySelector(".cell").click();
  assert.deepEqual(pressed, ["theme", "wood"]);
});
