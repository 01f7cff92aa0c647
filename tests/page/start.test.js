import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "./browser.js";
import { StartForm } from "../../bot/fronts/page/start.js";
import { speak } from "../../bot/fronts/page/words.js";

const choices = (...values) => values.map((value) => ({ value, label: value || "any" }));
const CARD = {
  game: "blackbox",
  about: "A box.",
  options: [
    { name: "mode", label: "Players", choices: choices("solo", "hide"), chosen: "solo" },
    { name: "size", label: "Size", choices: choices("5", "8"), chosen: "8" },
  ],
  side: { name: "side", label: "Side", choices: choices("", "0", "1"), chosen: "" },
  rated: { name: "rated", label: "Rated", choices: choices("yes", "no"), chosen: "yes" },
  clock: { name: "clock", label: "Clock", choices: choices("", "3d"), chosen: "3d" },
  whom: { name: "whom", label: "Whom", choices: choices("", "Ben"), chosen: "" },
  more: [],
  computers: [],
  alone: [["solo", "5"], ["solo", "8"]],
  rules: "rules:0:0:blackbox",
};

function form(card = CARD) {
  speak("en", { start: "Start", "start-open": "Who?", challenge: "Challenge {name}", "whom-other": "Other", "whom-people": "People", "whom-computer": "Computer", rules: "Rules" });
  const started = [];
  const rules = [];
  const found = new StartForm(card, { start: (chosen) => started.push(chosen), rules: (token) => rules.push(token) });
  document.getElementById("room").replaceChildren(found.element);
  return { found, started, rules };
}

function choose(name, value) {
  const input = [...document.querySelectorAll(`[name=start-${name}]`)].find((one) => one.value === value);
  input.click();
}

const begin = () => document.querySelector(".start-row .primary");
const submit = () => document.querySelector("form.start").dispatchEvent(new window.Event("submit", { cancelable: true }));

test("who plays alone is asked for neither side nor opponent", () => {
  const { started } = form();
  assert.deepEqual([...document.querySelectorAll("form.start fieldset")].map((set) => set.hidden), [true, false, false, true, true, true]);
  assert.equal(begin().textContent, "Start");
  choose("size", "5");
  submit();
  assert.deepEqual(started, [{ game: "blackbox", options: { mode: "solo", size: "5" }, side: null, unrated: false, takebacks: false, hints: false, clock: "", whom: "" }]);
});

test("whom one asks and which side one likes goes along", () => {
  const { started, rules } = form();
  choose("mode", "hide");
  assert.equal(begin().textContent, "Who?");
  choose("whom", "Ben");
  choose("side", "1");
  assert.equal(begin().textContent, "Challenge Ben");
  document.querySelector("[data-rules]").click();
  submit();
  assert.deepEqual(rules, ["rules:0:0:blackbox"]);
  assert.deepEqual(started, [{ game: "blackbox", options: { mode: "hide", size: "8" }, side: 1, unrated: false, takebacks: false, hints: false, clock: "3d", whom: "Ben" }]);
});

test("a match can be unrated if the game has ratings", () => {
  const { started } = form();
  choose("mode", "hide");
  submit();
  choose("rated", "no");
  submit();
  choose("mode", "solo");
  submit();
  form({ ...CARD, rated: null });
  assert.equal(document.querySelector("[name=start-rated]"), null);
  assert.deepEqual(started.map(({ unrated }) => unrated), [false, true, false]);
});

test("what was typed besides is asked, and goes along unless it is not wanted any more", () => {
  const asked = (name) => ({ name, label: name, choices: choices("no", "yes"), chosen: "yes" });
  const { started } = form({ ...CARD, more: [asked("takebacks"), asked("hints")] });
  const hidden = (name) => document.querySelector(`[name=start-${name}]`).closest("fieldset").hidden;
  // A solo game has hints, and no takebacks.
  assert.deepEqual([hidden("takebacks"), hidden("hints")], [true, false]);
  choose("mode", "hide");
  // Hints make it unrated, which has takebacks anyway.
  assert.deepEqual([hidden("takebacks"), hidden("hints")], [true, false]);
  submit();
  choose("hints", "no");
  assert.deepEqual([hidden("takebacks"), hidden("hints")], [false, false]);
  submit();
  assert.deepEqual(started.map(({ takebacks, hints }) => [takebacks, hints]), [[true, true], [true, false]]);
});

test("a name from elsewhere asks that person, and not alone", () => {
  const { found, started } = form();
  found.ask("Ben");
  submit();
  found.ask("Cleo C.");
  assert.deepEqual(texts(".start-row .primary"), ["Challenge Cleo C."]);
  submit();
  assert.deepEqual(started.map(({ options, whom }) => [options.mode, whom]), [["hide", "Ben"], ["hide", "Cleo C."]]);
});

test("an opponent without a name is not chosen yet", () => {
  const { started } = form();
  choose("mode", "hide");
  [...document.querySelectorAll("[name=start-whom]")].at(-1).click();
  submit();
  assert.deepEqual(started, []);
  assert.equal(document.activeElement, document.querySelector(".pick-name"));
});

test("with the computer nothing is asked that is agreed on with people", () => {
  const computers = [{ value: "computer 2", about: "Plays along", name: "Hedgehog" }];
  const { found, started } = form({ ...CARD, computers, alone: [] });
  assert.deepEqual(texts(".pick > p:not([hidden])"), ["People", "Computer"]);
  choose("whom", "computer 2");
  const hidden = [...found.element.querySelectorAll("fieldset")].map((one) => one.hidden);
  assert.deepEqual(hidden, [false, false, false, false, true, true]);
  submit();
  assert.deepEqual([started[0].whom, started[0].clock], ["computer 2", ""]);
});
