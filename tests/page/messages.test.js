import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { press, settled, texts } from "./browser.js";
import { Log } from "../../bot/fronts/page/messages.js";
import { speak } from "../../bot/fronts/page/words.js";

// jsdom fetches no pictures.
globalThis.Image ??= class {
  decode = () => Promise.resolve();
};

const PICTURE = { url: "data:image/png;base64,AA", width: 100, height: 100, alt: "", cells: [] };

const ANNA = { id: 1, name: "Anna" };
const BEN = { id: 2, name: "Ben" };

let answers;
let pressed;
let asked;
let log;

beforeEach(() => {
  answers = [];
  pressed = [];
  asked = [];
  speak("en", { close: "Close", "your-turn": "Your turn", "only-you": "Only you can see this", over: "Finished" });
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

function message(id, screen = {}, more = {}) {
  const shown = typeof screen === "string" ? { text: screen } : screen;
  return { id, stamp: id, room: "lounge", author: BEN, at: 1_000_000 + id, screen: shown, ...more };
}

function board(version, more = {}) {
  const cells = [{ box: [0, 0, 10, 10], label: "a1", token: `step:7:${version}:a1`, legal: true }];
  const picture = { url: `data:image/png;base64,${version}`, width: 100, height: 100, alt: "", cells };
  const buttons = [[{ label: "Resign", token: `resign:${version}` }]];
  return { title: "Othello", text: `Version ${version}`, picture, buttons, match: 7, version, ...more };
}

function answer(more) {
  return { t: "done", id: 1, ok: true, error: null, private: null, completions: [], more: false, repeated: false, ...more };
}

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
  assert.equal(log.isEarlier(message(49)), true);
  assert.equal(log.put(message(49, "earlier")), false);
  await settled();
  await settled();
  log.endCatchUp();
  await settled();
  assert.deepEqual(asked, [["lounge", 50], ["lounge", 49]]);
  assert.equal(log.isEarlier(message(1)), false);
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

// --- the stage ---

/** Return a log with a stage. `there` returns the titles on the stage and in the log. */
function staged() {
  const stage = {
    covers: false,
    staged: null,
    turned: [],
    heard: (...told) => void (stage.told = told),
    talk: () => void stage.turned.push("talk"),
    front: () => void stage.turned.push("board"),
    show: (shown) => void (stage.staged = shown),
  };
  document.querySelector(".log").remove();
  const went = [];
  const host = {
    stage,
    scrolled() {},
    focusLine() {},
    say() {},
    press: () => Promise.resolve(null),
    older: () => Promise.resolve(null),
    roomTitle: (room) => `#${room}`,
    goHome: (match, { room, token }) => void went.push([match, room, token]),
    go: (room) => void went.push(room),
    ended: (match, { room }) => void went.push([match, room]),
  };
  log = new Log(host, "lounge", ANNA);
  document.getElementById("logs").append(log.element);
  log.open("#lounge");
  const titles = (element) => [...(element?.querySelectorAll(".card-title") ?? [])].map((title) => title.textContent);
  const there = () => [titles(stage.staged?.element), titles(log.element)];
  const put = (id, match, more = {}, stamp = id) =>
    log.put(message(id, board(stamp, { picture: PICTURE, title: `Match ${match}`, match, mine: true, ...more }), { stamp }));
  return { stage, there, put, went };
}

test("the board of one's own match lies on the stage, and others in the log", () => {
  const { stage, there, put } = staged();
  stage.isShown = true;
  assert.equal(log.staged, undefined);
  put(1, 7, { mine: false });
  assert.deepEqual(there(), [[], ["Match 7"]]);
  put(2, 8);
  assert.deepEqual(there(), [["Match 8"], ["Match 7"]]);
  assert.equal(log.staged, 8);
  // The chat covers it.
  stage.isShown = false;
  assert.equal(log.staged, undefined);
  assert.deepEqual(texts(".stub"), ["Open board: Match 8"]);
});

test("of several boards the one that waits is there first, and stays while its match is on", async () => {
  const { stage, there, put } = staged();
  log.beginCatchUp();
  put(1, 7);
  put(2, 8, { turn: true });
  put(3, 9);
  assert.deepEqual(there()[0], []);
  log.endCatchUp();
  assert.deepEqual(there()[0], ["Match 8"]);
  put(1, 7, { turn: true }, 11);
  put(2, 8, {}, 12);
  await settled();
  assert.deepEqual(there()[0], ["Match 8"]);
  stage.staged.others.querySelector("button").click();
  assert.deepEqual(there()[0], ["Match 7"]);
  assert.equal(log.reveal(9), true);
  assert.deepEqual(there()[0], ["Match 9"]);
  assert.equal(log.reveal(99), false);
});

test("a challenge at a finished board has that one's other buttons behind its own, until one of them goes", async () => {
  const { stage, put } = staged();
  const labels = (element) => [...element.querySelectorAll("button:not(.icon, .stub)")].map((one) => one.textContent);
  const buttons = (...names) => [names.map((name, at) => ({ label: name, token: name, style: at ? "plain" : "primary" }))];
  put(2, 6, { picture: null, buttons: buttons("Withdraw") });
  put(3, 9, { turn: true, buttons: buttons("Resign", "Moves") });
  put(3, 9, { over: true, buttons: buttons("Rematch", "Moves") }, 13);
  await settled();
  // An earlier challenge is not a rematch.
  log.propose([{ match: 6, waits: false }]);
  assert.deepEqual(labels(stage.staged.element), ["Rematch", "Moves"]);
  put(14, 8, { picture: null, buttons: buttons("Withdraw") });
  const challenge = () => stage.staged.element.querySelector(".asked");
  assert.deepEqual(labels(stage.staged.element), ["Rematch", "Moves"]);
  log.propose([{ match: 8, waits: false }]);
  assert.deepEqual(labels(challenge()), ["Withdraw", "Rematch", "Moves"]);
  log.propose([]);
  assert.deepEqual(labels(stage.staged.element), ["Rematch", "Moves"]);
  log.propose([{ match: 8, waits: false }]);
  stage.staged.element.querySelector(".staged > .icon").click();
  assert.equal(stage.staged, null);
  const card = [...document.querySelectorAll(".card")].find((one) => one.textContent.includes("Match 9"));
  assert.deepEqual(labels(card), ["Rematch", "Moves"]);
});

test("the ways to other boards have the names of their games, and those that wait come first", async () => {
  const { stage, put } = staged();
  const ways = () => [...stage.staged.others.children].map((way) => [way.textContent, way.className]);
  put(1, 7, { turn: true });
  put(2, 8, { name: "Sogo", title: "Sogo · Ben" });
  assert.deepEqual(ways(), [["Sogo · Ben", ""]]);
  put(3, 9, { turn: true });
  await settled();
  assert.deepEqual(ways(), [["Match 9", "turn"], ["Sogo · Ben", ""]]);
  // Two of the same game get their numbers.
  put(4, 10, { name: "Sogo", title: "Sogo · Cleo" });
  assert.deepEqual(ways().map(([text]) => text), ["Match 9", "Sogo · Ben #8", "Sogo · Cleo #10"]);
});

test("what is over stays on the stage until it is put away, or the next match begins", async () => {
  const { stage, there, put } = staged();
  put(1, 7);
  put(1, 7, { over: true }, 11);
  await settled();
  assert.deepEqual(there(), [["Match 7"], []]);
  put(2, 8);
  assert.deepEqual(there(), [["Match 8"], ["Match 7"]]);
  put(2, 8, { over: true }, 12);
  await settled();
  stage.staged.element.querySelector(".staged > .icon").click();
  assert.equal(stage.staged, null);
  assert.deepEqual(there(), [[], ["Match 7", "Match 8"]]);
  log.remove(2);
  assert.deepEqual(there(), [[], ["Match 7"]]);
});

test("the way to a challenge leads to the talk, the way to a board to the board, also when it is over", async () => {
  const { stage, put } = staged();
  put(1, 7);
  put(2, 9, { picture: null });
  stage.turned = [];
  assert.equal(log.reveal(9), true);
  assert.deepEqual(stage.turned, ["talk"]);
  assert.equal(log.reveal(7), true);
  put(1, 7, { over: true }, 11);
  await settled();
  assert.equal(log.reveal(7), true);
  assert.deepEqual(stage.turned, ["talk", "board", "board"]);
});

test("a match that starts comes to the front, and a board that is only posted again does not", async () => {
  const { stage, there, put } = staged();
  put(1, 7);
  put(1, 7, { over: true }, 11);
  put(2, 9, { picture: null });
  await settled();
  stage.turned = [];
  put(2, 9, {}, 12);
  await settled();
  assert.deepEqual(there()[0], ["Match 9"]);
  assert.deepEqual(stage.turned, ["board"]);
  put(3, 9);
  log.remove(2);
  assert.deepEqual(stage.turned, ["board"]);
  put(4, 10);
  assert.deepEqual(stage.turned, ["board", "board"]);
});

test("what one begins oneself comes to the front, also while another board waits for one", () => {
  const { stage, there, put } = staged();
  put(1, 7, { turn: true });
  put(2, 8, { turn: true });
  assert.deepEqual(there()[0], ["Match 7"]);
  stage.turned = [];
  log.bring(8);
  assert.deepEqual([there()[0], stage.turned], [["Match 8"], ["board"]]);
  // It is moved to the end of the chat, and stays on the stage.
  log.remove(2);
  put(4, 8, { turn: true });
  assert.deepEqual(there()[0], ["Match 8"]);
  log.bring(9);
  put(5, 9, { turn: true });
  assert.deepEqual(there()[0], ["Match 9"]);
  // A match that the user accepts comes to the front. Those that opponents start do not.
  log.bring(10);
  put(6, 10, { picture: null });
  put(6, 10, { turn: true }, 16);
  assert.deepEqual(there()[0], ["Match 10"]);
  put(7, 11, { turn: true });
  assert.deepEqual(there()[0], ["Match 10"]);
});

test("one's own challenge brings the talk to the front, but not where it stands at a finished board", async () => {
  const { stage, there, put } = staged();
  stage.covers = true;
  put(1, 7, { turn: true });
  stage.turned = [];
  log.bring(8, { proposed: true });
  put(2, 8, { picture: null });
  assert.deepEqual(stage.turned, ["talk"]);
  // Acceptance starts the match.
  put(2, 8, { turn: true }, 12);
  assert.deepEqual(there()[0], ["Match 7"]);
  put(1, 7, { over: true }, 13);
  await settled();
  log.bring(9, { proposed: true });
  put(3, 9, { picture: null });
  assert.deepEqual(stage.turned, ["talk"]);
});

test("an answer for all that one has asked for is no news to oneself", () => {
  const { stage, put } = staged();
  put(1, 7);
  stage.covers = true;
  log.endCatchUp();
  assert.equal(log.put(message(2, { title: "Leaderboard" }, { author: null, asked: true })), false);
  assert.deepEqual(stage.told, [0, "Azumaya: Leaderboard"]);
  log.put(message(3, { title: "Leaderboard" }, { author: null, asked: false }));
  assert.equal(stage.told[0], 1);
  assert.equal(document.querySelector(".divider").nextElementSibling.querySelector(".author").textContent, "Azumaya");
  stage.turned = [];
  log.bringTalk();
  assert.deepEqual(stage.turned, ["talk"]);
});

test("the end of a match of one's own is news, once", async () => {
  const { put } = staged();
  put(1, 7, { turn: true });
  put(2, 8, { mine: false });
  assert.equal(put(1, 7, {}, 11), false);
  assert.equal(put(2, 8, { mine: false, over: true }, 12), false);
  assert.equal(put(1, 7, { over: true }, 13), true);
  assert.equal(put(1, 7, { over: true }, 14), false);
  await settled();
});

test("what was said behind the board is counted until the talk is looked at, also after coming back", () => {
  const { stage, put } = staged();
  stage.covers = true;
  log.readUpTo = 2;
  log.beginCatchUp();
  put(1, 7);
  for (const id of [2, 3, 4]) log.put(message(id, `line ${id}`), { first: true });
  log.endCatchUp();
  assert.deepEqual(stage.told, [2, "Ben: line 4"]);
  log.put(message(5, "mine", { author: ANNA }));
  assert.deepEqual(stage.told, [2, "Anna: mine"]);
  stage.covers = false;
  stage.staged.viewed();
  assert.deepEqual(stage.told, [0, ""]);
  log.put(message(6, "seen at once"));
  stage.covers = true;
  stage.staged.viewed();
  assert.deepEqual(stage.told, [0, ""]);
  log.put(message(8, "news"));
  assert.deepEqual(stage.told, [1, "Ben: news"]);
});

test("one's own challenge is no news behind the board, and another's none once it was answered", () => {
  const { stage, put } = staged();
  stage.covers = true;
  put(1, 7);
  log.endCatchUp();
  const asks = (id, match, more = {}, stamp = id) =>
    log.put(message(id, { title: "Challenge", match, ...more }, { author: null, stamp }));
  log.propose([{ match: 8, proposed: true, waits: false }]);
  asks(2, 8);
  assert.deepEqual(stage.told, [0, ""]);
  asks(3, 9);
  assert.equal(stage.told[0], 1);
  asks(3, 9, { over: true }, 11);
  assert.deepEqual(stage.told, [0, ""]);
  asks(4, 10);
  assert.equal(stage.told[0], 1);
  put(4, 10, {}, 12);
  assert.deepEqual(stage.told, [0, ""]);
});

test("a challenge that waits stands at the finished board, to be answered there", async () => {
  const { stage, put } = staged();
  put(1, 7);
  put(2, 9, { picture: null, mine: false, title: "Ben challenges Anna" });
  const waiting = () => [...stage.staged.element.querySelectorAll(".asked .card-title")].map((title) => title.textContent);
  log.propose([{ match: 9, proposed: true, waits: true }]);
  assert.deepEqual(waiting(), []);
  put(1, 7, { over: true }, 11);
  await settled();
  assert.deepEqual(waiting(), ["Ben challenges Anna"]);
  log.propose([]);
  assert.deepEqual(waiting(), []);
  // The list may arrive before the message.
  log.propose([{ match: 10, proposed: true, waits: true }]);
  put(3, 10, { picture: null, mine: false, title: "Ben challenges Anna again" });
  assert.deepEqual(waiting(), ["Ben challenges Anna again"]);
});

test("from a private board a press leads back to the room of its match, and its end does so by itself", async () => {
  const { stage, put, went } = staged();
  const home = { room: "garden", token: "board:7" };
  put(1, 7, { home });
  assert.equal(stage.staged.home.textContent, "#garden");
  stage.staged.home.click();
  assert.deepEqual(went, [[7, "garden", "board:7"]]);
  // On a wide screen it is below the board.
  stage.isWide = true;
  stage.staged.viewed();
  stage.staged.element.querySelector(".home").click();
  assert.equal(went.length, 2);
  put(1, 7, { home, over: true }, 11);
  assert.deepEqual(went[2], [7, "garden"]);
  put(1, 7, { home, over: true }, 12);
  assert.equal(went.length, 3);
  // A match that is played in this room has no link.
  put(2, 8, { turn: true });
  put(2, 8, { over: true }, 13);
  await settled();
  assert.deepEqual([went.length, stage.staged.home], [3, null]);
});

test("a refusal at the board names another match, and goes with the board", async () => {
  const { stage, put } = staged();
  stage.covers = true;
  put(1, 7, { turn: true });
  const said = () => [...stage.staged.element.querySelectorAll(".refusal p")].map((line) => line.textContent);
  log.answer(answer({ ok: false, error: "Not now.", about: 7 }));
  assert.deepEqual(said(), ["Not now."]);
  log.answer(answer({ ok: false, error: "Not there.", about: 5 }));
  assert.deepEqual(said(), ["#5: Not there."]);
  put(1, 7, { turn: true }, 11);
  await settled();
  assert.deepEqual(said(), []);
  put(2, 8);
  log.answer(answer({ ok: false, error: "Not now.", about: 7 }));
  stage.staged.others.querySelector("button").click();
  assert.deepEqual(said(), []);
});

test("what is asked stands with its answers, also while one looks at earlier moves", async () => {
  const { stage, put } = staged();
  const questions = ["A draw?", "Another clock?"].map((text) => ({ text, buttons: [{ label: "Accept", token: text, style: "primary" }, { label: "Decline", token: `no ${text}` }] }));
  put(1, 7, { turn: true, questions });
  const questioned = () => [...stage.staged.element.querySelectorAll(".card-questions li")].map((one) => [...one.querySelectorAll("p, button")].map((part) => part.textContent));
  assert.deepEqual(questioned(), [["A draw?", "Accept", "Decline"], ["Another clock?", "Accept", "Decline"]]);
  const stays = stage.staged.element.querySelectorAll(".card-questions button")[2];
  put(1, 7, { turn: true, questions: questions.slice(1) }, 11);
  await settled();
  assert.deepEqual(questioned(), [["Another clock?", "Accept", "Decline"]]);
  assert.equal(stage.staged.element.querySelector(".card-questions button"), stays);
  put(1, 7, { turn: true }, 12);
  await settled();
  assert.equal(stage.staged.element.querySelector(".card-questions"), null);
});

test("what is asked stands below whose turn it is and until when, and above what can wait", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] }); // a countdown never ends
  const { stage, put } = staged();
  const due = { words: "Nov 25", at: 5_000_000_000 };
  const questions = [{ text: "A draw?", buttons: [{ label: "Accept", named: "Accept draw", token: "draw" }] }];
  put(1, 7, { turn: true, due, questions, text: "Your turn.\nStones: 3\nTime until Nov 25.\nLast move: a1" });
  const parts = [...stage.staged.element.querySelectorAll(".card-text, .card-questions, .card-more")];
  assert.deepEqual(parts.map(({ className }) => className), ["card-text", "card-questions", "card-more"]);
  assert.match(parts[0].textContent, /^Your turn\.\nTime until /);
  assert.equal(parts[2].textContent, "Stones: 3\nLast move: a1");
  assert.equal(parts[1].querySelector("button").getAttribute("aria-label"), "Accept draw");
});

