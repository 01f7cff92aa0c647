// The page's texts, which the HTML has in all languages.

import { byId } from "./dom.js";

/** @type {Record<string, Record<string, string>>} */
const TEXTS = JSON.parse(byId("words").textContent ?? "{}");

let language = "en";
// The language with the user's region: clocks of 12 or 24 hours, order of day and month.
let region = language;
let texts = TEXTS.en ?? {};

/** Languages to choose from: code and own name. */
export const LANGUAGES = Object.entries(TEXTS).map(([code, own]) => [code, own["own-name"]]);

/** Return the first of the browser's languages that we have. */
export function browserLanguage() {
  for (const wanted of navigator.languages ?? [navigator.language]) {
    const code = wanted.replace(/-.*/, "").toLowerCase();
    if (Object.hasOwn(TEXTS, code)) return code;
  }
  return "en";
}

/** @param {string} code the language from now on */
export function speak(code) {
  language = code;
  region = (navigator.languages ?? []).find((wanted) => wanted.split("-")[0] === code) ?? code;
  texts = TEXTS[code] ?? TEXTS.en ?? {};
  document.documentElement.lang = code;
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = word(element.getAttribute("data-word") ?? "");
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    const label = word(element.getAttribute("data-label") ?? "");
    element.setAttribute("aria-label", label);
    if (element.matches("button")) element.setAttribute("title", label);
  }
}

/**
 * Return the text of `key`, with its `{slots}` filled.
 *
 * @param {string} key
 * @param {Record<string, string | number>} slots
 */
export function word(key, slots = {}) {
  return (texts[key] ?? "").replace(/\{(\w+)\}/g, (slot, name) => String(slots[name] ?? slot));
}

/** @param {string[]} names joined like "Anna, Ben and Cleo" */
export function listed(names) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(names);
}

// Return how long ago, rounded more for longer times.
/** @param {number} at in seconds since 1970 */
export function ago(at) {
  const then = new Date(at * 1000);
  const minutes = Math.round((Date.now() - then.getTime()) / 60_000);
  if (minutes < 60) {
    const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
    return minutes < 1 ? relative.format(0, "second") : relative.format(-minutes, "minute");
  }
  if (isDay(then, 0)) return clock(then);
  if (minutes < 6 * 24 * 60) return `${format(then, { weekday: "short" })}, ${clock(then)}`;
  return format(then, { day: "numeric", month: "short", year: "numeric" });
}

/** @param {number} at in seconds since 1970 */
export function exactly(at) {
  return format(new Date(at * 1000), { dateStyle: "full", timeStyle: "short" });
}

// Return a time with its day, unless that is today.
/** @param {number} at in seconds since 1970 */
export function moment(at) {
  const then = new Date(at * 1000);
  if (isDay(then, 0)) return clock(then);
  const tomorrow = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(1, "day");
  const day = isDay(then, 1) ? tomorrow : format(then, { month: "short", day: "numeric" });
  return `${day}, ${clock(then)}`;
}

/**
 * @param {Date} then
 * @param {number} days
 */
function isDay(then, days) {
  const day = new Date();
  day.setDate(day.getDate() + days);
  return then.toDateString() === day.toDateString();
}

/** @param {Date} date */
function clock(date) {
  return format(date, { timeStyle: "short" });
}

/**
 * Return a number of units: `2 days`, `3 Std.`.
 *
 * @param {number} count
 * @param {string} unit
 */
export function lengthOf(count, unit) {
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(count);
}

/**
 * @param {Date} date
 * @param {Intl.DateTimeFormatOptions} options
 */
function format(date, options) {
  return new Intl.DateTimeFormat(region, options).format(date);
}
