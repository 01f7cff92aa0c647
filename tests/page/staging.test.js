import assert from "node:assert/strict";
import { test } from "node:test";
import { settled, texts } from "./browser.js";
import { ANNA, PICTURE, answer, board, message } from "./logs.js";
import { Log } from "../../bot/fronts/page/messages.js";
import { speak } from "../../bot/fronts/page/words.js";

let log;

const click = (selector) => document.querySelector(selector).click();

/** Return a log with a stage. `there` returns the titles on the stage and in the log. */
function staged() {
  speak("en");
  const stage = {
    covers: false,
    staged: null,
    turned: [],
    heard: (...told) => void (stage.told = told),
    talk: () => void stage.turned.push("talk"),
    front: () => void stage.turned.push("board"),
    show: (shown) => void (stage.staged = shown),
  };
  const went = [];
  const host = {
    stage,
    scrolled() {},
    focusLine() {},
    say() {},
    press: () => Promise.resolve(null),
    older: () => Promise.resolve(null),
    roomTitle: (room) => `#${room}`,
    goHome: (match, room) => void went.push([match, room]),
    go: (room) => void went.push(room),
    ended: (match, room) => void went.push([match, room]),
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

const SIDES = [{ name: "Snail 🤖", is_computer: true }, { name: "Greta", is_computer: false }].map((side) => ({ ...side, mark: "", seat: "", is_mine: false, has_turn: false }));
const WATCHED = { mine: false, name: "Othello", title: "Othello · Snail – Greta", sides: SIDES };
const TWO = { ...WATCHED, title: "Othello · Greta – Ben", sides: [SIDES[1], { ...SIDES[1], name: "Ben" }] };

test("another player's game is a line: of two with a small board, alone or with the computer without", async () => {
  const { there, put } = staged();
  put(1, 7, WATCHED);
  put(2, 8, { ...WATCHED, title: "Othello · Greta", sides: SIDES.slice(1) });
  put(3, 9, TWO);
  put(4, 10, { ...WATCHED, title: "Puzzle · Othello" });
  const watched = ["Greta plays Othello against Snail", "Greta plays Othello", "Greta plays Othello against Ben", "Puzzle · Othello"];
  assert.deepEqual([texts(".watch p"), there()], [watched, [[], []]]);
  assert.deepEqual([...document.querySelectorAll(".watch")].map((line) => line.querySelectorAll("img").length), [0, 0, 1, 0]);
  assert.equal(document.querySelector(".watch button").getAttribute("aria-label"), `Watch: ${watched[0]}`);
  put(3, 9, { ...TWO, over: true, picture: { ...PICTURE, url: "data:image/png;base64,BB" } }, 13);
  await settled();
  assert.deepEqual([texts(".watch p")[2], texts(".watch button")[2]], ["Othello · Greta – Ben · Finished", "Open board"]);
  assert.equal(document.querySelector(".watch img").getAttribute("src"), "data:image/png;base64,BB");
});

test("a challenge that another player accepts becomes a line in its place", () => {
  const { there, put } = staged();
  put(1, 7, { picture: null, mine: false, title: "Ben challenges Greta" });
  assert.deepEqual(there(), [[], ["Ben challenges Greta"]]);
  put(1, 7, TWO, 11);
  assert.deepEqual([there(), texts(".watch p")], [[[], []], ["Greta plays Othello against Ben"]]);
});

test("a watched board comes to the stage and goes on there until it is put away", async () => {
  const { stage, put } = staged();
  const text = () => stage.staged?.element.querySelector(".card-text").textContent;
  put(1, 7, WATCHED);
  click(".watch button");
  assert.deepEqual([text(), stage.turned], ["Version 1", ["board"]]);
  assert.equal(document.querySelectorAll(".watch").length, 1);
  put(1, 7, WATCHED, 11);
  await settled();
  assert.equal(text(), "Version 11");
  // It is posted again at the end of the chat.
  put(2, 7, WATCHED, 12);
  log.remove(1);
  assert.equal(text(), "Version 12");
  stage.staged.element.querySelector(".staged > .icon").click();
  assert.equal(stage.staged, null);
  assert.deepEqual(texts(".watch p"), ["Greta plays Othello against Snail"]);
});

test("a match of one's own that starts takes the place of a watched one", () => {
  const { there, put } = staged();
  put(1, 7, WATCHED);
  click(".watch button");
  put(2, 8, { turn: true });
  assert.deepEqual(there()[0], ["Match 8"]);
  assert.equal(log.reveal(7), true);
  assert.equal(log.has(7), true);
  assert.notDeepEqual(there()[0], ["Match 8"]);
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
  log.staging.propose([{ match: 6, waits: false }]);
  assert.deepEqual(labels(stage.staged.element), ["Rematch", "Moves"]);
  put(14, 8, { picture: null, buttons: buttons("Withdraw") });
  const challenge = () => stage.staged.element.querySelector(".asked");
  assert.deepEqual(labels(stage.staged.element), ["Rematch", "Moves"]);
  log.staging.propose([{ match: 8, waits: false }]);
  assert.deepEqual(labels(challenge()), ["Withdraw", "Rematch", "Moves"]);
  log.staging.propose([]);
  assert.deepEqual(labels(stage.staged.element), ["Rematch", "Moves"]);
  log.staging.propose([{ match: 8, waits: false }]);
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

test("the way to a finished board of one's own leads to the stage", () => {
  const { there, put } = staged();
  put(1, 7, { over: true });
  assert.deepEqual(there(), [[], ["Match 7"]]);
  assert.equal(log.reveal(7), true);
  assert.deepEqual(there(), [["Match 7"], []]);
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
  document.getElementById("table").append(stage.staged.element);
  log.staging.await(8);
  assert.deepEqual([there()[0], stage.turned], [["Match 8"], ["board"]]);
  assert.equal(document.activeElement.getAttribute("aria-label"), "Match 8");
  // It is moved to the end of the chat, and stays on the stage.
  log.remove(2);
  put(4, 8, { turn: true });
  assert.deepEqual(there()[0], ["Match 8"]);
  document.getElementById("line").focus();
  log.staging.await(9);
  put(5, 9, { turn: true });
  assert.deepEqual(there()[0], ["Match 9"]);
  assert.equal(document.activeElement.id, "line");
  // A match that the user accepts comes to the front. Those that opponents start do not.
  log.staging.await(10);
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
  log.staging.await(8, { proposed: true });
  put(2, 8, { picture: null });
  assert.deepEqual(stage.turned, ["talk"]);
  // Acceptance starts the match.
  put(2, 8, { turn: true }, 12);
  assert.deepEqual(there()[0], ["Match 7"]);
  put(1, 7, { over: true }, 13);
  await settled();
  log.staging.await(9, { proposed: true });
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
  log.staging.propose([{ match: 8, proposed: true, waits: false }]);
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
  log.staging.propose([{ match: 9, proposed: true, waits: true }]);
  assert.deepEqual(waiting(), []);
  put(1, 7, { over: true }, 11);
  await settled();
  assert.deepEqual(waiting(), ["Ben challenges Anna"]);
  log.staging.propose([]);
  assert.deepEqual(waiting(), []);
  // The list may arrive before the message.
  log.staging.propose([{ match: 10, proposed: true, waits: true }]);
  put(3, 10, { picture: null, mine: false, title: "Ben challenges Anna again" });
  assert.deepEqual(waiting(), ["Ben challenges Anna again"]);
});

test("from a private board a press leads back to the room of its match, and its end does so by itself", async () => {
  const { stage, put, went } = staged();
  const home = "garden";
  put(1, 7, { home });
  assert.equal(stage.staged.home.textContent, "#garden");
  stage.staged.home.click();
  assert.deepEqual(went, [[7, "garden"]]);
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
  const questions = ["A draw?", "Another clock?"].map((text) => ({ text, answers: [{ label: "Accept", token: text, style: "primary" }, { label: "Decline", token: `no ${text}` }] }));
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
  const questions = [{ text: "A draw?", answers: [{ label: "Accept", named: "Accept draw", token: "draw" }] }];
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
  speak("de");
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
  log.refusals.show("It was declined.", 9, { isNews: true });
  assert.deepEqual([...stage.staged.element.querySelectorAll(".told p")].map((line) => line.textContent), ["It was declined."]);
  log.answer(answer());
  assert.equal(stage.staged.element.querySelector(".told"), null);
  // The board in front is in sight, and outdated messages are removed.
  stage.isShown = true;
  assert.equal(log.isInSight(7), true);
  log.refusals.show("A draw is offered.", 8, { isNews: true });
  log.refusals.forget(7);
  assert.notEqual(stage.staged.element.querySelector(".told"), null);
  log.refusals.forget(8);
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
