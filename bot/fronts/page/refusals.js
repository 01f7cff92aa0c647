// Why a line or a press was refused: at the end of the log, at the board in front, or on a card.

import { announce } from "./dom.js";
import { note } from "./lines.js";

/** @typedef {import("./card.js").Card} Card */

export class Refusals {
  #host;
  /** @type {HTMLElement | null} */
  #shown = null;
  /** @type {Card | null} the board that shows it; null: the end of the log */
  #at = null;
  /** @type {number | null} its match */
  #about = null;
  /** @type {Set<Card>} with a note */
  #noted = new Set();

  /**
   * @param {object} host
   * @param {HTMLElement} host.list the messages
   * @param {(update: () => void) => void} host.change runs `update` without letting the log move
   * @param {() => void} host.changed called when the log may have become empty, or not
   * @param {() => void} host.closed
   * @param {() => Card | null} host.board the board that covers the chat
   */
  constructor(host) {
    this.#host = host;
  }

  /** True if it is news instead. */
  get isNews() {
    return Boolean(this.#shown?.matches(".told"));
  }

  /**
   * Show a refusal, or news in its place. Without a text, remove it.
   *
   * @param {string} text
   * @param {number | null} about its match
   */
  show(text = "", about = null, { isNews = false } = {}) {
    if (text) this.#clearNotes();
    this.#about = about;
    if (!text && !this.#shown) return;
    const before = this.#shown;
    this.#shown = text ? note(isNews ? "refusal told" : "refusal", text, () => {
      this.show();
      this.#host.closed();
    }) : null;
    this.#host.change(() => {
      before?.remove();
      this.place();
    });
    this.#host.changed();
    announce(text);
  }

  /** @param {number} match whose refusal or news is outdated */
  forget(match) {
    if (match === this.#about) this.show();
  }

  /** Show it at the board if that covers the chat, otherwise at the end of the log. */
  place() {
    const board = this.#host.board();
    if (board !== this.#at) this.#at?.tell(null);
    this.#at = board;
    board?.tell(this.#shown);
    if (this.#shown && !board) this.#host.list.append(this.#shown);
  }

  /** Remove all refusals. */
  forgive() {
    this.show();
    this.#clearNotes();
  }

  /**
   * Show the answer to a press on its card.
   *
   * @param {Card} card
   * @param {Wire.Answer} answer
   */
  note(card, { error }) {
    this.forgive();
    card.note(error ?? "");
    if (error) this.#noted.add(card);
    announce(error);
  }

  #clearNotes() {
    for (const card of this.#noted) card.note();
    this.#noted.clear();
  }
}
