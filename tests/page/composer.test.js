import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { press, settled, texts, type } from "./browser.js";
import { Composer } from "../../bot/fronts/page/composer.js";
import { speak } from "../../bot/fronts/page/words.js";

let asked;
let said;
let answered;

beforeEach(() => {
  asked = [];
  said = [];
  answered = "said";
  mock.timers.enable({ apis: ["setTimeout"] });
  speak("en");
});

afterEach(() => mock.timers.reset());

function composer() {
  const found = new Composer({
    complete: (text) => new Promise((resolve) => void asked.push({ text, resolve })),
    names: () => ["Anna", "Ben", "Benno"],
    say: (room, text) => {
      said.push([room, text]);
      return Promise.resolve(answered);
    },
  });
  found.enter("lounge");
  return found;
}

const line = () => document.getElementById("line");
const offers = () => texts("#suggestions .text");

function enter() {
  document.getElementById("composer").dispatchEvent(new window.Event("submit", { cancelable: true }));
}

async function offered(...found) {
  mock.timers.tick(70);
  asked.at(-1).resolve(found.map((text) => ({ text, hint: "" })));
  await settled();
}

test("the server is asked after a breath, once for all that was typed", async () => {
  composer();
  type(line(), "/");
  mock.timers.tick(69);
  type(line(), "/o");
  mock.timers.tick(69);
  assert.equal(asked.length, 0);
  await offered("/othello");
  assert.deepEqual(asked.map(({ text }) => text), ["/o"]);
  assert.deepEqual(offers(), ["/othello"]);
});

test("what does not fit any more goes at once, and what comes too late is not shown", async () => {
  composer();
  type(line(), "/");
  await offered("/othello", "/help");
  type(line(), "/h");
  assert.deepEqual(offers(), ["/help"]);
  mock.timers.tick(70);
  type(line(), "hello");
  asked.at(-1).resolve([{ text: "/help", hint: "" }]);
  await settled();
  assert.deepEqual(offers(), []);
});

test("arrows choose round in both directions, Tab and Enter take, Escape closes", async () => {
  composer();
  type(line(), "/");
  await offered("/a", "/b", "/c");
  const chosen = () => texts("#suggestions [aria-selected=true] .text");
  press("ArrowUp");
  assert.deepEqual(chosen(), ["/c"]);
  press("ArrowDown");
  press("ArrowDown");
  assert.deepEqual(chosen(), ["/b"]);
  assert.equal(line().getAttribute("aria-activedescendant"), "offer-1");
  assert.equal(press("Enter").defaultPrevented, true);
  assert.equal(line().value, "/b");
  type(line(), "/");
  await offered("/a", "/b");
  press("Tab");
  assert.equal(line().value, "/a");
  type(line(), "/");
  await offered("/a", "/b");
  press("Escape");
  assert.deepEqual(offers(), []);
  assert.equal(line().value, "/");
  assert.equal(press("Enter").defaultPrevented, false);
});

test("keys that the browser's own objects have by name do nothing", () => {
  composer();
  type(line(), "x");
  for (const key of ["constructor", "toString", "__proto__"]) {
    assert.equal(press(key).defaultPrevented, false);
  }
});

test("what is written already needs no offer", async () => {
  composer();
  type(line(), "/help");
  await offered("/help ");
  assert.deepEqual(offers(), []);
});

test("@ offers who is here, and keeps what stands before", () => {
  composer();
  type(line(), "/othello @be");
  mock.timers.tick(0);
  type(line(), "hello @be");
  assert.deepEqual(offers(), ["@Ben", "@Benno"]);
  press("Tab");
  assert.equal(line().value, "hello @Ben ");
  type(line(), "mail@be");
  assert.deepEqual(offers(), []);
});

test("a line is said in its room, trimmed, and the field is empty again", () => {
  composer();
  type(line(), "  Good evening  ");
  enter();
  type(line(), "   ");
  enter();
  assert.deepEqual(said, [["lounge", "Good evening"]]);
  assert.equal(document.getElementById("unsent").children.length, 0);
});

test("arrows go through what was said, and back to the line that was begun", () => {
  composer();
  for (const text of ["one", "two", "two"]) {
    type(line(), text);
    enter();
  }
  type(line(), "begun");
  const seen = ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown", "ArrowDown"].map((key) => {
    press(key);
    return line().value;
  });
  assert.deepEqual(seen, ["two", "one", "one", "two", "begun", "begun"]);
});

test("only a hundred lines are remembered, the newest", () => {
  composer();
  for (let number = 0; number < 105; number += 1) {
    type(line(), `line ${number}`);
    enter();
  }
  for (let number = 0; number < 200; number += 1) press("ArrowUp");
  assert.equal(line().value, "line 5");
});

test("each room keeps the line that was begun in it", () => {
  const found = composer();
  type(line(), "for the lounge");
  found.enter("garden");
  assert.equal(line().value, "");
  type(line(), "for the garden");
  found.enter("lounge");
  assert.equal(line().value, "for the lounge");
});

test("a line without an answer is kept for its author to decide, in its room", async () => {
  const found = composer();
  answered = "lost";
  type(line(), "Are you there?");
  enter();
  await settled();
  const items = () => [...document.querySelectorAll("#unsent li")];
  assert.deepEqual(texts("#unsent .text"), ["Are you there?"]);
  found.enter("garden");
  assert.equal(items()[0].hidden, true);
  found.enter("lounge");
  assert.equal(items()[0].hidden, false);
  answered = "said";
  items()[0].querySelector(".primary").click();
  await settled();
  assert.deepEqual(said, [["lounge", "Are you there?"], ["lounge", "Are you there?"]]);
  assert.equal(items().length, 0);
});

test("/ begins a command from anywhere, but not inside of another field", () => {
  composer();
  document.getElementById("theme").focus();
  assert.equal(press("/").defaultPrevented, true);
  assert.equal(document.activeElement, line());
  assert.equal(line().value, "/");
  assert.equal(press("/").defaultPrevented, false);
});

test("a line that was refused stays where it was written, to be sent later", async () => {
  composer();
  answered = "refused";
  type(line(), "Good evening");
  enter();
  assert.equal(line().value, "");
  await settled();
  assert.equal(line().value, "Good evening");
  assert.equal(document.getElementById("unsent").children.length, 0);
  answered = "said";
  enter();
  await settled();
  assert.equal(line().value, "");
  assert.equal(said.length, 2);
});

test("a refused line keeps what was typed in the meantime, here and in other rooms", async () => {
  const found = composer();
  answered = "refused";
  type(line(), "first");
  enter();
  type(line(), "second, begun");
  await settled();
  assert.equal(line().value, "second, begun");
  assert.deepEqual(texts("#unsent .text"), ["first"]);
  type(line(), "for the lounge");
  enter();
  found.enter("garden");
  await settled();
  assert.equal(line().value, "");
  found.enter("lounge");
  assert.equal(line().value, "for the lounge");
});

test("a refused command is left to the history", async () => {
  composer();
  answered = "refused";
  type(line(), "/othelo");
  enter();
  await settled();
  assert.equal(line().value, "");
  press("ArrowUp");
  assert.equal(line().value, "/othelo");
});

test("the empty line says whether others read what is typed", () => {
  const found = composer();
  assert.equal(line().placeholder, "Message, move or /command");
  found.enter("@house", { isDirect: true });
  assert.equal(line().placeholder, "Only for you: move or /command");
});
