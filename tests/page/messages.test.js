import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { press, settled, texts } from "./browser.js";
import { ANNA, PICTURE, answer, board, message } from "./logs.js";
import { Log } from "../../bot/fronts/page/messages.js";
import { speak } from "../../bot/fronts/page/words.js";

let answers;
let pressed;
let asked;
let log;

beforeEach(() => {
  answers = [];
  pressed = [];
  asked = [];
  speak("en");
  log = new Log(
    {
      press: (room, token) => {
        pressed.push([room, token]);
        return Promise.resolve(answers.shift() ?? null);
      },
      older: (room, before) => {
        asked.push([room, before]);
        return Promise.resolve(answers.shift() ?? null);
      },
      say: () => Promise.resolve(true),
      scrolled() {},
      focusLine() {},
    },
    "lounge",
    ANNA,
  );
  document.getElementById("logs").append(log.element);
});

const lines = () => texts(".log .line");
const click = (selector) => document.querySelector(selector).click();

test("messages stand in the order of their ids, however they come", () => {
  for (const id of [5, 9, 7]) log.put(message(id, `line ${id}`), { first: true });
  assert.deepEqual(lines(), ["line 5", "line 7", "line 9"]);
});

test("a message is text, and a mention of the reader is highlighted", () => {
  log.put(message(1, "<b>@anna</b>, your turn"));
  log.put(message(2, "@Ben"));
  assert.deepEqual(lines(), ["<b>@anna</b>, your turn", "@Ben"]);
  const marked = [...document.querySelectorAll(".message")].map((at) => at.classList.contains("mention"));
  assert.deepEqual(marked, [true, false]);
});

test("a message changes in place, and an old state that comes late changes nothing", () => {
  log.put(message(1, "first"));
  const element = document.querySelector(".message");
  log.put(message(1, "second", { stamp: 5 }));
  log.put(message(1, "late", { stamp: 3 }));
  assert.deepEqual(lines(), ["second"]);
  assert.equal(document.querySelector(".message"), element);
});

test("lines of one author within five minutes stand together, also after one between is gone", () => {
  log.put(message(1, "a", { at: 1000 }));
  log.put(message(2, "b", { at: 1299 }));
  log.put(message(3, "c", { at: 1310, author: ANNA }));
  log.put(message(4, "d", { at: 1320 }));
  log.put(message(5, "e", { at: 1620 }));
  const together = () => [...document.querySelectorAll(".message")].map((at) => at.classList.contains("together"));
  assert.deepEqual(together(), [false, true, false, false, false]);
  log.remove(3);
  assert.deepEqual(together(), [false, true, true, false]);
});

test("news is what others say after the beginning", () => {
  assert.equal(log.put(message(1, "as found"), { first: true }), false);
  assert.equal(log.put(message(2, "news")), true);
  assert.equal(log.put(message(2, "changed", { stamp: 9 })), false);
  assert.equal(log.put(message(3, "mine", { author: ANNA })), false);
  assert.equal(document.querySelector(".divider").nextElementSibling.querySelector(".line").textContent, "changed");
});

test("a typed move says which versions are on the screen: the newest of each match", () => {
  log.put(message(1, board(3)));
  log.put(message(2, board(5)));
  log.put(message(3, board(4)));
  log.put(message(4, "a line"));
  assert.deepEqual(log.seen, { 7: 5 });
});

test("a question about a match goes when the match has gone on", async () => {
  const question = { title: "#7 Othello", text: "Give up?", buttons: [[{ label: "Yes", token: "resign:3" }]] };
  log.put(message(1, board(3)));
  log.answer(answer({ private: question, about: 7 }));
  log.put(message(2, board(5, { match: 8 })));
  log.put(message(1, board(3), { stamp: 8 }));
  await settled();
  assert.equal(document.querySelector(".whisper .card-text").textContent, "Give up?");
  log.put(message(1, board(4, { picture: board(3).picture }), { stamp: 9 }));
  await settled();
  assert.equal(document.querySelector(".whisper"), null);
});

test("all that was said privately about a match goes when the match has gone on", async () => {
  log.put(message(1, board(1)));
  answers = [answer({ private: { text: "I would play d3." }, about: 7 })];
  click(".card-buttons button");
  await settled();
  log.answer(answer({ private: { text: "Do you give up?" }, about: 7 }));
  assert.deepEqual(texts(".whisper .card-text"), ["I would play d3.", "Do you give up?"]);
  log.put(message(1, board(2), { stamp: 2 }));
  await settled();
  assert.deepEqual(texts(".whisper"), []);
});

