import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import { due, leftUntil } from "../../bot/fronts/page/due.js";
import { speak } from "../../bot/fronts/page/words.js";

test("the time left is as exact as it matters: seconds in the last hour, then minutes, then hours", () => {
  const hour = 3_600;
  const told = [-5, 0, 59.9, 60, hour - 1, hour, 6 * hour - 1, 6 * hour, 24 * hour - 1, 24 * hour].map(leftUntil);
  const minutes = ["0:00", "0:00", "0:59", "1:00", "59:59"];
  assert.deepEqual(told, [...minutes, "1 hr 0 min", "5 hr 59 min", "6 hr", "23 hr", "1 day 0 hr"]);
  speak("de");
  assert.equal(leftUntil(27 * hour), "1 Tg. 3 Std.");
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
