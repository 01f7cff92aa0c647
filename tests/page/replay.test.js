import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { press, settled, texts } from "./browser.js";
import { Replay } from "../../bot/fronts/page/replay.js";
import { speak } from "../../bot/fronts/page/words.js";

const SIDES = [
  { name: "Anna", mark: "⚫", seat: "Black", is_mine: true, has_turn: false },
  { name: "Ben", mark: "⚪", seat: "White", is_mine: false, has_turn: true },
];

let asked;
let shown;
let answers;
let renewed;

beforeEach(() => {
  asked = [];
  shown = [];
  answers = [];
  renewed = [];
  speak("en");
});

function replay(moves, { sides = SIDES, ply = moves.length, ask = null } = {}) {
  const record = moves.map((move) => ({ seat: Number(move[0]), text: move.slice(1) }));
  const found = new Replay(
    { record, ply, sides },
    {
      ask: (wanted) => {
        asked.push(wanted);
        if (ask) return Promise.resolve(ask(wanted));
        return new Promise((resolve) => void answers.push(() => resolve({ ok: true, private: { ply: wanted } })));
      },
      show: (screen) => void shown.push(screen.ply),
      press: (token) => void asked.push(token),
      renew: (screen) => void renewed.push(screen.ply),
      close: () => {},
    },
  );
  document.body.append(found.element);
  return found;
}

async function arrive() {
  answers.shift()();
  await settled();
}

const rows = () =>
  [...document.querySelectorAll(".replay tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent));
const judged = () => [...document.querySelectorAll(".judged:not([hidden])")].map((one) => one.textContent);
const at = () => texts(".step-at")[0];

test("moves stand in pairs under their sides, and a side that passes leaves its place empty", () => {
  replay(["0d3", "1c3", "0c4", "0e3", "1f2"]);
  assert.deepEqual(texts(".replay thead th"), ["⚫ Black", "⚪ White"]);
  // In dark mode, letters have the colour of the opponent's stones.
  assert.deepEqual([...document.querySelectorAll(".replay thead .dot")].map((stone) => stone.className), ["dot black", "dot white"]);
  assert.deepEqual(rows(), [["1", "d3", "c3"], ["2", "c4"], ["3", "e3", "f2"]]);
});

test("a position has the buttons to go on from it, and none to step", async () => {
  const to = (/** @type {number} */ ply) => [[{ label: "Next", token: `past:1:0:${ply + 1}` }], [{ label: "Try moves", token: `try:1:0:${ply}` }]];
  const found = replay(["0d3", "1c3"], { ask: (ply) => ({ ok: true, private: { ply: 1, buttons: ply === 1 ? to(1) : [] } }) });
  assert.deepEqual(texts(".branches button"), []);
  found.go(1);
  await settled();
  assert.deepEqual(texts(".branches button"), ["Try moves"]);
  document.querySelector(".branches button").click();
  assert.equal(asked.at(-1), "try:1:0:1");
});

test("where the second side begins its first move stands under it", () => {
  replay(["1hide a1", "0ask 3"]);
  assert.deepEqual(rows(), [["1", "", "hide a1"], ["2", "ask 3"]]);
});

test("who plays alone has a move in each row", () => {
  replay(["0ask 1", "0ask 2"], { sides: SIDES.slice(0, 1) });
  assert.deepEqual(texts(".replay thead"), []);
  assert.deepEqual(rows(), [["1", "ask 1"], ["2", "ask 2"]]);
});

test("a match in which nothing has been played says so", () => {
  replay([]);
  assert.deepEqual(texts(".replay .record"), ["No moves yet."]);
  assert.equal(at(), "Move 0 of 0");
});

test("a position is asked for once, and remembered", async () => {
  const found = replay(["0d3", "1c3"]);
  found.go(1);
  assert.equal(at(), "Move 1 of 2: d3");
  await arrive();
  assert.deepEqual(asked, [1]);
  found.go(2);
  await settled();
  found.go(1);
  await settled();
  assert.deepEqual(asked, [1]);
  assert.deepEqual(shown, [1, 2, 1]);
});

test("dragging the slider loads only the last position", async () => {
  const found = replay(["0a", "1b", "0c", "1d"]);
  for (const ply of [3, 2, 1, 0]) found.go(ply);
  assert.deepEqual(asked, [3]);
  await arrive();
  assert.deepEqual(asked, [3, 0]);
  await arrive();
  assert.deepEqual(shown, [0]);
});

test("where no answer comes the position that is shown stays", async () => {
  const found = replay(["0a", "1b"]);
  const nothing = new Replay(
    { record: [{ seat: 0, text: "a" }], ply: 1, sides: SIDES },
    {
      ask: () => Promise.resolve(null),
      show: (screen) => void shown.push(screen),
      renew: () => {},
      close: null,
    },
  );
  found.element.replaceWith(nothing.element);
  nothing.go(0);
  await settled();
  assert.equal(at(), "Move 1 of 1: a");
  assert.deepEqual(shown, []);
});

test("it reloads after a takeback, and not after new moves", async () => {
  const told = (...moves) => moves.map((move) => ({ seat: Number(move[0]), text: move.slice(1) }));
  const answer = (...moves) => ({ ok: true, private: { ply: 1, record: told(...moves) } });
  for (const [now, isOther] of [
    [["0a", "1b", "0c"], false],
    [["0a"], true],
    [["0a", "1x", "0c"], true],
    [["0a", "0b"], true],
  ]) {
    [shown, renewed] = [[], []];
    replay(["0a", "1b"], { ask: () => answer(...now) }).go(1);
    await settled();
    assert.deepEqual([shown, renewed], isOther ? [[], [1]] : [[1], []]);
  }
});

test("who steps faster than is allowed comes to the last wish as soon as that is allowed", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const refused = { ok: false, error: "Too fast", private: null };
  const known = (ply) => ({ ok: true, error: null, private: { ply } });
  const found = replay(["0a", "1b", "0c", "1d", "0e"], { ask: (ply) => (asked.length > 1 ? known(ply) : refused) });
  const later = async () => {
    await settled();
    t.mock.timers.runAll();
    await settled();
  };
  found.go(4);
  await settled();
  for (const ply of [3, 2, 1]) found.go(ply);
  assert.equal(at(), "Move 1 of 5: a");
  await later();
  assert.deepEqual(asked, [4, 1]);
  assert.deepEqual(shown, [1]);
});

test("what is refused again and again is not asked for for ever", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const found = replay(["0a", "1b"], { ask: () => ({ ok: false, error: "Not here", private: null }) });
  found.go(0);
  for (let turn = 0; turn < 20; turn += 1) {
    await settled();
    t.mock.timers.runAll();
  }
  await settled();
  assert.equal(asked.length, 5);
  assert.equal(at(), "Move 2 of 2: b");
});

