import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "./browser.js";
import { Matches } from "../../bot/fronts/page/matches.js";
import { speak } from "../../bot/fronts/page/words.js";

const at = Date.now() / 1000;
const OPEN = [
  { match: 4, title: "Sogo", other: "Ben", room: "garden", proposed: true, waits: true, turn: false, offers: 0, at, version: 1, moves: 4 },
  { match: 2, title: "Othello", other: "Cleo", room: "lounge", proposed: false, waits: true, turn: true, offers: 0, at, version: 1, moves: 4 },
  { match: 3, title: "Mühle", other: "Ben", room: "lounge", proposed: false, waits: false, turn: false, offers: 0, at, version: 1, moves: 4 },
];

function matches() {
  speak("en");
  const gone = [];
  const front = { match: 0 };
  const found = new Matches({ go: ({ match }) => gone.push(match), roomTitle: (room) => `#${room}`, isInFront: (match) => match === front.match });
  return { found, gone, front };
}

test("what is open is listed as it comes, with whose turn it is", () => {
  const { found } = matches();
  found.show(OPEN);
  assert.deepEqual(texts(".match-name"), ["Sogo · Ben", "Othello · Cleo", "Mühle · Ben"]);
  assert.deepEqual(texts(".match-state"), ["Waiting for your answer", "Your turn", "Waiting for Ben"]);
  assert.match(texts(".match-more")[0], /^#garden · /);
  assert.equal(document.getElementById("next-count").textContent, "2");
  found.show([]);
  assert.equal(document.getElementById("matches").hidden, true);
  assert.equal(document.getElementById("next").hidden, true);
});

test("matches with the same title get their numbers", () => {
  const { found } = matches();
  const twin = { ...OPEN[2], match: 9 };
  found.show([...OPEN, twin]);
  assert.deepEqual(texts(".match-name"), ["Sogo · Ben", "Othello · Cleo", "Mühle · Ben · #3", "Mühle · Ben · #9"]);
  found.show([twin]);
  assert.deepEqual(texts(".match-name"), ["Mühle · Ben"]);
});

test("next goes round what waits, everywhere or in one room", () => {
  const { found, gone } = matches();
  assert.equal(found.next(), false);
  found.show(OPEN);
  for (let press = 0; press < 3; press += 1) assert.equal(found.next(), true);
  found.next("lounge");
  found.next("lounge");
  document.querySelectorAll(".match")[2].click();
  assert.deepEqual(gone, [4, 2, 4, 2, 2, 3]);
});

test("the board in front is not counted, and next leads away from it", () => {
  const { found, gone, front } = matches();
  const button = document.getElementById("next");
  found.show(OPEN);
  front.match = 4;
  found.tick();
  assert.equal(document.getElementById("next-count").textContent, "1");
  found.next();
  assert.deepEqual(gone, [2]);
  found.show([OPEN[0]]);
  assert.equal(button.hidden, true);
});

test("a match that starts to wait is announced once, unless the player's own acceptance caused it", () => {
  const { found } = matches();
  const begun = (list) => found.show(list).map(({ match }) => match);
  assert.deepEqual(begun(OPEN), [4, 2]);
  assert.deepEqual(begun(OPEN), []);
  assert.deepEqual(begun([{ ...OPEN[0], proposed: false, version: 2 }, OPEN[1]]), []);
  assert.deepEqual(begun([OPEN[1], { ...OPEN[2], waits: true }]), [3]);
  // The opponent answered before the list was sent.
  assert.deepEqual(begun([{ ...OPEN[1], moves: 6 }]), [2]);
  // An offer or its answer does not start a new turn.
  assert.deepEqual(begun([{ ...OPEN[1], moves: 6, version: 3, turn: false, offers: 1 }]), []);
  assert.deepEqual(texts(".match-state"), ["An offer for you"]);
  // The turn is still shown.
  begun([{ ...OPEN[1], moves: 6, version: 4, offers: 2 }]);
  assert.deepEqual(texts(".match-state"), ["Your turn · 2 offers for you"]);
  const alone = { ...OPEN[1], match: 8, other: "" };
  assert.deepEqual(begun([alone]), [8]);
  assert.deepEqual(begun([{ ...alone, moves: 5 }]), []);
});
