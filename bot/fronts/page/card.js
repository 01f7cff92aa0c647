// A card: one screen of the server as a person sees it. Title, picture, text, rows of buttons,
// and a note where a press was refused. It changes in place: what stays keeps its element, its
// place and its focus.

import { Board, ready } from "./board.js";
import { arrange, icon, make, setText, withStones } from "./dom.js";
import { due } from "./due.js";
import { LowerEdge } from "./edge.js";
import { Replay } from "./replay.js";
import { shownTable } from "./tables.js";
import { word } from "./words.js";

const ENDED = /[.!?:…]$/; // a line after which no sign has to divide it from the next one
const SHORTENED = /\s(?:Std|Min|Sek)\.$/; // and one that ends with a unit of time, not as a sentence
const MOST_TAPS = 4; // on a board, while another one is under way
const TAP_HOLDS = 4_000; // milliseconds until it is not meant any more
const FEW = 5; // so many buttons fit beside each other also on a phone, just so
const FEW_LETTERS = 36; // and one more, if what cannot be broken of their words is no longer

/**
 * @typedef {object} Options
 * @property {(token: string) => Promise<boolean | void>} press resolves when the answer is there, with
 *   whether the board goes on because of it; with nothing where something else is shown now
 * @property {(update: () => void, how?: { still?: boolean }) => void} change runs `update` without
 *   letting the page jump, `still` not even to show what has grown
 * @property {(token: string) => Promise<Wire.Answer | null>} ask asks for something, to be shown here
 * @property {() => void} [close] makes a card that can be closed
 * @property {boolean} [isLow] what it holds lies over it and all around, for a card without height
 */

