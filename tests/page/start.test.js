import assert from "node:assert/strict";
import { test } from "node:test";
import { texts, type } from "./browser.js";
import { StartForm } from "../../bot/fronts/page/start.js";
import { speak } from "../../bot/fronts/page/words.js";

const choices = (...values) => values.map((value) => [value, value || "any"]);
const CARD = {
  game: "othello",
  about: "Discs.",
  options: [{ name: "rules", label: "Variant", choices: choices("othello", "reversi"), chosen: "othello" }],
  side: { name: "side", label: "Side", choices: choices("", "0", "1"), chosen: "" },
  rated: { name: "rated", label: "Rated", choices: choices("yes", "no"), chosen: "yes" },
  clock: { name: "clock", label: "Clock", choices: choices("", "1d", "3d", "3m+5s", "10m+5s", "3d+12h"), chosen: "" },
  whom: { name: "whom", label: "Whom", choices: choices("", "Ben", "Cleo"), chosen: "" },
  more: [],
  computers: [1, 2, 3, 4, 5].map((level) => [`computer ${level}`, `Plays ${level}`, `Animal (${level})`]),
  level: "computer 2",
  alone: [],
  rules: "rules:0:0:othello",
};
const BOX = {
  ...CARD,
  game: "blackbox",
  options: [
    { name: "mode", label: "Players", choices: choices("solo", "hide"), chosen: "solo" },
    { name: "size", label: "Size", choices: choices("5", "8"), chosen: "8" },
  ],
  alone: [["solo", "5"], ["solo", "8"]],
};
const nobody = { ...CARD.whom, choices: choices("") };

function form(card = CARD, isPrivate = false) {
  speak("en");
  const started = [];
  const rules = [];
  const host = { start: (chosen, inPrivate) => started.push({ ...chosen, inPrivate }), rules: (token) => rules.push(token), isPrivate };
  const found = new StartForm(card, host);
  document.getElementById("room").replaceChildren(found.element);
  return { found, started, rules };
}

const inputs = (name) => [...document.querySelectorAll(`[name=start-${name}]`)];
const choose = (name, value) => inputs(name).find((one) => one.value === value).click();
const chosen = (name) => inputs(name).find((one) => one.checked)?.value;
const shown = () => [...document.querySelectorAll("form.start fieldset")].filter((set) => !set.hidden).map((set) => set.firstElementChild.textContent);
const offered = (name) => inputs(name).filter((one) => !one.parentElement.hidden).map((one) => one.value);
const begin = () => document.querySelector(".start-row .primary").textContent;
const submit = () => document.querySelector("form.start").dispatchEvent(new window.Event("submit", { cancelable: true }));

test("with no other player here, one press plays the computer at the usual level", () => {
  const { started } = form({ ...CARD, whom: nobody });
  assert.deepEqual([chosen("kind"), begin()], ["computer", "Play Animal (2)"]);
  submit();
  assert.deepEqual([started[0].whom, started[0].wishes.clock, started[0].inPrivate], ["computer 2", "", false]);
});

test("the levels are one scale, and each says how it plays", () => {
  const { started } = form({ ...CARD, whom: nobody });
  assert.deepEqual(inputs("level").map((one) => one.getAttribute("aria-label")), CARD.computers.map(([, , name]) => name));
  choose("level", "computer 4");
  assert.deepEqual([begin(), texts(".start > .quiet:not([hidden])").at(-1)], ["Play Animal (4)", "Plays 4"]);
  submit();
  assert.equal(started[0].whom, "computer 4");
});

test("with other players here, the challenge is open unless the player chooses", () => {
  const { started, rules } = form();
  assert.deepEqual([offered("kind"), chosen("kind"), begin()], [["computer", "friend", "anyone"], "anyone", "Open challenge"]);
  submit();
  document.querySelector("[data-rules]").click();
  assert.deepEqual(started, [{ game: "othello", options: { rules: "othello" }, side: null, wishes: { is_unrated: false, has_takebacks: false, has_hints: false, clock: "" }, whom: "", inPrivate: false }]);
  assert.deepEqual(rules, ["rules:0:0:othello"]);
});

test("a friend is a player who is here, a typed name, or a player with the code", () => {
  const { started } = form();
  choose("kind", "friend");
  assert.equal(begin(), "Get a link");
  submit();
  choose("whom", "Cleo");
  assert.equal(begin(), "Challenge Cleo");
  submit();
  choose("whom", "\n");
  submit(); // without a name
  assert.equal(document.activeElement, document.querySelector(".pick-name"));
  type(document.querySelector(".pick-name"), " Zoe ");
  assert.equal(begin(), "Challenge Zoe");
  submit();
  assert.deepEqual(started.map(({ whom, inPrivate }) => [whom, inPrivate]), [["", true], ["Cleo", false], ["Zoe", false]]);
});

test("the only other player here is the chosen friend", () => {
  form({ ...CARD, whom: { ...CARD.whom, choices: choices("", "Ben") } });
  choose("kind", "friend");
  assert.equal(begin(), "Challenge Ben");
});

test("the private chat has no open challenges, since no other player reads it", () => {
  form(CARD, true);
  assert.deepEqual([offered("kind"), chosen("kind")], [["computer", "friend"], "computer"]);
});

