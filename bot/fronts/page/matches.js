// "Your games": the active games. Those that wait longest for the user come first.

import { arrange, byId, make, setText } from "./dom.js";
import { ago, word } from "./words.js";

/** @typedef {Record<"item" | "button" | "name" | "state" | "more", HTMLElement>} Row */

export class Matches {
  #section = byId("matches");
  #list = byId("matches-list");
  #next = byId("next");
  #nextCount = byId("next-count");
  #go;
  #roomTitle;
  #isInFront;
  /** @type {Map<number, Row>} by match */
  #rows = new Map();
  /** @type {Wire.Listed[]} */
  #open = [];
  /** @type {number | null} the last match gone to */
  #last = null;

  /**
   * @param {object} host
   * @param {(match: Wire.Listed) => void} host.go
   * @param {(room: string) => string} host.roomTitle
   * @param {(match: number) => boolean} host.isInFront
   */
  constructor({ go, roomTitle, isInFront }) {
    this.#go = go;
    this.#roomTitle = roomTitle;
    this.#isInFront = isInFront;
    this.#next.addEventListener("click", () => this.next());
  }

  /** Matches that wait for the user, longest first. */
  get waiting() {
    return this.#open.filter(({ waits }) => waits);
  }

  /**
   * Show this list. Returns those that have started to wait.
   *
   * @param {Wire.Listed[]} open
   */
  show(open) {
    const before = new Map(this.waiting.map((match) => [match.match, match]));
    this.#open = open;
    this.#render();
    return this.waiting.filter((match) => isNew(match, before.get(match.match)));
  }

  /** @param {number} match to whose board to go */
  lead(match) {
    const found = this.#open.find((one) => one.match === match);
    if (!found) return;
    this.#last = match;
    this.#go(found);
  }

  /** Go to the next waiting board, in `room` or anywhere. Returns whether there is one. */
  next(room = "") {
    const waiting = this.waiting.filter((match) => !room || match.room === room);
    const front = waiting.findIndex(({ match }) => this.#isInFront(match));
    const at = front < 0 ? waiting.findIndex(({ match }) => match === this.#last) : front;
    const following = waiting[(at + 1) % waiting.length];
    if (following) this.lead(following.match);
    return following !== undefined;
  }

  tick() {
    this.#render();
  }

  #render() {
    const { length } = this.waiting.filter(({ match }) => !this.#isInFront(match));
    this.#section.hidden = this.#open.length === 0;
    this.#next.hidden = length === 0;
    setText(this.#nextCount, String(length));
    const label = word("next-board");
    this.#next.setAttribute("aria-label", `${word("for-you")} ${length}: ${label}`);
    this.#next.title = `${label} (F2)`;
    const names = this.#open.map(nameOf);
    const rows = this.#open.map((match, at) => {
      const isOnly = names.indexOf(names[at]) === names.lastIndexOf(names[at]);
      return this.#row(match, isOnly ? names[at] : `${names[at]} · #${match.match}`);
    });
    const known = new Set(this.#open.map(({ match }) => match));
    for (const match of this.#rows.keys()) if (!known.has(match)) this.#rows.delete(match);
    arrange(this.#list, rows);
  }

  /** @param {Wire.Listed} match @param {string} called */
  #row(match, called) {
    let row = this.#rows.get(match.match);
    if (!row) {
      const name = make("span", { class: "match-name", dir: "auto" });
      const state = make("span", { class: "match-state" });
      const more = make("span", { class: "match-more" });
      const button = make("button", { type: "button", class: "match" }, name, state, more);
      button.addEventListener("click", () => this.lead(match.match));
      row = { item: make("li", {}, button), button, name, state, more };
      this.#rows.set(match.match, row);
    }
    setText(row.name, called);
    setText(row.state, stateOf(match));
    setText(row.more, `${this.#roomTitle(match.room)} · ${ago(match.at)}`);
    row.button.classList.toggle("waits", match.waits);
    return row.item;
  }
}

/**
 * True if it has started to wait, even if a quick answer hid the opponent's turn. A single-player
 * match has only one turn, and the user knows of challenges they have accepted.
 *
 * @param {Wire.Listed} match which waits
 * @param {Wire.Listed} [before] as it was
 */
function isNew({ other, proposed, moves }, before) {
  if (!before) return true;
  return Boolean(other) && proposed === before.proposed && moves !== before.moves;
}

/** @param {{ title: string, other: string }} match */
export function nameOf({ title, other }) {
  return [title, other].filter(Boolean).join(" · ");
}

/** @param {Wire.Listed} match */
export function stateOf({ proposed, waits, turn, offers, other, study }) {
  if (study) return word("study");
  if (proposed) return word(waits ? "asked-you" : "unanswered");
  const offered = offers ? [word(offers > 1 ? "offered-you-more" : "offered-you", { count: offers })] : [];
  const moves = turn ? [word("your-turn")] : offers ? [] : [word("over-to", { name: other })];
  return [...moves, ...offered].join(" · ");
}
