import assert from "node:assert/strict";
import { test } from "node:test";
import { settled, texts } from "./browser.js";
import { Sheet } from "../../bot/fronts/page/sheet.js";
import { speak } from "../../bot/fronts/page/words.js";

// jsdom opens no dialogs.
window.HTMLDialogElement.prototype.showModal ??= function () {
  this.open = true;
};
window.HTMLDialogElement.prototype.close ??= function () {
  this.open = false;
};
window.theme ??= { now: "light" };

/** Open a sheet with these answers of the server. Returns what the room shows. */
function sheet(...answers) {
  speak("en");
  const refused = [];
  const started = [];
  const found = new Sheet({
    ask: () => Promise.resolve(answers.shift() ?? null),
    press: () => Promise.resolve(answers.shift() ?? null),
    start: () => Promise.resolve({ ok: true }),
    direct: () => "@house",
    begun: (room) => void started.push(room),
    refused: (room, text) => void refused.push([room, text]),
  });
  return { found, refused, started };
}

test("why Play and Help are refused is shown in the room, until they are not", async () => {
  const { found, refused } = sheet(
    { ok: false, error: "Not here", private: null },
    null,
    { ok: true, error: null, private: { title: "Help", text: "So." } },
  );
  await found.play("garden");
  assert.equal(found.isOpen, false);
  await found.help("garden");
  assert.deepEqual(refused, [["garden", "Not here"], ["garden", "Connection lost. Reconnecting …"]]);
  await found.help("lounge");
  await settled();
  assert.equal(found.isOpen, true);
  assert.deepEqual(refused.at(-1), ["lounge", ""]);
  assert.deepEqual(texts("#sheet-title"), ["Help"]);
});

test("what is begun from the menu closes it: the board comes into the room", async () => {
  const menu = { title: "Play", menu: [{ name: "Othello with Owl", about: "", action: "computer", game: "othello" }] };
  const { found } = sheet({ ok: true, private: menu }, null, { ok: true, private: null, begun: 7 });
  await found.play("garden");
  const [quick] = document.querySelectorAll("#sheet-main button");
  quick.click();
  await settled();
  assert.deepEqual([found.isOpen, texts("#sheet-error")[0]], [true, "Connection lost. Reconnecting …"]);
  quick.click();
  await settled();
  assert.equal(found.isOpen, false);
});

test("a challenge by code is made in the private chat, any other one in the room", async () => {
  const field = (name) => ({ name, label: name, choices: [["", ""]], chosen: "" });
  const start = { game: "othello", about: "", options: [], side: field("side"), rated: null, clock: field("clock"), whom: field("whom"), more: [], computers: [], level: "", alone: [], rules: "" };
  const { found, started } = sheet(...Array(2).fill({ ok: true, private: { title: "Othello", start } }));
  for (const kind of ["friend", "anyone"]) {
    await found.play("garden");
    document.querySelector(`[name=start-kind][value=${kind}]`).click();
    document.querySelector("form.start").dispatchEvent(new window.Event("submit", { cancelable: true }));
    await settled();
  }
  assert.deepEqual(started, ["@house", "garden"]);
});
