import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import { due, leftUntil } from "../../bot/fronts/page/due.js";
import { speak } from "../../bot/fronts/page/words.js";

test("the time left has seconds, and with many days only minutes", () => {
  const told = [-5, 0, 59.9, 60, 3599, 3600, 86_399, 86_400, 3 * 86_400 + 3 * 3600 + 4 * 60 + 5].map(leftUntil);
  assert.deepEqual(told, ["0:00", "0:00", "0:59", "1:00", "59:59", "1:00:00", "23:59:59", "1d 00:00", "3d 03:04"]);
  speak("de");
  assert.equal(leftUntil(86_400), "1 T 00:00");
  speak("en");
});

test("a deadline is in the reader's time zone, with a countdown beside it", (context) => {
  context.mock.timers.enable({ apis: ["Date", "setInterval"], now: new Date(2026, 10, 21, 23, 59) });
  const at = Date.now() / 1000 + 90;
  const shown = due(at);
  document.getElementById("room").replaceChildren(shown);
  const [time, count] = shown.children;
  assert.equal(time.getAttribute("datetime"), new Date(at * 1000).toISOString());
  assert.match(time.textContent, /^tomorrow, 12:00\sAM$/);
  assert.equal(count.getAttribute("aria-hidden"), "true");
  assert.equal(count.textContent, " (1:30)");
  context.mock.timers.tick(31_000);
  assert.equal(count.textContent, " (0:59)");
  assert.equal(count.classList.contains("urgent"), false);
  shown.remove();
  context.mock.timers.tick(2_000);
  assert.equal(count.textContent, " (0:59)");
  document.getElementById("room").append(shown);
  context.mock.timers.tick(1_000);
  assert.equal(count.textContent, " (0:56)");
  context.mock.timers.tick(27_000);
  assert.deepEqual([count.textContent, count.className], [" (0:29)", "countdown urgent"]);
  // After midnight.
  assert.match(time.textContent, /^12:00\sAM$/);
});
