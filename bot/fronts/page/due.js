// Times to come, in local time, with a countdown.

import { make, setText } from "./dom.js";
import { lengthOf, moment } from "./words.js";

const EVERY = 1_000; // milliseconds
const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]; // seconds
const SOON = 6 * HOUR; // in which minutes count
const URGENT = 30; // seconds, in which a countdown is highlighted
let isCounting = false;

/**
 * Format a number of seconds, as exactly as it matters: `2 days 3 hr`, `5 hr 4 min`, `59:59`.
 *
 * @param {number} seconds
 */
export function leftUntil(seconds) {
  const left = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor((left % HOUR) / MINUTE);
  if (left < HOUR) return `${minutes}:${two(left % MINUTE)}`;
  const days = lengthOf(Math.floor(left / DAY), "day");
  const hours = lengthOf(Math.floor((left % DAY) / HOUR), "hour");
  if (left >= DAY) return `${days} ${hours}`;
  return left < SOON ? `${hours} ${lengthOf(minutes, "minute")}` : hours;
}

/** @param {number} part */
function two(part) {
  return String(part).padStart(2, "0");
}

/**
 * Return a time with a countdown. Screen readers only get the time.
 *
 * @param {number} at Unix seconds
 */
export function due(at) {
  const time = make("time", { datetime: new Date(at * 1000).toISOString() }, moment(at));
  const count = make("span", { class: "countdown", "aria-hidden": "true", "data-at": String(at) });
  tell(count);
  // One timer for all. A countdown that was removed for a while continues when it is back.
  if (!isCounting) setInterval(() => document.querySelectorAll(".countdown").forEach(tell), EVERY);
  isCounting = true;
  return make("span", {}, time, count);
}

/** @param {Element} count after its time, which also changes: tomorrow becomes today */
function tell(count) {
  const at = Number(count.getAttribute("data-at"));
  const left = at - Date.now() / 1000;
  setText(count.previousElementSibling, moment(at));
  setText(count, ` (${leftUntil(left)})`);
  count.classList.toggle("urgent", left < URGENT);
}
