// What a message says: to those who listen, and in one line.

import { moment, word } from "./words.js";

// Where what is said can be divided: at lines, at dots between facts, and after sentences. No
// sentence ends after the number of a day, or before a small letter or a figure ("25. Nov.",
// "3 Min. 5 Sek."); what stands behind a colon says nothing without what stands before it.
const PARTS = /\n+|\s+·\s+|(?<=[.!?])(?<!(?:^|[\s(])\d+\.)\s+(?=\p{Lu})/u;

/**
 * Is it no more than a line?
 *
 * @param {Wire.Screen} screen
 */
export function isPlain(screen) {
  return !screen.title && !screen.picture && !(screen.buttons ?? []).some((row) => row.length);
}

/**
 * Is it something said, and not a match, or a challenge that was answered?
 *
 * @param {Wire.Screen} screen
 */
export function isTalk(screen) {
  return !(screen.picture && screen.match) && !screen.over;
}

/**
 * A message in one line.
 *
 * @param {{ author?: Wire.Person | null, screen: Wire.Screen }} message
 */
export function peek({ author, screen }) {
  return `${author?.name ?? word("house")}: ${screen.title || (screen.text ?? "")}`;
}

/**
 * What a new message says to those who listen.
 *
 * @param {{ author?: Wire.Person | null, screen: Wire.Screen }} message
 */
export function spoken({ author, screen }) {
  const parts = partsOf(screen);
  return (author ? `${author.name}: ` : "") + parts.join("\n");
}

/**
 * What is said now and was not said before, in whole facts and sentences.
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

/**
 * What a screen says, part by part.
 *
 * @param {Wire.Screen} screen
 */
function partsOf({ title, text = "", due, questions = [], picture }) {
  // A moment is told in the time of whoever listens, as it is shown.
  const told = due ? text.replace(due.words, moment(due.at)) : text;
  const parts = [title, told, ...questions.map((question) => question.text), picture?.alt];
  return parts.flatMap((part) => part || []);
}
