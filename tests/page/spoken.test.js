import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import { difference, spoken } from "../../bot/fronts/page/spoken.js";
import { moment, speak } from "../../bot/fronts/page/words.js";

test("what is new is said in whole facts, and no date or unit is cut", () => {
  speak("de");
  const at = 1_800_000_000;
  const board = (turn, discs, left) => ({
    title: "Othello",
    text: `${turn}\nBedenkzeit bis 15. Jan., 08:00 UTC.\nAnna hat noch ${left} Min. 5 Sek. · Ben hat noch 3 Min.\nSteine: ${discs} · Letzter Zug: c3`,
    due: { words: "15. Jan., 08:00 UTC", at },
  });
  const before = board("Anna ist am Zug.", "Anna 2, Ben 2", 9);
  assert.equal(
    difference(before, board("Ben ist am Zug.", "Anna 4, Ben 1", 8)),
    "Ben ist am Zug. Anna hat noch 8 Min. 5 Sek. Steine: Anna 4, Ben 1.",
  );
  const later = { ...before, due: { words: "15. Jan., 08:00 UTC", at: at + 3600 } };
  // In the listener's time zone, as on the page.
  assert.equal(difference(before, later), `Bedenkzeit bis ${moment(at + 3600)}.`);
  assert.match(spoken({ screen: before }), new RegExp(`bis ${moment(at)}`));
  speak("en");
});

test("what is asked is said when it is asked, and what the picture shows sentence by sentence", () => {
  const board = (last) => ({ title: "Othello", text: "Your turn.", picture: { alt: `Last move ${last}. Black: c3, d4. White to move.` } });
  assert.equal(difference(board("c3"), board("d3")), "Last move d3.");
  const asked = { ...board("c3"), questions: [{ text: "Ben offers a draw.", answers: [] }] };
  assert.equal(difference(board("c3"), asked), "Ben offers a draw.");
});

test("what a picture repeats is spoken once", () => {
  const hint = "I would play d3.";
  assert.equal(spoken({ screen: { title: "Othello", text: hint, picture: { alt: hint } } }), `Othello\n${hint}`);
});