test("keys, moves and buttons lead on, and stop at the ends", () => {
  const found = replay(["0a", "1b", "0c"]);
  document.body.addEventListener("keydown", (event) => found.key(event));
  for (const [key, expected] of [["Home", 0], ["ArrowLeft", 0], ["ArrowRight", 1], ["End", 3], ["ArrowRight", 3]]) {
    press(key);
    assert.match(at(), new RegExp(`^Move ${expected} of 3`));
  }
  document.querySelectorAll(".record button")[1].click();
  assert.equal(at(), "Move 2 of 3: b");
  assert.deepEqual(texts('.record [aria-current="step"]'), ["b"]);
  document.querySelector('.steps [aria-label="Next move"]').click();
  assert.equal(at(), "Move 3 of 3: c");
  assert.equal(document.querySelector(".steps .later").getAttribute("aria-disabled"), "true");
  assert.equal(document.querySelector(".steps input").getAttribute("aria-valuetext"), "Move 3 of 3: c");
});

test("a swipe to the left is a move on, and one up or down is none", () => {
  const found = replay(["0a", "1b"], { ply: 0 });
  const board = document.createElement("div");
  const leave = found.swipe(board);
  const swipe = (across, along) => {
    for (const [kind, x, y] of [["pointerdown", 200, 200], ["pointerup", 200 + across, 200 + along]]) {
      board.dispatchEvent(Object.assign(new window.Event(kind), { clientX: x, clientY: y }));
    }
  };
  swipe(-80, 10);
  assert.equal(at(), "Move 1 of 2: a");
  swipe(-80, 90);
  swipe(-20, 0);
  assert.equal(at(), "Move 1 of 2: a");
  swipe(80, 0);
  assert.equal(at(), "Move 0 of 2");
  leave();
  swipe(-80, 0);
  assert.equal(at(), "Move 0 of 2");
});

