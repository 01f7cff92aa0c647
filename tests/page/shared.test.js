import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { press, settled, texts } from "./browser.js";
import { make } from "../../bot/fronts/page/dom.js";
import { SharedGame } from "../../bot/fronts/page/shared.js";
import { speak } from "../../bot/fronts/page/words.js";

const SIDES = [{ name: "Black", mark: "⚫", seat: "Black" }, { name: "White", mark: "⚪", seat: "White" }];

let asked;
let answers;

/** The game after some moves; `count`: of all moves. */
function screen(ply, count = ply, more = {}) {
  const record = ["d3", "c3", "c4"].slice(0, count).map((text, at) => ({ seat: at % 2, text }));
  const picture = { url: `/s/code/${ply}.png?look=${count}&theme=light`, width: 800, height: 876, alt: `after ${ply}`, boxes: [] };
  return { title: "Othello · Black ⚫ – ⚪ White", text: `${ply} played`, picture, sides: SIDES, record, ply, over: false, ...more };
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  speak("en");
  const play = make("a", { id: "play" });
  document.body.replaceChildren(play, ...["title", "state", "board", "moves"].map((id) => make("div", { id })));
  history.replaceState(null, "", "/s/code");
  asked = [];
  answers = new Map();
  Object.assign(globalThis, {
    Image: class {
      set src(_) {
        queueMicrotask(() => this.onerror());
      }
    },
    fetch: (url) => {
      asked.push(url);
      const found = answers.get(url);
      return Promise.resolve({ ok: Boolean(found), status: found ? 200 : 429, json: () => Promise.resolve(found) });
    },
  });
  window.theme = { now: "dark" };
});

const shown = () => [texts("#state")[0], texts(".step-at")[0], document.querySelector("#board img").getAttribute("src")];

async function later(milliseconds) {
  mock.timers.tick(milliseconds);
  for (let at = 0; at < 5; at += 1) await settled();
}

test("a shared game is stepped through with the arrow keys, in the reader's theme", async () => {
  answers.set("/s/code/1.json", screen(1, 2));
  new SharedGame(screen(2, 2, { over: true }));
  assert.deepEqual(shown(), ["2 played", "Move 2 of 2: c3", "/s/code/2.png?look=2&theme=dark"]);
  assert.deepEqual(texts("#title .dot"), ["⚫", "⚪"]);
  press("ArrowLeft");
  await later(0);
  assert.deepEqual(shown(), ["1 played", "Move 1 of 2: d3", "/s/code/1.png?look=2&theme=dark"]);
  await later(60_000);
  assert.deepEqual(asked, ["/s/code/1.json"]);
});

test("an active game follows its moves, unless an earlier one is looked at", async () => {
  answers.set("/s/code/now.json", screen(2));
  new SharedGame(screen(1));
  await later(3_000);
  assert.deepEqual(shown(), ["2 played", "Move 2 of 2: c3", "/s/code/2.png?look=2&theme=dark"]);
  answers.set("/s/code/0.json", screen(0, 2));
  press("Home");
  await later(0);
  answers.set("/s/code/now.json", screen(3, 3, { over: true }));
  await later(3_000);
  assert.deepEqual(shown(), ["0 played", "Move 0 of 3", "/s/code/0.png?look=2&theme=dark"]);
  const count = asked.length;
  await later(60_000);
  assert.equal(asked.length, count);
});

test("the link to play a position follows the steps, and is hidden where there is none", async () => {
  answers.set("/s/code/1.json", screen(1, 2, { over: true, play: "/play/code.1" }));
  new SharedGame(screen(2, 2, { over: true, play: "" }));
  const link = document.getElementById("play");
  assert.equal(link.hidden, true);
  press("ArrowLeft");
  await later(0);
  assert.deepEqual([link.hidden, link.getAttribute("href")], [false, "/play/code.1"]);
});