export class Card {
  #options;
  #name = make("span");
  #named = make("span");
  #title = make("h2", { class: "card-title" }, this.#name, this.#named);
  #number = make("span", { class: "card-number" });
  #sides = make("ul", { class: "sides" });
  #hint = make("span", { class: "card-hint", "aria-hidden": "true" });
  #chipTurn = make("span", { class: "chip-turn" });
  #chipRest = make("span");
  #chip = make("span", { class: "chip" }, this.#chipTurn, this.#chipRest);
  #head = make("header", { class: "card-head" });
  /** @type {Board | null} */
  #board = null;
  #text = make("p", { class: "card-text", dir: "auto" });
  #more = make("p", { class: "card-more", dir: "auto" }); // of a board: what can wait
  /** @type {LowerEdge | null} of its text, where it can lie over a board */
  #edge = null;
  #said = ""; // what stands there, as the server has said it
  #tables = make("div", { class: "card-tables" });
  #file = make("a", { class: "card-file" });
  #link = make("a", { class: "card-link" });
  #rows = make("div", { class: "card-buttons" });
  #questions = make("ul", { class: "card-questions" });
  /** @type {Map<string, HTMLElement>} by "label#occurrence"; an offer keeps its element, not its place */
  #buttons = new Map();
  /** @type {WeakMap<HTMLElement, string>} */
  #tokens = new WeakMap();
  #note = note("card-note", "", () => this.note());
  /** @type {HTMLElement | null} what was said to somebody who typed here */
  #told = null;
  /** @type {Card | null} */
  #aside = null;
  #over = make("div", { class: "card-over" }); // where that lies, over a board
  /** @type {Card | null} whose buttons stand behind one's own here */
  #lender = null;
  #isLent = false;
  /** @type {HTMLElement | null} what was pressed last */
  #pressed = null;
  /** @type {HTMLElement | null} */
  #stop = null;
  /** @type {Replay | null} */
  #replay = null;
  /** @type {Wire.Screen | null} the earlier position that is shown */
  #past = null;
  #unswipe = () => {};
  #shows = 0;
  #busy = false;
  /** @type {{ label: string, button: HTMLElement, at: number }[]} taps that wait for the board as it is then */
  #taps = [];
  /** @type {{ version: number | undefined, at: number } | null} of the board that goes on in a moment */
  #settling = null;

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
    this.element = make("section", { class: "card", tabindex: "-1" });
    if (options.close) this.#edge = new LowerEdge(this.#text);
    for (const part of [this.#rows, this.#questions]) {
      part.addEventListener("click", (event) => {
        const button = event.target instanceof Element && event.target.closest("button");
        if (button) this.#press(this.#tokens.get(button), button);
      });
    }
    this.#rows.addEventListener("keydown", (event) => this.#walk(event));
    this.#rows.addEventListener("focusin", (event) => {
      if (event.target instanceof HTMLElement) this.#setStop(event.target);
    });
    this.element.addEventListener("keydown", (event) => this.#stepKey(event));
    this.element.addEventListener("keydown", (event) => this.#enterBoard(event));
    this.element.addEventListener("click", ignoreEchoes, { capture: true });
  }

  /** @type {Wire.Screen | null} */
  screen = null;

  /**
   * Show `screen`; `own` if it is for this reader's eyes only.
   *
   * @param {Wire.Screen} screen
   */
  async show(screen, { own = false } = {}) {
    const turn = ++this.#shows;
    if (this.screen && screen.picture?.url !== this.screen.picture?.url) {
      this.#board?.expect();
      await ready(screen.picture);
      if (turn !== this.#shows) return;
    }
    // Back from a match that was opened again.
    if (isPast(this.screen) && !isPast(screen)) this.#endReplay();
    this.#options.change(() => this.#render(screen, own));
    if (this.#settling?.version !== screen.version) this.#settling = null;
    this.#pressNext();
    // A match that is opened again is there to be stepped through.
    if (isPast(screen)) this.step(screen);
  }

  /**
   * Step through the match whose earlier position `screen` shows.
   *
   * @param {Wire.Screen} screen
   */
  step(screen) {
    const replay = new Replay(screen, {
      ask: this.#options.ask,
      show: async (past) => {
        this.#board?.expect();
        await ready(past.picture);
        if (this.#replay !== replay) return;
        this.#past = past;
        this.#options.change(() => this.#showBoard(), { still: true });
      },
      renew: (past) => {
        if (this.#replay === replay) this.step(past);
      },
      // Where nothing else is shown than an earlier position there is no way back to it.
      close: isPast(this.screen) ? null : () => this.#leaveReplay(),
    });
    this.#unswipe();
    this.#replay = replay;
    this.#past = screen;
    this.#options.change(() => {
      this.#showBoard();
      this.#arrange();
    }, { still: true });
    if (this.#board) this.#unswipe = replay.swipe(this.#board.element);
    if (this.screen !== screen) replay.element.querySelector("input")?.focus({ preventScroll: true });
  }

  #endReplay() {
    this.#unswipe();
    this.#replay = null;
    this.#past = null;
  }

  #leaveReplay() {
    this.#endReplay();
    this.#options.change(() => {
      this.#showBoard();
      this.#arrange();
    }, { still: true });
    (this.#pressed?.isConnected ? this.#pressed : this.element).focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #stepKey(event) {
    if (!this.#replay) return;
    if (event.key === "Escape" && !isPast(this.screen)) this.#leaveReplay();
    else if (!this.#replay.key(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Say why the last press was refused; without a text, take that away. */
  note(text = "") {
    const update = () => {
      setText(this.#note.firstElementChild, text);
      this.#arrange();
    };
    this.#options.change(update, { still: true });
    if (text) this.#note.scrollIntoView({ block: "nearest" });
  }

  /**
   * Have what was said to a typed line stand here; null lets go of it.
   *
   * @param {HTMLElement | null} told
   */
  tell(told) {
    if (told === this.#told) return;
    this.#told = told;
    this.#arrange();
  }

  /**
   * Have the buttons of another card behind one's own, all but its main one; null gives them back.
   *
   * @param {Card | null} card
   */
  borrow(card) {
    if (card === this.#lender) return;
    if (this.#lender) this.#lender.#lend(false);
    this.#lender = card;
    if (card) card.#lend(true);
    this.#arrange();
  }

  /** @param {boolean} isLent */
  #lend(isLent) {
    this.#isLent = isLent;
    this.#rows.classList.toggle("lent", isLent);
    this.#setStop(this.#stop);
    this.#arrange();
  }

  /**
   * Hold another card, the answer to a press here; null lets go of it. Over a board it lies like
   * a sheet of paper, and whoever closes it is back where they were.
   *
   * @param {Card | null} card
   */
  hold(card) {
    const before = this.#aside;
    const hadFocus = before?.element.contains(document.activeElement);
    const update = () => {
      this.#aside = card;
      this.#arrange();
    };
    this.#options.change(update, { still: this.#board !== null });
    if (card && this.#isSheet) {
      card.element.setAttribute("role", "dialog");
      card.element.setAttribute("aria-label", card.screen?.title || (card.screen?.text ?? ""));
      card.#begin();
    } else if (hadFocus) {
      (this.#pressed?.isConnected ? this.#pressed : this.element).focus({ preventScroll: true });
    }
  }

  // Go to its beginning: to the text, where that has to be scrolled (keys do that, too).
  #begin() {
    const isLong = Boolean(this.#edge?.isMore);
    if (isLong) this.#text.tabIndex = 0;
    (isLong ? this.#text : this.element).focus({ preventScroll: true });
  }

  /**
   * Let go of a card, if it is still that one.
   *
   * @param {Card} card
   */
  letGo(card) {
    if (this.#aside === card) this.hold(null);
  }

  /** Does what is held here lie over something? */
  get #isSheet() {
    return this.#board !== null || Boolean(this.#options.isLow);
  }

  /**
   * Go to the board: to where one would play, or to the card as a whole. Whoever has not asked for
   * it by keys is not shown a place to play at (in a puzzle that would look like its solution): an
   * arrow key leads there.
   *
   * @param {{ atCell?: boolean }} how
   */
  focus({ atCell = true } = {}) {
    this.element.scrollIntoView({ block: "nearest" });
    if (!atCell || !this.#board?.focus()) this.element.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #enterBoard(event) {
    if (event.target !== this.element || !event.key.startsWith("Arrow") || event.defaultPrevented) return;
    if (event.ctrlKey || event.altKey || event.metaKey || !this.#board?.focus()) return;
    event.preventDefault();
  }

  /**
   * @param {Wire.Screen} screen
   * @param {boolean} own
   */
  #render(screen, own) {
    this.screen = screen;
    this.#showTitle(screen);
    this.#showText(screen);
    this.#tables.replaceChildren(...(screen.tables ?? []).map(shownTable));
    setText(this.#note.firstElementChild, "");
    setText(this.#file, screen.file?.name ?? "");
    if (screen.file) {
      this.#file.href = screen.file.url;
      this.#file.download = screen.file.name;
    }
    const address = screen.link ? new URL(screen.link.hash, location.origin).href : "";
    setText(this.#link, screen.link?.label || address);
    if (screen.link) this.#link.href = screen.link.hash;
    this.element.classList.toggle("own", own);
    this.element.classList.toggle("turn", Boolean(screen.turn));
    this.element.classList.toggle("over", Boolean(screen.over));
    const rest = own ? word("only-you") : screen.over ? word("over") : "";
    setText(this.#chipTurn, screen.turn ? word("your-turn") + (rest && " · ") : "");
    setText(this.#chipRest, rest);

    if (screen.picture) {
      const { width, height } = screen.picture;
      this.element.style.setProperty("--ratio", String(width / height));
      this.#board ??= new Board(
        (cell, button) => this.#tap(cell, button),
        (text) => setText(this.#hint, text),
      );
    } else {
      this.#board = null;
    }
    this.#showBoard();
    this.#showButtons(screen.buttons ?? []);
    this.#showQuestions(screen.questions ?? []);
    this.#arrange();
  }

  // The picture: of an earlier position, while somebody steps through the match.
  #showBoard() {
    const { title = "", picture } = this.screen ?? {};
    const past = this.#past?.picture;
    const shown = past ? { ...past, cells: [] } : picture;
    if (shown) this.#board?.show(shown, word("board", { name: title }));
  }

  /**
   * Each line is an element, so that lines can stand one after the other where there is no room
   * for them one below the other (see board.css). Of a board, how it stands and until when comes
   * first, and before what is asked; the rest has the room that these leave. An answer is one text.
   *
   * @param {Wire.Screen} screen
   */
  #showText({ text = "", copied = [], due: moment = null, picture }) {
    const said = `${Boolean(picture)} ${moment?.at ?? ""} ${text}`;
    if (this.#said === said) return;
    this.#said = said;
    const lines = text.split("\n");
    const leads = (/** @type {string} */ line, /** @type {number} */ at) =>
      !picture || Boolean(this.#options.close) || at === 0 || Boolean(moment && line.includes(moment.words));
    for (const [element, part] of /** @type {const} */ ([
      [this.#text, lines.filter(leads)],
      [this.#more, lines.filter((line, at) => !leads(line, at))],
    ])) {
      const shown = part.map((line) =>
        make("span", { class: isEnded(line) ? "ended" : "" }, ...withMarks(line, copied, moment)),
      );
      element.replaceChildren(...shown.flatMap((line, at) => (at ? ["\n", line] : [line])));
    }
  }

  /**
   * The title; who plays stands on plates, where there are two.
   *
   * @param {Wire.Screen} screen
   */
  #showTitle({ title = "", name = "", match, sides = [], picture }) {
    const isPlated = Boolean(picture) && sides.length > 1 && title.startsWith(name);
    const named = isPlated ? name : title;
    if (this.#name.textContent !== named) this.#name.replaceChildren(...withStones(named));
    setText(this.#named, isPlated ? title.slice(name.length) : "");
    this.#named.className = "unseen";
    setText(this.#number, picture && match ? `#${match}` : "");
    arrange(this.#sides, !isPlated ? [] : sides.map((side, at) => {
      const plate = this.#sides.children[at] ?? make(
        "li",
        {},
        make("span", { class: "mark", "aria-hidden": "true" }),
        make("span", { class: "name", dir: "auto" }),
        make("span", { class: "seat" }),
      );
      plate.classList.toggle("turn", side.turn);
      plate.classList.toggle("mine", side.mine);
      const [mark, who, seat] = plate.children;
      if (mark?.textContent !== side.mark) mark?.replaceChildren(...withStones(side.mark));
      setText(who ?? null, side.name);
      setText(seat ?? null, !side.mine ? side.seat : side.seat ? word("you-play", { side: side.seat }) : word("you"));
      return plate;
    }));
  }

  /** @param {Wire.Button[][]} rows */
  #showButtons(rows) {
    const hadFocus = this.#rows.contains(document.activeElement);
    const before = this.#buttons;
    this.#rows.classList.toggle("few", areFew(rows.flat()));
    this.#rows.classList.toggle("full", rows.flat().length >= FEW);
    this.#buttons = new Map();
    const lines = rows.filter((row) => row.length).map((row) => {
      const elements = row.map((button) => {
        let occurrence = 0;
        while (this.#buttons.has(`${button.label}#${occurrence}`)) occurrence += 1;
        const key = `${button.label}#${occurrence}`;
        const element = before.get(key) ?? make("button", { type: "button" }, ...withStones(button.label));
        element.className = button.style ?? "plain";
        this.#tokens.set(element, button.token);
        this.#buttons.set(key, element);
        return element;
      });
      return { elements, parent: elements[0]?.parentElement };
    });
    const used = new Set();
    arrange(this.#rows, lines.map(({ elements, parent }) => {
      const row = parent && !used.has(parent) ? parent : make("div", { class: "row" });
      used.add(row);
      arrange(row, elements);
      return row;
    }));
    // The buttons of a match are one stop of the Tab key; the arrow keys go from one to the next.
    const isOneStop = Boolean(this.screen?.match) && this.#buttons.size > 1;
    if (isOneStop) this.#rows.setAttribute("role", "toolbar");
    else this.#rows.removeAttribute("role");
    if (isOneStop) this.#rows.setAttribute("aria-label", this.screen?.title ?? "");
    else this.#rows.removeAttribute("aria-label");
    this.#setStop(this.#stop);
    // The offer under the focus is gone: stay at the card rather than on whatever came there.
    if (hadFocus && !this.#rows.contains(document.activeElement)) {
      this.element.focus({ preventScroll: true });
    }
  }

  /**
   * What waits for an answer, each with its buttons beside it. One that stays keeps its elements.
   *
   * @param {{ text: string, buttons: Wire.Button[] }[]} questions
   */
  #showQuestions(questions) {
    const hadFocus = this.#questions.contains(document.activeElement);
    const before = new Map([...this.#questions.children].map((one) => [one.firstElementChild?.textContent, one]));
    arrange(this.#questions, questions.map(({ text, buttons }) => {
      const item = before.get(text) ?? make("li", {}, make("p", { dir: "auto" }, ...withStones(text)), make("div", { class: "row" }));
      const known = [...(item.lastElementChild?.children ?? [])];
      arrange(item.lastElementChild ?? item, buttons.map(({ label, named, style, token }) => {
        const found = known.find((one) => one.textContent === label);
        const button = found instanceof HTMLElement ? found : make("button", { type: "button" }, ...withStones(label));
        if (named) button.setAttribute("aria-label", named);
        button.className = style ?? "plain";
        this.#tokens.set(button, token);
        return button;
      }));
      return item;
    }));
    if (hadFocus && !this.#questions.contains(document.activeElement)) this.element.focus({ preventScroll: true });
  }

  /** @param {HTMLElement | null} stop */
  #setStop(stop) {
    const buttons = this.#offered;
    this.#stop = stop && buttons.includes(stop) ? stop : (buttons[0] ?? null);
    const isOneStop = this.#rows.hasAttribute("role");
    for (const button of buttons) button.tabIndex = !isOneStop || button === this.#stop ? 0 : -1;
  }

  get #offered() {
    const buttons = [...this.#buttons.values()];
    return this.#isLent ? buttons.filter((button) => !button.classList.contains("primary")) : buttons;
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.#rows.hasAttribute("role")) return;
    const buttons = this.#offered;
    const at = buttons.findIndex((button) => button === event.target);
    /** @type {Record<string, number>} */
    const ways = {
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      Home: 0,
      End: buttons.length - 1,
    };
    const to = Object.hasOwn(ways, event.key) ? ways[event.key] : undefined;
    if (to === undefined) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(to, buttons.length - 1))]?.focus();
  }

  #arrange() {
    const focusWasInside = this.element.contains(document.activeElement);
    const shown = (/** @type {Element} */ element) => Boolean(element.textContent);
    const chip = shown(this.#chip) ? [this.#chip] : [];
    // A card that can be closed has its chip and its cross in the head, others on the border.
    const ends = this.#options.close ? [...chip, this.#closeButton()] : [];
    const head = shown(this.#title) || ends.length ? [this.#head] : [];
    const number = shown(this.#number) ? [this.#number] : [];
    arrange(this.#head, [this.#title, ...number, this.#hint, ...ends]);
    const refused = [...(shown(this.#note) ? [this.#note] : []), ...(this.#told ? [this.#told] : [])];
    const aside = this.#aside ? [this.#aside.element] : [];
    const isUnder = Boolean(this.#aside && this.#isSheet);
    arrange(this.#over, isUnder ? aside : []);
    arrange(this.element, [
      ...head,
      ...(ends.length ? [] : chip),
      ...(shown(this.#sides) ? [this.#sides] : []),
      ...(this.#board ? [this.#board.element] : []),
      ...(this.#replay ? [this.#replay.element] : []),
      ...(shown(this.#text) ? [this.#text, ...(this.#edge ? [this.#edge.element] : [])] : []),
      ...(this.#board ? refused : []),
      ...(this.#questions.children.length ? [this.#questions] : []),
      ...(shown(this.#more) ? [this.#more] : []),
      ...(shown(this.#tables) ? [this.#tables] : []),
      ...(shown(this.#file) ? [this.#file] : []),
      ...(shown(this.#link) ? [this.#link] : []),
      ...(this.#rows.children.length && !this.#isLent ? [this.#rows] : []),
      ...(this.#lender ? [this.#lender.#rows] : []),
      ...(this.#board ? [] : refused),
      ...(isUnder ? [this.#over] : aside),
    ]);
    this.#edge?.look();
    // What lies under a sheet cannot be reached before that is closed.
    this.element.classList.toggle("covered", isUnder);
    this.element.classList.toggle("stepping", this.#replay !== null);
    for (const child of this.element.children) {
      if (child instanceof HTMLElement) child.inert = isUnder && child !== this.#over;
    }
    if (focusWasInside && !this.element.contains(document.activeElement)) {
      this.element.focus({ preventScroll: true });
    }
  }

  /** @type {HTMLElement | null} */
  #close = null;

  #closeButton() {
    this.#close ??= cross(() => this.#options.close?.());
    return this.#close;
  }

  /**
   * @param {string | undefined} token
   * @param {HTMLElement} element
   */
  async #press(token, element) {
    if (this.#busy || token === undefined) return;
    this.#busy = true;
    this.#pressed = element;
    this.element.setAttribute("aria-busy", "true");
    element.classList.add("pressed");
    const version = this.screen?.version;
    try {
      const goesOn = await this.#options.press(token);
      if (goesOn === undefined) this.#forgetTaps();
      this.#settling = goesOn && this.screen?.version === version ? { version, at: performance.now() } : null;
    } finally {
      this.#busy = false;
      this.element.removeAttribute("aria-busy");
      element.classList.remove("pressed");
    }
    this.#pressNext();
  }

  /**
   * A tap on the board. While another one is under way, and until the board shows what has come
   * of it, a legal one waits: it is pressed on the board as it is then, if that offers the same.
   *
   * @param {Wire.Cell} cell
   * @param {HTMLElement} button
   */
  #tap({ label, legal, token }, button) {
    if (!this.#waits) return this.#press(token, button);
    const last = this.#taps.at(-1)?.button ?? this.#pressed;
    if (!legal || button === last || this.#taps.length >= MOST_TAPS) return;
    this.#taps.push({ label, button, at: performance.now() });
    button.classList.add("pressed");
  }

  #forgetTaps() {
    for (const { button } of this.#taps) button.classList.remove("pressed");
    this.#taps = [];
  }

  get #waits() {
    return this.#busy || (this.#settling !== null && performance.now() - this.#settling.at < TAP_HOLDS);
  }

  #pressNext() {
    while (this.#taps.length && !this.#waits) {
      const tap = this.#taps.shift();
      tap?.button.classList.remove("pressed");
      const isMeant = tap && performance.now() - tap.at < TAP_HOLDS;
      const found = isMeant ? this.#board?.offered(tap.label) : undefined;
      if (found) this.#press(found.cell.token, found.button);
    }
  }
}

/**
 * Do these buttons fit beside each other on a phone?
 *
 * @param {Wire.Button[]} buttons
 */
function areFew(buttons) {
  if (buttons.length !== FEW + 1) return buttons.length <= FEW;
  const letters = buttons.map(({ label }) => Math.max(...label.split(" ").map(({ length }) => length)));
  return letters.reduce((sum, length) => sum + length, 0) <= FEW_LETTERS;
}

/**
 * Is it a match as it stood after some of its moves?
 *
 * @param {Wire.Screen | null | undefined} screen
 */
export function isPast(screen) {
  return typeof screen?.ply === "number";
}

/**
 * A button that closes something.
 *
 * @param {() => void} onclick
 */
export function cross(onclick) {
  const attributes = { type: "button", class: "icon", "aria-label": word("close"), onclick };
  return make("button", attributes, icon("cross"));
}

/**
 * Why something was refused, and a way to close it.
 *
 * @param {string} kind
 * @param {string} text
 * @param {() => void} close
 */
export function note(kind, text, close) {
  return make("div", { class: `note ${kind}` }, make("p", { dir: "auto" }, text), cross(close));
}

/**
 * Does a line end as a sentence does?
 *
 * @param {string} line
 */
function isEnded(line) {
  return ENDED.test(line) && !SHORTENED.test(line);
}

/**
 * A line, in which stones are drawn, what is to be copied is chosen as a whole, and a moment is the reader's own.
 *
 * @param {string} line
 * @param {string[]} copied
 * @param {{ words: string, at: number } | null} moment
 * @returns {(string | Element)[]}
 */
function withMarks(line, copied, moment) {
  const marked = [moment?.words ?? "", ...copied].find((one) => one && line.includes(one));
  if (!marked) return withStones(line);
  const at = line.indexOf(marked);
  const mark = marked === moment?.words ? due(moment.at) : make("code", { class: "copied" }, marked);
  return [...withStones(line.slice(0, at)), mark, ...withStones(line.slice(at + marked.length))];
}

// The second click of a double click was meant for what stood there before the first: it is
// dropped, wherever it lands.
const DOUBLE_CLICK = 250; // milliseconds
const SAME_SPOT = 8; // pixels
/** @type {{ event: Event | null, at: number, x: number, y: number }} */
const NO_CLICK = { event: null, at: -Infinity, x: 0, y: 0 };
let lastClick = NO_CLICK;
addEventListener("keydown", () => (lastClick = NO_CLICK)); // whoever types in between means it

/** @param {MouseEvent} event */
function ignoreEchoes(event) {
  if (event.detail === 0) return; // by keyboard
  if (event === lastClick.event) return; // seen by the card around this one
  const click = { event, at: event.timeStamp, x: event.clientX, y: event.clientY };
  const isSameSpot = Math.hypot(click.x - lastClick.x, click.y - lastClick.y) < SAME_SPOT;
  if (isSameSpot && click.at - lastClick.at < DOUBLE_CLICK) event.stopPropagation();
  else lastClick = click;
}