test("what has taken the place of such an answer stays", async () => {
  log.put(message(1, board(1)));
  answers = [answer({ private: { text: "I would play d3." }, about: 7 }), answer({ private: { text: "The rules." } })];
  click(".card-buttons button");
  await settled();
  click(".card-buttons button");
  await settled();
  log.put(message(1, board(2), { stamp: 2 }));
  await settled();
  assert.deepEqual(texts(".whisper .card-text"), ["The rules."]);
});

test("a question that follows from another one goes with the match that it is about", async () => {
  const which = { text: "Which match?", buttons: [[{ label: "#7", token: "resign:7" }]] };
  log.put(message(1, board(1)));
  log.answer(answer({ private: which }));
  answers = [answer({ private: { text: "Do you give up?" }, about: 7 })];
  click(".whisper .card-buttons button");
  await settled();
  assert.deepEqual(texts(".whisper .card-text"), ["Do you give up?"]);
  log.put(message(1, board(2), { stamp: 2 }));
  await settled();
  assert.deepEqual(texts(".whisper"), []);
});

test("a refusal is shown at the end if the pressed message has gone", async () => {
  const question = { text: "Do you give up?", buttons: [[{ label: "Yes", token: "resign:7" }]] };
  log.put(message(1, board(1)));
  log.answer(answer({ private: question, about: 7 }));
  answers = [answer({ ok: false, error: "It has moved on.", about: 7 })];
  click(".whisper .card-buttons button");
  log.put(message(1, board(2), { stamp: 2 }));
  await settled();
  assert.deepEqual(texts(".whisper"), []);
  assert.deepEqual(texts(".log-list > .refusal p"), ["It has moved on."]);
});

test("an answer takes the place of the one before, and an answer about a match of one to the same command", async () => {
  const hint = (text) => answer({ private: { title: "Hint", text }, about: 7 });
  log.answer(answer({ private: { title: "Quiet hours", text: "22 to 7" } }), "/quiet");
  log.answer(hint("Play d3"), "/hint");
  log.answer(answer({ private: { title: "Resign", text: "Do you give up?" }, about: 7 }), "/resign");
  log.answer(answer({ private: { title: "Help", text: "All of it" } }), "/help");
  log.answer(hint("Play c4"), "/hint");
  await settled();
  assert.deepEqual(texts(".whisper .card-text"), ["Do you give up?", "All of it", "Play c4"]);
});

test("an answer that has become a question about a match stays", async () => {
  log.answer(answer({ private: { text: "Which match?", buttons: [[{ label: "#7", token: "resign:7" }]] } }), "/resign");
  answers = [answer({ private: { text: "Do you give up?" }, about: 7 })];
  click(".whisper .card-buttons button");
  await settled();
  log.answer(answer({ private: { text: "All of it" } }), "/help");
  assert.deepEqual(texts(".whisper .card-text"), ["Do you give up?", "All of it"]);
});

test("a link to a board focuses it, and an arrow key moves to a cell", () => {
  log.open("Lounge");
  log.put(message(1, board(3)));
  assert.equal(log.reveal(7, { atCell: false }), true);
  assert.ok(document.activeElement.matches(".card"));
  press("a");
  assert.ok(document.activeElement.matches(".card"));
  press("ArrowDown");
  assert.equal(document.activeElement.getAttribute("aria-label"), "a1");
});

test("moves stand in a table with a column for each side", async () => {
  const table = { title: "", head: ["", "Anna", "Ben"], rows: [["1.", "d3", "c5"], ["2.", "f6"]] };
  const first = { title: "Starting position:", head: [], rows: [["·", "5"]] };
  log.answer(answer({ private: { title: "#7", text: "", tables: [table, first] } }));
  await settled();
  assert.deepEqual(texts(".card-table:first-child thead th"), ["", "Anna", "Ben"]);
  assert.deepEqual(texts(".card-table:first-child tbody td"), ["1.", "d3", "c5", "2.", "f6"]);
  assert.deepEqual(texts(".card-table caption"), ["Starting position:"]);
});