test("a word that answers a typed line is read where the board is, a screen where the talk is", () => {
  const { stage, put } = staged();
  stage.covers = true;
  put(1, 7, { turn: true });
  log.answer(answer({ private: { text: "I speak German now." } }));
  assert.deepEqual([...stage.staged.element.querySelectorAll(".told p")].map((line) => line.textContent), ["I speak German now."]);
  assert.equal(document.querySelector(".whisper"), null);
  log.answer(answer({ private: { title: "Help", text: "So much." } }));
  assert.notEqual(document.querySelector(".whisper"), null);
});

test("what stands for a board in the talk speaks the language of the page", () => {
  const { put } = staged();
  put(1, 7, { turn: true, title: "Mill" });
  speak("de", { "board-at-side": "Zum Brett" });
  log.tick();
  assert.equal(document.querySelector(".stub").textContent, "Zum Brett: Mill");
  speak("en");
});

test("that a challenge was declined is news, and is said on the stage where one looks at a board", () => {
  const { stage, put } = staged();
  stage.covers = true;
  put(1, 7, { turn: true });
  const challenge = { picture: null, mine: false };
  put(2, 9, challenge);
  assert.equal(put(2, 9, { ...challenge, over: true, news: "It was declined." }, 11), true);
  assert.equal(put(2, 9, { ...challenge, over: true, news: "It was declined." }, 12), false);
  assert.equal(log.isInSight(9), false);
  log.say("It was declined.", 9);
  assert.deepEqual([...stage.staged.element.querySelectorAll(".told p")].map((line) => line.textContent), ["It was declined."]);
  log.answer(answer());
  assert.equal(stage.staged.element.querySelector(".told"), null);
  // The board in front is in sight, and outdated messages are removed.
  stage.isShown = true;
  assert.equal(log.isInSight(7), true);
  log.say("A draw is offered.", 8);
  log.forget(7);
  assert.notEqual(stage.staged.element.querySelector(".told"), null);
  log.forget(8);
  assert.equal(stage.staged.element.querySelector(".told"), null);
});

test("where a command led to another room, the board there has a way back until one leaves", () => {
  const { stage, put, went } = staged();
  log.close();
  log.from = "garden";
  log.open("#lounge");
  put(1, 7);
  assert.equal(stage.staged.home.textContent, "#garden");
  stage.staged.home.click();
  assert.deepEqual(went, ["garden"]);
  log.close();
  log.open("#lounge");
  assert.equal(stage.staged.home, null);
});

test("a refusal at the end of the log does not cover its newest line", () => {
  log.open("Lounge");
  log.put(message(1, { text: "the newest" }));
  Object.defineProperty(log.element, "scrollHeight", { value: 500 });
  log.refuse("Not on this board");
  assert.equal(log.element.scrollTop, 500);
});