test("without a computer, the challenge is open", () => {
  form({ ...CARD, computers: [], whom: nobody });
  assert.deepEqual([offered("kind"), chosen("kind")], [["friend", "anyone"], "anyone"]);
});

test("against the computer, only the options and the side are asked", () => {
  form();
  assert.deepEqual(shown(), ["Whom", "Variant", "Side", "Rated", "Clock"]);
  choose("kind", "computer");
  assert.deepEqual(shown(), ["Whom", "Level", "Variant", "Side"]);
  choose("kind", "friend");
  assert.deepEqual(shown(), ["Whom", "Online", "Variant", "Side", "Rated", "Clock"]);
});

test("a single player is asked for neither side nor opponent, and other opponents change the players", () => {
  const { started } = form(BOX);
  assert.deepEqual([offered("kind")[0], chosen("kind"), shown(), begin()], ["alone", "alone", ["Whom", "Size"], "Start"]);
  choose("size", "5");
  submit();
  choose("kind", "computer");
  submit();
  choose("kind", "alone");
  submit();
  assert.deepEqual(started.map(({ options, whom }) => [options.mode, options.size, whom]), [["solo", "5", ""], ["hide", "5", "computer 2"], ["solo", "5", ""]]);
});

test("the folded options say what is chosen", () => {
  const { started } = form({ ...CARD, more: [{ name: "hints", label: "Hints", choices: choices("yes", "no"), chosen: "no" }] });
  assert.equal(document.querySelector("details").open, false);
  const summary = () => document.querySelector("summary .quiet").textContent;
  assert.equal(summary(), "Variant: othello · Side: any · Rated · Clock: any");
  choose("rules", "reversi");
  choose("side", "1");
  choose("rated", "no");
  choose("tempo", "days");
  assert.equal(summary(), "Variant: reversi · Side: 1 · Rated: no · Clock: 3d");
  choose("hints", "yes");
  assert.equal(summary(), "Variant: reversi · Side: 1 · Rated: no · Clock: 3d · Hints");
  submit();
  assert.deepEqual([started[0].options.rules, started[0].side, started[0].wishes.is_unrated, started[0].wishes.clock], ["reversi", 1, true, "3d"]);
});

test("clocks are on three tabs, each with its usual one chosen", () => {
  form();
  assert.deepEqual([chosen("tempo"), offered("clock")], ["none", []]);
  choose("tempo", "days");
  assert.deepEqual([offered("clock"), chosen("clock")], [["1d", "3d", "3d+12h"], "3d"]);
  choose("clock", "1d");
  choose("tempo", "live");
  assert.deepEqual([offered("clock"), chosen("clock")], [["3m+5s", "10m+5s"], "10m+5s"]);
  choose("tempo", "none");
  assert.equal(chosen("clock"), "");
});

test("a match can be unrated if the game has ratings", () => {
  const { started } = form();
  submit();
  choose("rated", "no");
  submit();
  form({ ...CARD, rated: null });
  assert.equal(document.querySelector("[name=start-rated]"), null);
  assert.deepEqual(started.map(({ wishes }) => wishes.is_unrated), [false, true]);
});

test("what was typed besides is asked and goes along", () => {
  const asked = (name) => ({ name, label: name, choices: choices("no", "yes"), chosen: "yes" });
  const { started } = form({ ...BOX, more: [asked("takebacks"), asked("hints")] });
  // A solo game has hints, and no takebacks.
  assert.deepEqual(shown(), ["Whom", "Size", "hints"]);
  choose("kind", "anyone");
  assert.deepEqual(shown(), ["Whom", "Size", "Side", "Rated", "Clock", "takebacks", "hints"]);
  submit();
  choose("hints", "no");
  submit();
  assert.deepEqual(started.map(({ wishes }) => [wishes.has_takebacks, wishes.has_hints]), [[true, true], [true, false]]);
});

test("what hints and unrated games entail is shown, and undone with them", () => {
  const asked = (name) => ({ name, label: name, choices: choices("yes", "no"), chosen: "no" });
  form({ ...CARD, more: [asked("takebacks"), asked("hints")] });
  const set = (name) => inputs(name)[0].closest("fieldset");
  const terms = () => ["rated", "takebacks"].map((name) => `${chosen(name)}${set(name).disabled ? ", settled" : ""}`);
  const why = () => set("takebacks").querySelector("p:not([hidden])")?.textContent;
  assert.deepEqual([terms(), why()], [["yes", "no"], undefined]);
  choose("hints", "yes");
  assert.deepEqual([terms(), why()], [["no, settled", "yes, settled"], "Always allowed in unrated games."]);
  choose("hints", "no");
  assert.deepEqual([terms(), why()], [["yes", "no"], undefined]);
  choose("rated", "no");
  assert.deepEqual(terms(), ["no", "yes, settled"]);
  choose("hints", "yes");
  choose("hints", "no");
  assert.deepEqual(terms(), ["no", "yes, settled"]);
  choose("rated", "yes");
  assert.deepEqual(terms(), ["yes", "no"]);
});

test("a name from elsewhere asks that person, and not alone", () => {
  const { found, started } = form(BOX);
  found.ask("Ben");
  submit();
  found.ask("Cleo C.");
  assert.equal(begin(), "Challenge Cleo C.");
  submit();
  assert.deepEqual(started.map(({ options, whom }) => [options.mode, whom]), [["hide", "Ben"], ["hide", "Cleo C."]]);
});