test("earlier messages are asked for once at a time, until there are no more", async () => {
  log.put(message(50, "newest"), { first: true });
  log.element.hidden = false;
  answers = [answer({ more: true }), answer({ more: false })];
  log.endCatchUp();
  assert.equal(log.older.has(message(49)), true);
  assert.equal(log.put(message(49, "earlier")), false);
  await settled();
  await settled();
  log.endCatchUp();
  await settled();
  assert.deepEqual(asked, [["lounge", 50], ["lounge", 49]]);
  assert.equal(log.older.has(message(1)), false);
});

test("a press is answered on its card: why not, or nothing", async () => {
  log.put(message(1, board(1)));
  answers = [answer({ ok: false, error: "It is not your turn." })];
  click(".cell");
  await settled();
  assert.deepEqual(pressed, [["lounge", "step:7:1:a1"]]);
  assert.deepEqual(texts(".card > .card-note"), ["It is not your turn."]);
  click(".card-note button");
  assert.deepEqual(texts(".card-note"), []);
});

test("a press that was sent twice and done the first time is no refusal", async () => {
  log.put(message(1, board(1)));
  let arrive;
  answers = [new Promise((resolve) => void (arrive = resolve))];
  click(".cell");
  log.put(message(1, { ...board(2), picture: null }, { stamp: 2 }));
  arrive(answer({ ok: false, error: "The board has moved on.", repeated: true }));
  await settled();
  assert.deepEqual(texts(".card-note"), []);
});

test("a second press waits for the answer to the first, and a missing answer is no error", async () => {
  log.put(message(1, board(1)));
  click(".card-buttons button");
  click(".card-buttons button");
  await settled();
  click(".card-buttons button");
  await settled();
  assert.deepEqual(pressed.map(([, token]) => token), ["resign:1", "resign:1"]);
});

test("taps while another is under way are pressed one by one on the board as it is then, if it offers the same", async () => {
  const boxed = (version, labels) => {
    const cells = labels.map((label, at) => ({ box: [at * 10, 0, at * 10 + 10, 10], label, token: `step:7:${version}:${label}`, legal: label !== "" }));
    return board(version, { picture: { ...PICTURE, cells }, mine: true });
  };
  const tap = (at) => document.querySelectorAll(".cell")[at].click();
  const made = () => pressed.map(([, token]) => token);
  let arrive;
  log.put(message(1, boxed(1, ["mark a", "mark b", "mark c", "mark d"])));
  answers = [new Promise((resolve) => void (arrive = resolve))];
  for (const at of [0, 0, 1, 3, 2, 2]) tap(at);
  arrive(answer());
  await settled();
  // The answer has arrived, the new board has not.
  assert.deepEqual(made(), ["step:7:1:mark a"]);
  answers = [answer(), answer(), answer()];
  log.put(message(1, boxed(2, ["unmark a", "mark b", "mark c", ""]), { stamp: 2 }));
  await settled();
  assert.deepEqual(made().slice(1), ["step:7:2:mark b"]);
  // The cell d is gone, and c has another step.
  log.put(message(1, boxed(3, ["unmark a", "unmark b", "ask c", ""]), { stamp: 3 }));
  await settled();
  assert.deepEqual(made().slice(2), []);
  // A refusal changes no board: the queued tap is sent at once.
  answers = [answer({ ok: false, error: "No." }), answer()];
  tap(0);
  tap(1);
  await settled();
  assert.deepEqual(made().slice(2), ["step:7:3:unmark a", "step:7:3:unmark b"]);
  // A partial move is shown: the queued tap was for another board.
  log.put(message(1, boxed(4, ["a", "b", "c", "d"]), { stamp: 4 }));
  await settled();
  answers = [answer({ private: { ...boxed(4, ["a", "b", "c", "d"]), replaces: 1 } })];
  tap(2);
  tap(3);
  await settled();
  await settled();
  assert.deepEqual(made().slice(4), ["step:7:4:c"]);
});

test("a half-made move stands in the place of its board, until the board changes", async () => {
  log.put(message(1, { ...board(1), picture: null, turn: true }));
  const own = { ...board(1), picture: null, text: "So far: a1", replaces: 1 };
  answers = [answer({ private: own })];
  click(".card-buttons button");
  await settled();
  assert.deepEqual([texts(".card-text"), texts(".chip")], [["So far: a1"], ["Only you can see this"]]);
  log.put(message(1, { ...board(2), picture: null, turn: true }, { stamp: 2 }));
  await settled();
  assert.deepEqual([texts(".card-text"), texts(".chip")], [["Version 2"], ["Your turn"]]);
});

