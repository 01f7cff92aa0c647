// The text of a message for screen readers, and in one line.

import { moment, word } from "./words.js";

// Splits at line ends, at dots between facts, and after sentences. "25. Nov." and "3 Min. 5 Sek."
// are not split.
const PARTS = /\n+|\s+·\s+|(?<=[.!?])(?<!(?:^|[\s(])\d+\.)\s+(?=\p{Lu})/u;

const WORD = 120; // characters

/** @param {Wire.Screen} screen is it a single line? */
export function isPlain(screen) {
  return !screen.title && !screen.picture && !(screen.buttons ?? []).some((row) => row.length);
}

/** @param {Wire.Screen} screen has it nothing to see or press? */
export function isOnlyText({ picture, buttons = [], questions = [], menu = [], start }) {
  return ![picture, start, ...menu, ...buttons.flat(), ...questions].some(Boolean);
}

/** @param {Wire.Screen} screen is it a short line without anything else? */
export function isWord({ text = "", title, picture, buttons = [], tables = [], copied = [], file, link, menu, start }) {
  const more = [title, picture, file, link, menu, start, ...buttons, ...tables, ...copied].some(Boolean);
  return !more && text.length <= WORD && !text.includes("\n");
}

/** @param {Wire.Screen} screen is it neither a match nor an answered challenge? */
export function isTalk(screen) {
  return !(screen.picture && screen.match) && !screen.over;
}

/** @param {{ author?: Wire.Person | null, screen: Wire.Screen }} message */
export function peek({ author, screen }) {
  return `${author?.name ?? word("house")}: ${screen.title || (screen.text ?? "")}`;
}

/** @param {{ author?: Wire.Person | null, screen: Wire.Screen }} message */
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
  // The description of a picture may repeat the text.
  return [...new Set(parts.flatMap((part) => part?.split("\n") ?? []))].filter(Boolean);
}
