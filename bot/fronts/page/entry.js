// A message in a log: author and time, as a line or around a card.

import { dressStone, icon, make, setText } from "./dom.js";
import { isPlain } from "./spoken.js";
import { ago, exactly, word } from "./words.js";

const SAME_BREATH = 5 * 60; // seconds in which lines of an author are grouped

/**
 * @typedef {object} Entry
 * @property {Wire.Message} message
 * @property {HTMLElement} element
 * @property {HTMLElement | null} line the text of a message, or
 * @property {import("./card.js").Card | null} card its screen
 * @property {boolean} own is the user's private version shown?
 * @property {boolean} [away] did the user put the board away from the stage?
 * @property {number} [ended] the stamp with which the match ended
 * @property {HTMLElement} [stub] replaces a card in the log while it is on the stage
 */

/**
 * Return a message's element, and its line unless it has a card.
 *
 * @param {Wire.Message} message
 * @param {Wire.Person} me its reader
 * @returns {{ element: HTMLElement, line: HTMLElement | null }}
 */
export function dressed({ author, at, id, screen }, me) {
  const stone = make("span", { class: "stone", "aria-hidden": "true" });
  if (author) dressStone(stone, author);
  else stone.append(icon("house"));
  stone.classList.toggle("house", !author);
  const name = make("span", { class: "author", id: `author-${id}`, dir: "auto" }, author?.name ?? word("house"));
  const time = make("time", { datetime: new Date(at * 1000).toISOString(), title: exactly(at) }, ago(at));
  const element = make(
    "article",
    { class: "message", "aria-labelledby": `author-${id}` },
    stone,
    make("header", { class: "byline" }, name, time),
  );
  element.classList.toggle("mine", author?.id === me.id);
  if (!author || !isPlain(screen)) return { element, line: null };
  const line = make("p", { class: "line", dir: "auto" });
  setText(line, screen.text ?? "");
  element.classList.toggle("mention", mentions(screen.text ?? "", me));
  element.append(line);
  return { element, line };
}

/**
 * @param {string} text
 * @param {Wire.Person} me
 */
function mentions(text, me) {
  return text.toLowerCase().includes(`@${me.name.toLowerCase()}`);
}

// True if a line continues those of the same author.
/**
 * @param {Wire.Message} before
 * @param {Wire.Message} message
 */
export function isInOneBreath(before, message) {
  return (
    before.author?.id === message.author?.id && isPlain(before.screen) && message.at - before.at < SAME_BREATH
  );
}

/** @param {Entry} entry */
export function showAge({ message, element }) {
  setText(element.querySelector("time"), ago(message.at));
}

/** @param {Entry} entry is it the board of a match that the user is playing? */
export function isPlayed({ message: { screen } }) {
  return Boolean(screen.mine && screen.picture && !screen.over);
}

/** The messages of a log, in the order of their ids. */
export class Entries {
  /** @type {Map<number, Entry>} by message id */
  #byId = new Map();
  /** @type {Entry[]} */
  #sorted = [];

  /** @returns {readonly Entry[]} */
  get all() {
    return this.#sorted;
  }

  /** @param {number | null | undefined} id */
  get(id) {
    return this.#byId.get(id ?? -1);
  }

  /** @param {number} id */
  before(id) {
    return this.#sorted.findLast((entry) => entry.message.id < id);
  }

  /** @param {number} id */
  after(id) {
    return this.#sorted.find((entry) => entry.message.id > id);
  }

  /** @param {number} match Return the last message that shows it, or its challenge. */
  of(match) {
    return this.#sorted.findLast((entry) => entry.message.screen.match === match);
  }

  /** @param {Entry} entry */
  add(entry) {
    const { id } = entry.message;
    const next = this.after(id);
    this.#sorted.splice(next ? this.#sorted.indexOf(next) : this.#sorted.length, 0, entry);
    this.#byId.set(id, entry);
  }

  /** @param {Entry} entry */
  remove(entry) {
    this.#byId.delete(entry.message.id);
    this.#sorted.splice(this.#sorted.indexOf(entry), 1);
  }

  clear() {
    this.#byId.clear();
    this.#sorted = [];
  }
}

/**
 * True if a board has news, not only in other words than before.
 *
 * @param {Wire.Screen} before
 * @param {Wire.Screen} after
 */
export function bringsNews(before, after) {
  return Boolean(after.news) && after.news !== before.news && after.version !== before.version;
}
