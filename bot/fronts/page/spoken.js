// What a message says: to those who listen, and in one line.

import { word } from "./words.js";

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
  return !screen.picture && !screen.over;
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
 * What is said now and was not said before: whole lines and sentences.
 *
 * @param {Wire.Screen} before
 * @param {Wire.Screen} after
 */
export function difference(before, after) {
  const sentences = (/** @type {Wire.Screen} */ screen) =>
    partsOf(screen)
      .flatMap((text) => text.split(/(?<=[.!?:;])\s+|\n+/))
      .filter(Boolean);
  const old = new Set(sentences(before));
  return sentences(after).filter((sentence) => !old.has(sentence)).join(" ");
}

/**
 * What a screen says, part by part.
 *
 * @param {Wire.Screen} screen
 */
function partsOf({ title, text, questions = [], picture }) {
  const parts = [title, text, ...questions.map((question) => question.text), picture?.alt];
  return parts.flatMap((part) => part || []);
}
