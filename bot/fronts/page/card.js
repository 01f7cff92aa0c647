// A card: a screen of the server. It has a title, a picture, text, rows of buttons, and a note if a
// press was refused. It changes in place: what remains keeps its element, position and focus.

import { Board, ready } from "./board.js";
import { arrange, icon, make, setText, withStones } from "./dom.js";
import { due } from "./due.js";
import { LowerEdge } from "./edge.js";
import { Replay } from "./replay.js";
import { play } from "./sound.js";
import { shownTable } from "./tables.js";
import { word } from "./words.js";

const ENDED = /[.!?:…]$/; // no separator is needed after such a line
const SHORTENED = /\s(?:Std|Min|Sek)\.$/; // except if it ends with an abbreviated unit of time
const MOST_TAPS = 4; // on a board, while another one is processed
const MOVES_FOR = 600; // milliseconds at most that a board takes to show a move before the next one
const TAP_HOLDS = 4_000; // milliseconds until it is dropped
const SOON = 300; // milliseconds until a pressed button shows that it works
const FEW = 5; // so many buttons fit side by side on a phone
const FEW_LETTERS = 36; // and one more, if their unbreakable parts are not longer

/**
 * @typedef {object} Options
 * @property {(token: string) => Promise<boolean | void>} press resolves with the answer: true if
 *   the board goes on because of it, undefined if something else is shown now
 * @property {(update: () => void, how?: { still?: boolean }) => void} change runs `update` without
 *   letting the page jump. `still`: not even to show what has grown
 * @property {(token: string) => Promise<Wire.Answer | null>} ask requests a screen to show here
 * @property {(ply: number | null) => void} [stepped] called for each position of a replay, null at
 *   its end
 * @property {() => void} [close] the card can be closed
 * @property {boolean} [isLow] low: a held card overlays it
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
  #more = make("p", { class: "card-more", dir: "auto" }); // text of a board that can wait
  /** @type {LowerEdge | null} of its text, where that overlays a board */
  #edge = null;
  #said = ""; // the current text, as sent by the server
  #tables = make("div", { class: "card-tables" });
  #file = make("a", { class: "card-file" });
  #link = make("a", { class: "card-link" });
  #rows = make("div", { class: "card-buttons" });
  #unfold = make("button", { type: "button", class: "more", "aria-expanded": "false", onclick: () => this.#fold(this.#isUnfolded) });
  #questions = make("ul", { class: "card-questions" });
  /** @type {Map<string, HTMLElement>} by "label#occurrence". A button keeps its element, even at another place */
  #buttons = new Map();
  /** @type {WeakMap<HTMLElement, string>} */
  #tokens = new WeakMap();
  #note = note("card-note", "", () => this.note());
  /** @type {HTMLElement | null} the answer to a typed line */
  #told = null;
  /** @type {Card | null} */
  #aside = null;
  #over = make("div", { class: "card-over" }); // where that lies, over a board
  /** @type {Card | null} whose buttons are added after the card's own */
  #lender = null;
  #isLent = false;
  /** @type {HTMLElement | null} the last pressed element */
  #pressed = null;
  /** @type {HTMLElement | null} */
  #stop = null;
  /** @type {Replay | null} */
  #replay = null;
  /** @type {Wire.Screen | null} the earlier position shown */
  #past = null;
  #unswipe = () => {};
  #shows = 0;
  #shown = 0;
  /** @type {{ screen: Wire.Screen, moved: Promise<void> } | null} the newest one, even if it is not shown yet */
  #coming = null;
  #busy = false;
  /** @type {{ label: string, button: HTMLElement, isDrop: boolean, at: number }[]} taps that wait for the next position */
  #taps = [];
  /** @type {{ version: number | undefined, at: number } | null} of a board that is about to change */
  #settling = null;

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
    this.element = make("section", { class: "card", tabindex: "-1" });
    if (options.close) this.#edge = new LowerEdge(this.#text);
    for (const part of [this.#rows, this.#questions]) {
      part.addEventListener("click", (event) => {
        const button = event.target instanceof Element && event.target.closest("button");
        if (button && button.getAttribute("aria-disabled") !== "true") this.#press(this.#tokens.get(button), button);
      });
    }
    this.#rows.addEventListener("keydown", (event) => this.#walk(event));
    this.#rows.addEventListener("focusin", (event) => {
      if (event.target instanceof HTMLElement) this.#setStop(event.target);
    });
    this.element.addEventListener("keydown", (event) => this.#stepKey(event));
    this.element.addEventListener("keydown", (event) => this.#enterBoard(event));
  }

  /** @type {Wire.Screen | null} */
  screen = null;

  /**
   * Show `screen`. `own`: it is private.
   *
   * @param {Wire.Screen} screen
   */
  show(screen, { own = false } = {}) {
    const earlier = this.#coming;
    const shown = this.#bring(screen, own, ++this.#shows, earlier);
    this.#coming = { screen, moved: shown.then(() => this.#board?.rest) };
    return shown;
  }

  /**
   * Each move is seen, also if a computer answers at once. What comes faster is left out.
   *
   * @param {Wire.Screen} screen
   * @param {boolean} own
   * @param {number} turn
   * @param {{ screen: Wire.Screen, moved: Promise<void> } | null} earlier
   */
  async #bring(screen, own, turn, earlier) {
    if (this.screen && screen.picture?.url !== this.screen.picture?.url) {
      this.#board?.expect();
      await ready(screen.picture);
      if (earlier && isNext(earlier.screen, screen)) {
        await Promise.race([earlier.moved, new Promise((resolve) => void setTimeout(resolve, MOVES_FOR))]);
      }
      const isOutdated = turn + 1 < this.#shows || (turn < this.#shows && !isNext(screen, this.#coming?.screen));
      if (isOutdated || turn < this.#shown) return;
    }
    this.#shown = turn;
    if (isPast(this.screen) && !isPast(screen)) this.#endReplay();
    this.#options.change(() => this.#render(screen, own));
    // Taps are meant for the newest position.
    if (turn === this.#shows) {
      if (this.#settling?.version !== screen.version) this.#settling = null;
      this.#pressNext();
    }
    if (isPast(screen)) this.step(screen);
  }

  /** @param {Wire.Screen} screen the first position of the replay */
  step(screen) {
    const replay = new Replay(screen, {
      ask: this.#options.ask,
      show: async (past) => {
        this.#board?.expect();
        await ready(past.picture);
        if (this.#replay !== replay) return;
        const moves = Math.abs((past.ply ?? 0) - (this.#past?.ply ?? Infinity)) === 1;
        this.#past = past;
        this.#options.stepped?.(past.ply ?? null);
        this.#options.change(() => {
          const moved = this.#showBoard(moves);
          if (moved.length) play(isCapture(moved) ? "capture" : "move");
        }, { still: true });
      },
      renew: (past) => {
        if (this.#replay === replay) this.step(past);
      },
      // If only earlier positions are shown, there is no way back.
      close: isPast(this.screen) ? null : () => this.#leaveReplay(),
    });
    this.#unswipe();
    this.#replay = replay;
    this.#past = screen;
    this.#options.stepped?.(screen.ply ?? null);
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
    this.#options.stepped?.(null);
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

  /** Show why the last press was refused. Without a text, remove the note. */
  note(text = "") {
    const update = () => {
      setText(this.#note.firstElementChild, text);
      this.#arrange();
    };
    this.#options.change(update, { still: true });
    if (text) this.#note.scrollIntoView({ block: "nearest" });
  }

  /**
   * Show the answer to a typed line here. null releases it.
   *
   * @param {HTMLElement | null} told
   */
  tell(told) {
    if (told === this.#told) return;
    this.#told = told;
    this.#arrange();
  }

  /**
   * Append the buttons of another card, except its main button. null removes them.
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
   * Hold another card, the answer to a press here. null releases it. It overlays a board
   * until it is closed.
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

  // Focus the text if it can be scrolled, so that keyboards can scroll it.
  #begin() {
    const isLong = Boolean(this.#edge?.isMore);
    if (isLong) this.#text.tabIndex = 0;
    (isLong ? this.#text : this.element).focus({ preventScroll: true });
  }

  /** @param {Card} card ignored if it is no longer held */
  letGo(card) {
    if (this.#aside === card) this.hold(null);
  }

  get #isSheet() {
    return this.#board !== null || Boolean(this.#options.isLow);
  }

  /**
   * Focus a playable cell, or the card. Without the keyboard, no cell is focused: in a puzzle it
   * would look like the solution.
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
    const before = this.screen;
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
    const address = screen.link ? new URL(screen.link.hash, document.baseURI).href : "";
    setText(this.#link, screen.link?.label || address);
    if (screen.link) this.#link.href = address;
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
        (cell, button, isDrop) => this.#tap(cell, button, isDrop),
        (text) => setText(this.#hint, text),
      );
    } else {
      this.#board = null;
    }
    const moved = this.#showBoard(!this.#past && follows(before, screen), before?.version === screen.version);
    const sound = soundOf(before, screen, moved);
    if (sound) play(sound);
    this.#showButtons(screen.buttons ?? [], screen.offers ?? []);
    this.#showQuestions(screen.questions ?? []);
    this.#arrange();
  }

  // Show the picture: in a replay, that of the earlier position. `moves`: it follows the current one.
  #showBoard(moves = false, isPartial = false) {
    const { title = "", picture } = this.screen ?? {};
    const past = this.#past?.picture;
    const shown = past ? { ...past, cells: [] } : picture;
    return (shown && this.#board?.show(shown, word("board", { name: title }), { moves, isPartial })) ?? [];
  }

  /**
   * Each line is an element, so that lines can share a row if space is short (see board.css). The
   * status and deadline of a board come first, before questions.
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

  // Two players have plates instead of a title.
  /** @param {Wire.Screen} screen */
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

  /**
   * Offers precede the button to resign. If there is no room, another button unfolds them.
   *
   * @param {Wire.Button[][]} rows
   * @param {Wire.Button[]} offers
   */
  #showButtons(rows, offers) {
    const hadFocus = this.#rows.contains(document.activeElement);
    const before = this.#buttons;
    const folded = [...rows.flat(), ...(offers.length ? [{ label: word("more"), token: "" }] : [])];
    this.#rows.classList.toggle("few", areFew(folded));
    this.#rows.classList.toggle("full", folded.length >= FEW);
    setText(this.#unfold, word("more"));
    this.#buttons = new Map();
    const lines = rows.filter((row) => row.length).map((row) => {
      const last = row.findIndex(({ style }) => style === "danger");
      const isSplit = last >= 0 && offers.length > 0;
      const elements = (isSplit ? row.toSpliced(last, 0, ...offers) : row).map((button) => {
        let occurrence = 0;
        while (this.#buttons.has(`${button.label}#${occurrence}`)) occurrence += 1;
        const key = `${button.label}#${occurrence}`;
        const element = before.get(key) ?? make("button", { type: "button" }, ...withStones(button.label));
        element.className = offers.includes(button) ? "offer" : (button.style ?? "plain");
        if (button.named) element.setAttribute("aria-label", button.named);
        element.setAttribute("aria-disabled", String(button.disabled ?? false));
        this.#tokens.set(element, button.token);
        this.#buttons.set(key, element);
        return element;
      });
      if (isSplit) elements.splice(last + offers.length, 0, this.#unfold);
      return { elements, parent: elements[0]?.parentElement };
    });
    const used = new Set();
    arrange(this.#rows, lines.map(({ elements, parent }) => {
      const row = parent && !used.has(parent) ? parent : make("div", { class: "row" });
      used.add(row);
      arrange(row, elements);
      return row;
    }));
    // The buttons of a match are one tab stop, with arrow keys between them.
    const isOneStop = Boolean(this.screen?.match) && this.#buttons.size > 1;
    if (isOneStop) this.#rows.setAttribute("role", "toolbar");
    else this.#rows.removeAttribute("role");
    if (isOneStop) this.#rows.setAttribute("aria-label", this.screen?.title ?? "");
    else this.#rows.removeAttribute("aria-label");
    this.#setStop(this.#stop);
    // The focused button is gone: stay at the card, not at a new button in its place.
    if (hadFocus && !this.#rows.contains(document.activeElement)) {
      this.element.focus({ preventScroll: true });
    }
  }

  get #isUnfolded() {
    return this.#rows.classList.contains("unfolded");
  }

  /** @param {boolean} folds hide the offers, otherwise the other buttons */
  #fold(folds) {
    this.#rows.classList.toggle("unfolded", !folds);
    this.#unfold.setAttribute("aria-expanded", String(!folds));
    this.#setStop(this.#offered.find(isSeen) ?? null);
  }

  // Questions that remain keep their elements.
  /** @param {{ text: string, buttons: Wire.Button[] }[]} questions */
  #showQuestions(questions) {
    const hadFocus = this.#questions.contains(document.activeElement);
    const before = new Map([...this.#questions.children].map((one) => [one.firstElementChild?.textContent, one]));
    arrange(this.#questions, questions.map(({ text, buttons }) => {
      const item = before.get(text) ?? make("li", {}, make("p", { dir: "auto" }, ...withStones(text)), make("div", { class: "row" }));
      const known = [...(item.lastElementChild?.children ?? [])];
      arrange(item.lastElementChild ?? item, buttons.map(({ label, named, style, token, disabled }) => {
        const found = known.find((one) => one.textContent === label);
        const button = found instanceof HTMLElement ? found : make("button", { type: "button" }, ...withStones(label));
        if (named) button.setAttribute("aria-label", named);
        button.className = style ?? "plain";
        button.setAttribute("aria-disabled", String(disabled ?? false));
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
    const buttons = this.#offered.filter(isSeen);
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
    // A card that can be closed has its chip and close button in the head, others on the border.
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
    // What lies under a sheet is unreachable until the sheet is closed.
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
    const late = setTimeout(() => element.setAttribute("aria-busy", "true"), SOON);
    const { match, version } = this.screen ?? {};
    try {
      const goesOn = await this.#options.press(token);
      if (goesOn === undefined) this.#forgetTaps();
      // Only a match's board changes by itself.
      const isDue = goesOn && match && this.screen?.version === version;
      this.#settling = isDue ? { version, at: performance.now() } : null;
    } finally {
      this.#busy = false;
      this.element.removeAttribute("aria-busy");
      element.classList.remove("pressed");
      clearTimeout(late);
      element.removeAttribute("aria-busy");
    }
    if (element.classList.contains("offer")) this.#fold(true);
    this.#pressNext();
  }

  /**
   * A tap on the board. While another one is processed, and until the board shows the result, a
   * legal tap waits. It is then pressed if the board still offers the same. The end of a drag waits
   * for what its beginning makes legal.
   *
   * @param {Wire.Cell} cell
   * @param {HTMLElement} button
   */
  #tap({ label, legal, token }, button, isDrop = false) {
    if (!this.#waits) return this.#press(token, button);
    const last = this.#taps.at(-1)?.button ?? this.#pressed;
    if ((!legal && !isDrop) || button === last || this.#taps.length >= MOST_TAPS) return;
    this.#taps.push({ label, button, isDrop, at: performance.now() });
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
      const offered = tap?.isDrop ? this.#board?.at(tap.button) : this.#board?.offered(tap?.label ?? "");
      const found = isMeant ? offered : undefined;
      if (found) this.#press(found.cell.token, found.button);
    }
  }
}

/** @param {HTMLElement} button is it not folded? */
function isSeen(button) {
  return getComputedStyle(button).display !== "none";
}

// True if the buttons fit side by side on a phone.
/** @param {Wire.Button[]} buttons */
function areFew(buttons) {
  if (buttons.length !== FEW + 1) return buttons.length <= FEW;
  const letters = buttons.map(({ label }) => Math.max(...label.split(" ").map(({ length }) => length)));
  return letters.reduce((sum, length) => sum + length, 0) <= FEW_LETTERS;
}

/** @param {Wire.Screen | null | undefined} screen is it a position of a replay? */
export function isPast(screen) {
  return typeof screen?.ply === "number";
}

/**
 * Return whether a screen comes right after another one, so that a move leads to it.
 *
 * @param {Wire.Screen | null} before
 * @param {Wire.Screen} screen
 */
function follows(before, screen) {
  if (!before?.picture || !screen.picture || isPast(before) || isPast(screen)) return false;
  const steps = (screen.version ?? 0) - (before.version ?? 0);
  return before.match === screen.match && (steps === 0 || steps === 1);
}

/**
 * @param {Wire.Screen} before
 * @param {Wire.Screen | undefined} screen
 */
function isNext(before, screen) {
  return screen !== undefined && follows(before, screen) && before.version !== screen.version;
}

// Pieces turn over or leave because of another one.
/** @param {import("./changes.js").Change[]} moved */
function isCapture(moved) {
  const kinds = new Set(moved.map(({ kind }) => kind));
  return (kinds.has("drop") || kinds.has("slide")) && (kinds.has("turn") || kinds.has("leave"));
}

/**
 * Return what players hear of a change of their board.
 *
 * @param {Wire.Screen | null} before
 * @param {Wire.Screen} screen
 * @param {import("./changes.js").Change[]} moved
 */
function soundOf(before, screen, moved) {
  if (!before || !screen.mine || !follows(before, screen) || before.version === screen.version) return null;
  if (screen.over && !before.over) return "end";
  if (!moved.length) return null;
  return isCapture(moved) ? "capture" : before.turn ? "move" : "other";
}

/** @param {() => void} onclick */
export function cross(onclick) {
  const attributes = { type: "button", class: "icon", "aria-label": word("close"), onclick };
  return make("button", attributes, icon("cross"));
}

/**
 * Return a note that can be closed.
 *
 * @param {string} kind
 * @param {string} text
 * @param {() => void} close
 */
export function note(kind, text, close) {
  return make("div", { class: `note ${kind}` }, make("p", { dir: "auto" }, text), cross(close));
}

/** @param {string} line */
function isEnded(line) {
  return ENDED.test(line) && !SHORTENED.test(line);
}

/**
 * Return a line with drawn stones, text to copy that is selected as a whole, and times in local
 * time.
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

// The second click of a double click was meant for the previous content: drop it. A key or a click
// elsewhere in between makes it intended.
const DOUBLE_CLICK = 250; // milliseconds
const SAME_SPOT = 8; // pixels
const NO_CLICK = { at: -Infinity, x: 0, y: 0 };
let lastClick = NO_CLICK;
addEventListener("keydown", () => (lastClick = NO_CLICK));
addEventListener("click", (event) => {
  if (event.detail === 0) return; // by keyboard
  const isInCard = event.target instanceof Element && event.target.closest(".card");
  const click = isInCard ? { at: event.timeStamp, x: event.clientX, y: event.clientY } : NO_CLICK;
  const isSameSpot = Math.hypot(click.x - lastClick.x, click.y - lastClick.y) < SAME_SPOT;
  if (isInCard && isSameSpot && click.at - lastClick.at < DOUBLE_CLICK) event.stopPropagation();
  else lastClick = click;
}, { capture: true });
