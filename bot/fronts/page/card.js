// A card: a screen of the server. It has a title, a picture, text, rows of buttons, and a note if a
// press was refused. It changes in place: what remains keeps its element, position and focus.

import { Board, ready } from "./board.js";
import { Buttons } from "./buttons.js";
import { arrange, make, setText, withStones } from "./dom.js";
import { LowerEdge } from "./edge.js";
import { inviteTo, linkIn } from "./invite.js";
import { cross, note, showLines, showPlates } from "./lines.js";
import { follows, isCapture, isNext, isPast, soundOf } from "./positions.js";
import { Presses } from "./presses.js";
import { Replay } from "./replay.js";
import { play } from "./sound.js";
import { shownTable } from "./tables.js";
import { word } from "./words.js";

const MOVES_FOR = 600; // milliseconds at most that a board takes to show a move before the next one

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
  #invited = ""; // the code of the challenge whose link is shown
  #invite = make("div", { class: "card-invite" });
  #tables = make("div", { class: "card-tables" });
  #file = make("a", { class: "card-file" });
  #link = make("a", { class: "card-link" });
  #note = note("card-note", "", () => this.note());
  /** @type {HTMLElement | null} the answer to a typed line */
  #told = null;
  /** @type {Card | null} */
  #aside = null;
  #over = make("div", { class: "card-over" }); // where that lies, over a board
  /** @type {Card | null} whose buttons are added after the card's own */
  #lender = null;
  #presses;
  #buttons;
  /** @type {Replay | null} */
  #replay = null;
  /** @type {Wire.Screen | null} the earlier position shown */
  #past = null;
  #unswipe = () => {};
  #shows = 0;
  #shown = 0;
  /** @type {{ screen: Wire.Screen, moved: Promise<void> } | null} the newest one, even if it is not shown yet */
  #coming = null;

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
    this.element = make("section", { class: "card", tabindex: "-1", role: "group" });
    if (options.close) this.#edge = new LowerEdge(this.#text);
    this.#presses = new Presses({
      element: this.element,
      press: options.press,
      screen: () => this.screen,
      board: () => this.#board,
      done: () => this.#buttons.fold(true),
    });
    this.#buttons = new Buttons(
      (token, button) => void this.#presses.press(token, button),
      () => this.element.focus({ preventScroll: true }),
    );
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
    if (turn === this.#shows) this.#presses.shown(screen.version);
    if (isPast(screen)) this.step(screen);
  }

  /** @param {Wire.Screen} screen the first position of the replay */
  step(screen) {
    const replay = new Replay(screen, {
      ask: (ply) => this.#options.ask(`past:${screen.match}:0:${ply}`),
      press: (token, button) => void this.#presses.press(token, button),
      show: async (past) => {
        this.#board?.expect();
        await ready(past.picture);
        if (this.#replay !== replay) return;
        const moves = Math.abs((past.ply ?? 0) - (this.#past?.ply ?? Infinity)) === 1;
        this.#past = past;
        this.#options.stepped?.(past.ply ?? null);
        this.#options.change(() => {
          void this.#showBoard(moves).then((moved) => {
            if (moved.length) void play(isCapture(moved) ? "capture" : "move");
          });
        }, { still: true });
      },
      renew: (past) => {
        if (this.#replay === replay) this.step(past);
      },
      // If only earlier positions are shown, there is no way back.
      close: isPast(this.screen) ? null : () => this.leaveReplay(),
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

  /** Show the current board again, if an earlier position is shown instead. */
  leaveReplay() {
    if (!this.#replay || isPast(this.screen)) return;
    this.#endReplay();
    this.#options.change(() => {
      this.#showBoard();
      this.#arrange();
    }, { still: true });
    this.#focusPressed();
  }

  // Return from where a press has led.
  #focusPressed() {
    const { last } = this.#presses;
    (last?.isConnected ? last : this.element).focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #stepKey(event) {
    if (!this.#replay) return;
    if (event.key === "Escape" && !isPast(this.screen)) this.leaveReplay();
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
    this.#buttons.lend(isLent);
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
      this.#focusPressed();
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
    // First, as it asks where the board is: that lays out all changes before.
    if (screen.picture) {
      const { width, height } = screen.picture;
      this.element.style.setProperty("--ratio", String(width / height));
      this.#board ??= new Board(
        (cell, button, isDrop) => void this.#presses.tap(cell, button, isDrop),
        (text) => setText(this.#hint, text),
      );
    } else {
      this.#board = null;
    }
    void this.#showBoard(!this.#past && follows(before, screen), before?.version === screen.version).then((moved) => {
      const sound = soundOf(before, screen, moved);
      if (sound) void play(sound);
    });
    this.#showTitle(screen);
    this.#showText(screen);
    const invite = screen.invite || linkIn(screen);
    if (invite !== this.#invited) this.#invite.replaceChildren(...(invite ? inviteTo(invite, screen.title ?? "") : []));
    this.#invited = invite;
    this.#tables.replaceChildren(...(screen.tables ?? []).map(shownTable));
    setText(this.#note.firstElementChild, "");
    setText(this.#file, screen.file?.name ?? "");
    if (screen.file) {
      this.#file.href = screen.file.url;
      this.#file.download = screen.file.name;
    }
    const address = screen.link ? new URL(`#${screen.link.word}`, document.baseURI).href : "";
    setText(this.#link, screen.link?.label || address);
    if (screen.link) this.#link.href = address;
    this.element.classList.toggle("own", own);
    this.element.classList.toggle("turn", Boolean(screen.turn));
    this.element.classList.toggle("over", Boolean(screen.over));
    const rest = own ? word("only-you") : screen.over ? word("over") : "";
    setText(this.#chipTurn, screen.turn ? word("your-turn") + (rest && " · ") : "");
    setText(this.#chipRest, rest);
    this.#buttons.show(screen);
    this.#buttons.ask(screen.questions ?? []);
    this.#arrange();
  }

  // Show the picture: in a replay, that of the earlier position. `moves`: it follows the current one.
  #showBoard(moves = false, isPartial = false) {
    const { title = "", picture } = this.screen ?? {};
    const past = this.#past?.picture;
    const shown = past ?? picture;
    const how = { moves, isPartial, isPast: Boolean(past) };
    return (shown && this.#board?.show(shown, word("board", { name: title }), how)) ?? Promise.resolve([]);
  }

  /**
   * The status and deadline of a board come first, before questions.
   *
   * @param {Wire.Screen} screen
   */
  #showText({ text = "", copied = [], due: moment = null, picture, invite }) {
    const said = `${Boolean(picture)} ${moment?.at ?? ""} ${text}`;
    if (this.#said === said) return;
    this.#said = said;
    const link = linkIn({ copied });
    const lines = text.replace(link, "").split("\n");
    // The code to type is less important than the link. A line introduces it.
    const code = invite || link ? lines.findIndex((line) => copied.some((one) => line.includes(one))) - 1 : Infinity;
    const leads = (/** @type {string} */ line, /** @type {number} */ at) =>
      (!picture && at < code) || Boolean(this.#options.close && !link) || at === 0 || Boolean(moment && line.includes(moment.words));
    showLines(this.#text, lines.filter(leads), copied, moment);
    showLines(this.#more, lines.filter((line, at) => !leads(line, at)), copied, moment);
  }

  // Two players have plates instead of a title.
  /** @param {Wire.Screen} screen */
  #showTitle({ title = "", name = "", match, sides = [], picture }) {
    this.element.setAttribute("aria-label", title);
    const isPlated = Boolean(picture) && sides.length > 1 && title.startsWith(name);
    const named = isPlated ? name : title;
    if (this.#name.textContent !== named) this.#name.replaceChildren(...withStones(named));
    setText(this.#named, isPlated ? title.slice(name.length) : "");
    this.#named.className = "unseen";
    setText(this.#number, picture && match ? `#${match}` : "");
    showPlates(this.#sides, isPlated ? sides : []);
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
      ...(this.#buttons.questions.children.length ? [this.#buttons.questions] : []),
      ...(shown(this.#invite) ? [this.#invite] : []),
      ...(shown(this.#more) ? [this.#more] : []),
      ...(shown(this.#tables) ? [this.#tables] : []),
      ...(shown(this.#file) ? [this.#file] : []),
      ...(shown(this.#link) ? [this.#link] : []),
      ...(this.#buttons.element.children.length && !this.#buttons.isLent ? [this.#buttons.element] : []),
      ...(this.#lender ? [this.#lender.#buttons.element] : []),
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
}
