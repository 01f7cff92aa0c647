// The text of a message for screen readers, and in one line.

import { moment, word } from "./words.js";

// Where a text can be divided: at line ends, at dots between facts, and after sentences. A sentence
// does not end after the number of a day, or before a lower-case letter or a digit ("25. Nov.", "3
// Min. 5 Sek."). What follows a colon is not divided from it.
const PARTS = /\n+|\s+·\s+|(?<=[.!?])(?<!(?:^|[\s(])\d+\.)\s+(?=\p{Lu})/u;

/**
 * True for a single line.
 *
 * @param {Wire.Screen} screen
 */
export function isPlain(screen) {
  return !screen.title && !screen.picture && !(screen.buttons ?? []).some((row) => row.length);
}

/**
 * True for text, not for a match or an answered challenge.
 *
 * @param {Wire.Screen} screen
 */
export function isTalk(screen) {
  return !(screen.picture && screen.match) && !screen.over;
}

/**
 * Return a message in one line.
 *
 * @param {{ author?: Wire.Person | null, screen: Wire.Screen }} message
 */
export function peek({ author, screen }) {
  return `${author?.name ?? word("house")}: ${screen.title || (screen.text ?? "")}`;
}

/**
 * Return a new message for screen readers.
 *
 * @param {{ author?: Wire.Person | null, screen: Wire.Screen }} message
 */
export function spoken({ author, screen }) {
  const parts = partsOf(screen);
  return (author ? `${author.name}: ` : "") + parts.join("\n");
}

/**
 * Return what is new, in whole facts and sentences.
 *
 * @param {Wire.Screen} before
 * @param {Wire.Screen} after
 */
export function difference(before, after) {
  const sentences = (/** @type {Wire.Screen} */ screen) =>
    partsOf(screen)
      .flatMap((text) => text.split(PARTS))
      .filter(Boolean);
  const old = new Set(sentences(before));
  const told = sentences(after).filter((sentence) => !old.has(sentence));
  return told.map((sentence) => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`)).join(" ");
}

/** @param {Wire.Screen} screen */
function partsOf({ title, text = "", due, questions = [], picture }) {
  // Times are spoken as shown, in local time.
  const told = due ? text.replace(due.words, moment(due.at)) : text;
  const parts = [title, told, ...questions.map((question) => question.text), picture?.alt];
  return parts.flatMap((part) => part || []);
}
