// Moments that are still to come: in the time of whoever reads, and how long that is from now.

import { make, setText } from "./dom.js";
import { lengthOf, moment } from "./words.js";

const EVERY = 1_000; // milliseconds
const DAY = 86_400; // seconds
const URGENT = 30; // seconds, in which a countdown says so by its colour and weight
let isCounting = false;

/**
 * So many seconds, each of them told on the last day: `2d 03:04`, `3:04:05`, `0:00`.
 *
 * @param {number} seconds
 */
export function leftUntil(seconds) {
  const left = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor((left % DAY) / 3600), Math.floor((left % 3600) / 60)];
  if (left >= DAY) return `${lengthOf(Math.floor(left / DAY), "day")} ${two(hours)}:${two(minutes)}`;
  return hours ? `${hours}:${two(minutes)}:${two(left % 60)}` : `${minutes}:${two(left % 60)}`;
}

/** @param {number} part */
function two(part) {
  return String(part).padStart(2, "0");
}

/**
 * A moment with a countdown beside it. Whoever listens hears the moment alone.
 *
 * @param {number} at Unix seconds
 */
export function due(at) {
  const time = make("time", { datetime: new Date(at * 1000).toISOString() }, moment(at));
  const count = make("span", { class: "countdown", "aria-hidden": "true", "data-at": String(at) });
  tell(count);
  // One for all of them: what is out of the page for a while goes on when it is back.
  if (!isCounting) setInterval(() => document.querySelectorAll(".countdown").forEach(tell), EVERY);
  isCounting = true;
  return make("span", {}, time, count);
}

/** @param {Element} count with its moment before it: tomorrow is today one day */
function tell(count) {
  const at = Number(count.getAttribute("data-at"));
  const left = at - Date.now() / 1000;
  setText(count.previousElementSibling, moment(at));
  setText(count, ` (${leftUntil(left)})`);
  count.classList.toggle("urgent", left < URGENT);
}