test("a match that was looked back on says beside its board what speaks for whom", async () => {
  const told = ["Chances: 50 %", "", "Chances: 90 %"];
  const ask = (ply) => ({ ok: true, private: { ply, judged: told[ply] } });
  const found = replay(["0d3", "1c3"], { ask });
  assert.deepEqual(judged(), []);
  for (const [ply, said] of [[0, ["Chances: 50 %"]], [1, []], [0, ["Chances: 50 %"]]]) {
    found.go(ply);
    await settled();
    assert.deepEqual(judged(), said);
  }
});

test("a match that was looked back on has its course under the slider, with the moves that decided it", async () => {
  const ask = (ply) => ({ ok: true, private: { ply, evaluations: [0.5, 0.75, 0.25], turning_points: [2] } });
  const found = replay(["0d3", "1c3"], { ask });
  assert.equal(found.element.querySelector(".course").hidden, true);
  found.go(1);
  await settled();
  const course = found.element.querySelector(".course:not([hidden])");
  assert.equal(course.querySelector("polyline").getAttribute("points"), "0,50 1,25 2,75");
  assert.deepEqual(texts(".ahead"), ["Anna ahead", "Ben ahead"]);
  assert.equal(course.querySelector(".course-here").style.left, "50%");
  const [spot] = course.querySelectorAll("button");
  assert.equal(spot.getAttribute("aria-label"), "Turning point: move 2");
  spot.click();
  await settled();
  assert.equal(at(), "Move 2 of 2: c3");
});

test("where two moments overlap, a press leads to the one that it is closer to, and a key to its own", async () => {
  const ask = (ply) => ({ ok: true, private: { ply, evaluations: [0.5, 0.75, 0.25], turning_points: [1, 2] } });
  const found = replay(["0d3", "1c3"], { ask });
  found.go(0);
  await settled();
  const course = found.element.querySelector(".course");
  course.getBoundingClientRect = () => ({ left: 10, top: 0, width: 20, height: 40 });
  const [, above] = course.querySelectorAll("button");
  for (const [detail, clientX, clientY, ply] of [[1, 20, 10, 1], [1, 29, 29, 2], [1, 24, 13, 1], [0, 0, 0, 2]]) {
    above.dispatchEvent(new window.MouseEvent("click", { detail, clientX, clientY }));
    await settled();
    assert.match(at(), new RegExp(`^Move ${ply} `));
  }
});

test("as long as more is found it is asked for by itself, where one stands by then", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const finds = [
    { ok: true, private: { ply: 1, judged: "0 of 2", is_analysing: true } },
    { ok: false },
    { ok: true, private: { ply: 1, judged: "1 of 2", evaluations: [0.5, 0.6], is_analysing: true } },
    { ok: true, private: { ply: 1, judged: "Chances: 90 %", evaluations: [0.5, 0.9, 1] } },
  ];
  const found = replay(["0d3", "1c3"], { ask: () => finds.shift() });
  found.go(1);
  await settled();
  assert.deepEqual(judged(), ["0 of 2"]);
  for (const said of ["0 of 2", "1 of 2", "Chances: 90 %", "Chances: 90 %"]) {
    t.mock.timers.tick(2_000);
    await settled();
    assert.deepEqual(judged(), [said]);
  }
  assert.deepEqual(asked, Array(4).fill(1));
  assert.equal(found.element.querySelector("polyline").getAttribute("points"), "0,50 1,10 2,0");
});

test("a closed match is not requested", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const found = replay(["0d3"], { ply: 0, ask: () => ({ ok: true, private: { ply: 1, is_analysing: true } }) });
  found.go(1);
  await settled();
  found.element.remove();
  t.mock.timers.tick(60_000);
  await settled();
  assert.equal(asked.length, 1);
});

test("a link below the moves downloads the animation in the colours of the page", () => {
  window.theme = { now: "dark" };
  document.documentElement.lang = "de";
  const screen = { record: [], ply: 0, match: 7, animation: "sogo-7.gif" };
  const { element } = new Replay(screen, { ask: () => Promise.resolve(null), show: () => {}, renew: () => {}, close: null });
  const link = element.querySelector(".record a");
  assert.match(String(link.href), /replay\/7\.gif\?theme=dark&language=de$/);
  assert.equal(link.download, "sogo-7.gif");
});
