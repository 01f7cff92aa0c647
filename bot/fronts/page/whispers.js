// Private answers: cards in the card that was pressed, or at the end of the log.

import { Card } from "./card.js";
import { announce } from "./dom.js";
import { isPast } from "./positions.js";
import { spoken } from "./spoken.js";

/**
 * @typedef {object} Host
 * @property {(token: string) => Promise<Wire.Answer | null>} press
 * @property {(screen: Wire.Screen) => boolean} override shows a partial move in place of its board
 * @property {() => void} changed called when the log may have become empty, or not
 * @property {() => void} focusLine
 * @property {() => boolean} isActive
 * @property {import("./refusals.js").Refusals} refusals
 * @property {HTMLElement} log
 * @property {HTMLElement} list its messages
 * @property {import("./scrolling.js").Scrolling} place
 * @property {import("./stage.js").Stage} [stage]
 */

export class Whispers {
  #host;
  /** @type {Map<number, Set<() => void>>} remove the cards about a match, by match */
  #about = new Map();
  /** @type {Map<string, () => void>} remove the cards at the end of the log: by kind if about a match */
  #answers = new Map();

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
  }

  reset() {
    this.#about.clear();
    this.#answers.clear();
  }

  /** @param {number} match which has changed: remove the cards about it */
  forget(match) {
    for (const leave of this.#about.get(match) ?? []) leave();
  }

  /**
   * Show a private answer in `holder`, the card that was pressed, or at the end of the log.
   *
   * @param {Wire.Screen} screen
   * @param {Card} [holder]
   * @param {number | null} [about] its match: the answer is removed when that changes
   * @param {string} [command] the typed command
   */
  show(screen, holder, about, command = "") {
    const { place, stage } = this.#host;
    let concerns = about ?? 0;
    /** @param {number} match 0: none */
    const isAbout = (match) => {
      this.#about.get(concerns)?.delete(leave);
      concerns = match;
      if (match) this.#about.set(match, (this.#about.get(match) ?? new Set()).add(leave));
    };
    const leave = () => {
      isAbout(0);
      if (holder) return holder.letGo(card);
      const hadFocus = card.element.contains(document.activeElement);
      place.keepPlace(() => card.element.remove());
      this.#host.changed();
      if (hadFocus) this.#host.focusLine();
    };
    // After a question about a move typed at the board, return there.
    const fromBoard = !holder && Boolean(about) && Boolean(stage?.covers);
    const answered = () => {
      leave();
      if (fromBoard && this.#host.isActive()) stage?.front();
    };
    /** @type {Wire.Screen | null} the list from which a finished match was opened */
    let list = null;
    const back = async () => {
      if (!list || !isPast(card.screen)) return answered();
      const before = list;
      list = null;
      await card.show(before, { own: true });
      card.element.focus({ preventScroll: true });
      this.#bringIn(card);
    };
    const card = new Card({
      close: back,
      ask: this.#host.press,
      change: (update, how) => place.keepPlace(update, { anchor: card.element, ...how }),
      press: async (token) => {
        const done = await this.#host.press(token);
        if (!done) return;
        if (done.private && !this.#host.override(done.private)) {
          announce(spoken({ screen: done.private }));
          if (isPast(done.private) && !isPast(card.screen)) list = card.screen;
          isAbout(done.about ?? 0);
          await card.show(done.private, { own: true });
          this.#bringIn(card);
        } else if (done.ok) {
          this.#host.refusals.forgive();
          return answered();
        }
        // The card may have been removed, as its match has changed.
        if (card.element.isConnected) this.#host.refusals.note(card, done);
        else this.#host.refusals.show(done.error ?? "", done.about);
      },
    });
    card.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      back();
    });
    card.element.classList.add("whisper");
    card.show(screen, { own: true });
    announce(spoken({ screen }));
    isAbout(concerns);
    if (holder) {
      holder.hold(card);
      if (this.#host.list.contains(card.element)) this.#bringIn(card);
      return;
    }
    const kind = about ? [command, screen.title || screen.text].join(" ") : "";
    if (command) {
      this.#answers.get(kind)?.();
      this.#answers.set(kind, () => {
        if (kind || !concerns) leave(); // it may have become a question about a match
      });
    }
    place.keepPlace(() => this.#host.list.append(card.element));
    stage?.talk();
    this.#host.changed();
    this.#bringIn(card);
  }

  // If a card is too high, show its start, or its buttons if only the head does not fit.
  /** @param {Card} card */
  #bringIn({ element }) {
    const over = element.offsetHeight - this.#host.log.clientHeight;
    if (over <= 0) return element.scrollIntoView({ block: "nearest" });
    const isPressed = element.querySelector(".card-buttons") !== null;
    const head = element.querySelector(".card-head")?.clientHeight ?? 0;
    element.scrollIntoView({ block: isPressed && over < head ? "end" : "start" });
    // The analysis is more important than the players.
    element.querySelector(".judged:not([hidden])")?.scrollIntoView({ block: "nearest" });
  }
}