test("an answer for these eyes only stands in the card that was pressed, and can be closed", async () => {
  log.put(message(1, board(1)));
  answers = [answer({ private: { text: "Do you give up?" } })];
  click(".card-buttons button");
  await settled();
  assert.deepEqual(texts(".card .whisper .card-text"), ["Do you give up?"]);
  click(".whisper .icon");
  assert.deepEqual(texts(".whisper"), []);
});

test("a refused line is shown at the end of the log, one at a time", () => {
  log.put(message(1, board(1)));
  log.answer(answer({ ok: false, error: "There is no z9." }));
  log.answer(answer({ ok: false, error: "There is no z8." }));
  assert.deepEqual(texts(".log-list > .refusal p"), ["There is no z8."]);
  assert.equal(document.querySelector(".log-list").lastElementChild.className, "note refusal");
  click(".refusal button");
  assert.deepEqual(texts(".refusal"), []);
});

test("the chip never stands in the head of a board, where it would need room", async () => {
  log.put(message(1, { ...board(1), turn: true }));
  assert.deepEqual(texts(".card > .chip"), ["Your turn"]);
  assert.deepEqual(texts(".card-head .chip"), []);
  log.put(message(1, { ...board(1), text: "It is over", over: true }, { stamp: 2 }));
  await settled();
  assert.deepEqual(texts(".card > .chip"), ["Finished"]);
});

test("a server that starts over leaves nothing behind", () => {
  log.put(message(1, "before"));
  log.reset();
  assert.deepEqual(lines(), []);
  log.put(message(1, "after"), { first: true });
  assert.deepEqual(lines(), ["after"]);
});

test("only the newest refusal is shown, and any success removes it", async () => {
  log.put(message(1, board(1)), { first: true });
  log.put(message(2, board(1, { match: 8 })), { first: true });
  log.answer(answer({ ok: false, error: "No such square" }));
  const notes = () => texts(".note p");
  assert.deepEqual(notes(), ["No such square"]);
  answers = [answer({ ok: false, error: "Not legal" }), answer()];
  click(".card .cell");
  await settled();
  assert.deepEqual(notes(), ["Not legal"]);
  answers = [answer({ ok: false, error: "Not there" }), answer()];
  document.querySelectorAll(".card .cell")[1].click();
  await settled();
  assert.deepEqual(notes(), ["Not there"]);
  document.querySelectorAll(".card-buttons button")[1].click();
  await settled();
  assert.deepEqual(notes(), []);
});

test("what was typed takes the refusal of a press away, be it refused as well or not", async () => {
  log.put(message(1, board(1)), { first: true });
  answers = [answer({ ok: false, error: "Not legal" })];
  click(".card .cell");
  await settled();
  assert.deepEqual(texts(".card-note p"), ["Not legal"]);
  log.answer(answer({ ok: false, error: "No such command" }));
  assert.deepEqual(texts(".note p"), ["No such command"]);
  log.answer(answer());
  assert.deepEqual(texts(".note p"), []);
});

test("a refusal goes when the board of which it speaks goes on, and with no other board", () => {
  log.put(message(1, board(1)), { first: true });
  log.put(message(2, board(1, { match: 8 })), { first: true });
  log.answer(answer({ ok: false, error: "Not your turn", about: 7 }));
  const { picture } = board(1);
  log.put(message(2, board(2, { match: 8, picture }), { stamp: 3 }));
  log.put(message(1, board(1), { stamp: 4 }));
  assert.deepEqual(texts(".refusal p"), ["Not your turn"]);
  log.put(message(1, board(2, { picture }), { stamp: 5 }));
  assert.deepEqual(texts(".refusal p"), []);
});

test("a refusal at the end of the log does not cover its newest line", () => {
  log.open("Lounge");
  log.put(message(1, { text: "the newest" }));
  Object.defineProperty(log.element, "scrollHeight", { value: 500 });
  log.refusals.show("Not on this board");
  assert.equal(log.element.scrollTop, 500);
});
