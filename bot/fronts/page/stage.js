// The stage keeps the board in sight: next to the chat if there is width for both, otherwise one
// tap away from it.

import { arrange, byId, make, setText } from "./dom.js";
import { LowerEdge } from "./edge.js";
import { word } from "./words.js";

const AWAY = "(max-width: 767px), (max-height: 479px)"; // without a side bar: phones, in both orientations
const WIDE = 43.75; // rem needed for a board next to the chat
const FLAT = 1.4; // width per height of a phone held sideways
const LITTLE = 4; // pixels below the lower edge that do not count
const NARROWEST = 32.5; // rem that even such a phone needs for it

/**
 * @typedef {object} Staged what a room has on its stage
 * @property {HTMLElement} element
 * @property {boolean} turn does the board wait for the user?
 * @property {() => void} focus focuses the board
 * @property {() => void} viewed called when the board or the chat comes to the front
 * @property {HTMLElement | null} [others] buttons for other boards, if they do not fit next to it
 * @property {HTMLElement | null} [home] back from a private board, if it does not fit next to it
 */

export class Stage {
  #table = byId("table");
  #stage = byId("stage");
  #views = byId("views");
  #board = make("button", { type: "button", onclick: () => this.front() });
  #turn = make("span", { class: "badge", "aria-hidden": "true" });
  #talk = make("button", { type: "button", onclick: () => this.talk() });
  #count = make("span", { class: "badge" });
  #last = make("span", { class: "view-last", dir: "auto" });
  #boardText = make("span");
  #talkText = make("span");
  #lowerEdge = new LowerEdge(this.#stage);
  #seen = new ResizeObserver(() => this.#lowerEdge.look());
  // The number of buttons for other boards that are out of sight. Screen readers find all buttons.
  #beyond = make("button", { type: "button", class: "beyond", tabindex: "-1", "aria-hidden": "true", onclick: () => this.#scrollOn() });
  #ways = new ResizeObserver(() => this.#countBeyond());
  /** @type {HTMLElement | null} the row of these buttons */
  #row = null;
  /** @type {Staged | null} */
  #staged = null;
  #talks = false; // the chat is in front, if only one fits
  #isWide = false;
  #news = 0;

  constructor() {
    this.#board.append(this.#boardText, this.#turn);
    this.#talk.append(this.#talkText, this.#count, this.#last);
    new ResizeObserver(() => this.#measure()).observe(this.#table);
    document.addEventListener("keydown", (event) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== "KeyB") return;
      if (!this.#staged) return;
      event.preventDefault();
      this.front();
      this.#staged.focus();
    });
  }

  /** True if the board and the chat are side by side. */
  get isWide() {
    return this.#isWide;
  }

  /** True if the board is in sight. */
  get isShown() {
    return this.#staged !== null && (this.#isWide || !this.#talks);
  }

  /** True if the chat is behind the board. */
  get covers() {
    return this.#staged !== null && !this.#isWide && !this.#talks;
  }

  /** @param {Staged | null} staged */
  show(staged) {
    if (staged?.element !== this.#staged?.element) {
      this.#stage.replaceChildren(...(staged ? [staged.element, this.#lowerEdge.element] : []));
      this.#seen.disconnect();
      if (staged) for (const element of [this.#stage, staged.element]) this.#seen.observe(element);
      this.#talks = false;
    }
    this.#staged = staged;
    this.#render();
  }

  front() {
    this.#turnTo(false);
  }

  talk() {
    this.#turnTo(true);
  }

  /**
   * @param {number} news the number of unseen messages in the chat behind the board
   * @param {string} last the last one
   */
  heard(news, last) {
    this.#news = news;
    setText(this.#last, last);
    this.#render();
  }

  /** @param {boolean} talks */
  #turnTo(talks) {
    if (!this.#staged || this.#talks === talks) return;
    this.#talks = talks;
    this.#render();
    this.#staged.viewed();
  }

  /** @param {HTMLElement | null} row */
  #observe(row) {
    if (row === this.#row) return;
    this.#ways.disconnect();
    this.#row = row;
    if (!row) return;
    this.#ways.observe(row);
    row.addEventListener("scroll", () => this.#countBeyond(), { passive: true });
  }

  #countBeyond() {
    const row = this.#row;
    const { left = 0, right = 0 } = row?.getBoundingClientRect() ?? {};
    const fades = row ? Number.parseFloat(getComputedStyle(row).paddingRight) || 0 : 0;
    const isBeyond = (/** @type {Element} */ way) => {
      const box = way.getBoundingClientRect();
      return box.left < left - LITTLE || box.right > right - fades + LITTLE;
    };
    const count = [...(row?.children ?? [])].filter(isBeyond).length;
    setText(this.#beyond, `+${count}`);
    this.#beyond.hidden = !count;
  }

  // From the last button, scroll to the first.
  #scrollOn() {
    const row = this.#row;
    if (!row) return;
    const isAtEnd = row.scrollWidth - row.clientWidth - row.scrollLeft <= LITTLE;
    row.scrollTo({ left: isAtEnd ? 0 : row.scrollLeft + row.clientWidth / 2 });
  }

  #measure() {
    const width = this.#table.clientWidth - (matchMedia(AWAY).matches ? 0 : byId("side").offsetWidth);
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const isFlat = width >= NARROWEST * rem && width > FLAT * this.#table.clientHeight;
    const isWide = width >= WIDE * rem || isFlat;
    if (isWide === this.#isWide) return;
    this.#isWide = isWide;
    this.#render();
    this.#staged?.viewed();
  }

  #render() {
    const staged = this.#staged;
    const state = this.#isWide ? "beside" : this.#talks ? "behind" : "front";
    if (staged) this.#table.dataset.board = state;
    else delete this.#table.dataset.board;
    this.#stage.hidden = !staged || state === "behind";
    this.#views.hidden = !staged || this.#isWide;
    // From the chat, all boards are one tap away, too.
    if (!this.#isWide) {
      const others = staged?.others ? [staged.others] : [];
      const ways = others.length ? [...others, this.#beyond] : [];
      arrange(this.#views, [this.#board, ...ways, this.#talk, ...(staged?.home ? [staged.home] : [])]);
    }
    this.#observe(this.#isWide ? null : (staged?.others ?? null));
    setText(this.#boardText, word(staged?.turn ? "your-turn" : "board-view"));
    this.#turn.hidden = !staged?.turn;
    setText(this.#talkText, word("talk-view"));
    setText(this.#count, this.#news ? String(this.#news) : "");
    this.#count.hidden = !this.#news;
    this.#board.setAttribute("aria-pressed", String(!this.#talks));
    this.#talk.setAttribute("aria-pressed", String(this.#talks));
    this.#countBeyond();
  }
}
