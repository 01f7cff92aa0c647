// Replay of a match: a move list, a slider, buttons, arrow keys, swipes. Positions are loaded on
// demand and cached. Dragging the slider only loads the last one.

import { arrange, icon, make, setText, withStones } from "./dom.js";
import { Course } from "./course.js";
import { word } from "./words.js";

// Milliseconds before a rate-limited request is repeated.
const PAUSES = [250, 500, 1_000, 2_000];
const GROWS_AFTER = 2_000; // milliseconds until new results of the analysis are requested
const SWIPE = 40; // pixels across, and less than half of it up or down

/**
 * @typedef {object} Options
 * @property {(ply: number) => Promise<Wire.Answer | null>} ask requests a position
 * @property {(token: string, button: HTMLElement) => void} press presses a button of a position
 * @property {(screen: Wire.Screen) => void} show shows the position of this screen
 * @property {(screen: Wire.Screen) => void} renew starts again with this screen: the moves have
 *   changed
 * @property {(() => void) | null} close goes back to the current board; null: not possible
 */

export class Replay {
  #options;
  #record;
  #ply;
  #wanted;
  #isAsking = false;
  #grows = false; // is the match being analysed?
  /** @type {number | ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Map<number, Wire.Screen>} by ply */
  #known = new Map();
  #slider = make("input", { type: "range", min: "0", step: "1" });
  #at = make("output", { class: "step-at", "aria-live": "polite" });
  #judged = make("p", { class: "judged", hidden: "" });
  #course;
  #branches = make("div", { class: "branches" }); // what starts from the position shown
  #body = make("tbody");
  /** @type {HTMLElement[]} by ply, from 1 */
  #moves = [];
  #ways;

  /**
   * @param {Wire.Screen} screen the first position
   * @param {Options} options
   */
  constructor(screen, options) {
    this.#options = options;
    this.#record = screen.record ?? [];
    this.#ply = this.#wanted = screen.ply ?? 0;
    this.#known.set(this.#ply, screen);
    this.#ways = {
      first: way("first", word("step-first"), () => this.go(0)),
      back: way("earlier", word("step-back"), () => this.go(this.#wanted - 1)),
      on: way("later", word("step-on"), () => this.go(this.#wanted + 1)),
      last: way("last", word("step-last"), () => this.go(this.#record.length)),
    };
    this.#course = new Course(screen.sides ?? [], (ply) => this.go(ply));
    const { first, back, on, last } = this.#ways;
    this.#slider.max = String(this.#record.length);
    this.#slider.setAttribute("aria-label", word("record"));
    this.#slider.addEventListener("input", () => this.go(Number(this.#slider.value)));
    const close = options.close && way("cross", word("close"), options.close);
    const table = make("table", {}, this.#head(screen.sides ?? []), this.#body);
    this.#fill((screen.sides ?? []).length);
    const list = make("div", { class: "record", tabindex: "-1" }, this.#record.length ? table : make("p", {}, word("record-empty")));
    if (screen.animation) {
      const href = `replay/${screen.match}.gif?theme=${window.theme.now}&language=${document.documentElement.lang}`;
      list.append(make("a", { class: "card-file", href, download: screen.animation }, word("step-download")));
    }
    // The list is laid out only when visible, and again when it becomes higher.
    new ResizeObserver(() => this.#showMove()).observe(list);
    this.element = make(
      "section",
      { class: "replay", "aria-label": word("record") },
      make("div", { class: "steps" }, first, back, make("div", { class: "step-where" }, this.#course.element, this.#slider, ...this.#course.names, this.#at), on, last, close),
      this.#judged,
      make("div", { class: "record-room" }, list),
      this.#branches,
    );
    this.#learn(screen);
    this.#render();
  }

  /** @param {number} ply */
  go(ply) {
    this.#wanted = Math.max(0, Math.min(ply, this.#record.length));
    this.#render();
    this.#follow();
  }

  // Returns whether the key was handled.
  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target === this.#slider) return false;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.go(this.#wanted - 1),
      ArrowRight: () => this.go(this.#wanted + 1),
      Home: () => this.go(0),
      End: () => this.go(this.#record.length),
    };
    if (!Object.hasOwn(keys, event.key)) return false;
    keys[event.key]?.();
    return true;
  }

  /**
   * Step by swipes over `board`. A swipe to the left steps forward.
   *
   * @param {HTMLElement} board
   * @returns {() => void} removes them
   */
  swipe(board) {
    let from = { x: 0, y: 0 };
    const down = (/** @type {PointerEvent} */ event) => (from = { x: event.clientX, y: event.clientY });
    const up = (/** @type {PointerEvent} */ event) => {
      const across = event.clientX - from.x;
      const along = Math.abs(event.clientY - from.y);
      if (Math.abs(across) < SWIPE || along > Math.abs(across) / 2) return;
      this.go(this.#wanted + (across < 0 ? 1 : -1));
    };
    board.addEventListener("pointerdown", down);
    board.addEventListener("pointerup", up);
    return () => {
      board.removeEventListener("pointerdown", down);
      board.removeEventListener("pointerup", up);
    };
  }

  async #follow() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    let refusals = 0;
    while (this.#ply !== this.#wanted) {
      const ply = this.#wanted;
      let screen = this.#known.get(ply);
      if (!screen) {
        const done = await this.#options.ask(ply);
        if (!done) break;
        if (!done.ok || !done.private) {
          const pause = PAUSES[refusals++];
          if (pause === undefined) break;
          await new Promise((resolve) => void setTimeout(resolve, pause));
          continue; // with the newest request
        }
        screen = done.private;
        if (this.#isOther(screen)) return void this.#options.renew(screen);
        this.#known.set(ply, screen);
        this.#learn(screen);
      }
      refusals = 0;
      this.#ply = ply;
      if (ply === this.#wanted) this.#options.show(screen);
    }
    this.#isAsking = false;
    this.#wanted = this.#ply;
    this.#render();
  }

  // Show the analysis. While it is running, request the rest.
  /** @param {Wire.Screen} screen */
  #learn({ evaluations = [], turning_points = [], is_analysing = false }) {
    this.#course.show(evaluations, turning_points, this.#record.length);
    this.#grows = is_analysing;
    if (is_analysing && this.#timer === undefined) this.#timer = setTimeout(() => this.#grow(), GROWS_AFTER);
  }

  async #grow() {
    this.#timer = undefined;
    if (!this.element.isConnected || !this.#grows) return;
    const ply = this.#ply;
    const done = document.hidden || this.#isAsking ? null : await this.#options.ask(ply);
    if (!this.element.isConnected) return;
    const screen = done?.ok ? done.private : null;
    // Other positions may have results by now, too.
    if (screen) this.#known = new Map([[ply, screen]]);
    this.#learn(screen ?? { is_analysing: true, evaluations: this.#course.chances, turning_points: this.#course.moments });
    this.#render();
  }

  // After a takeback, moves are missing from the list.
  /** @param {Wire.Screen} screen */
  #isOther({ record = this.#record }) {
    return this.#record.some(({ seat, text }, at) => record[at]?.seat !== seat || record[at]?.text !== text);
  }

  /** @param {Wire.Side[]} sides */
  #head(sides) {
    if (sides.length < 2) return null;
    const row = make("tr", {}, make("td"));
    for (const { mark, seat } of sides) row.append(make("th", { scope: "col" }, ...withStones(`${mark} ${seat}`)));
    return make("thead", {}, row);
  }

  // A move by the same or an earlier seat than the last one starts a row.
  /** @param {number} seats */
  #fill(seats) {
    /** @type {HTMLElement[]} */
    const rows = [];
    let column = Infinity;
    this.#moves = this.#record.map(({ seat, text }, at) => {
      const move = make("button", { type: "button", onclick: () => this.go(at + 1) }, text);
      if (seat <= column || rows.length === 0) {
        rows.push(make("tr", {}, make("th", { scope: "row" }, String(rows.length + 1))));
        column = -1;
      }
      for (; column < seat - 1; column += 1) rows.at(-1)?.append(make("td"));
      rows.at(-1)?.append(make("td", {}, move));
      column = seat;
      if (seats < 2) column = Infinity;
      return move;
    });
    arrange(this.#body, rows);
  }

  #render() {
    const count = this.#record.length;
    this.#slider.value = String(this.#wanted);
    const move = this.#record[this.#wanted - 1]?.text;
    const told = word("step-at", { count: this.#wanted, of: count }) + (move ? `: ${move}` : "");
    this.#slider.setAttribute("aria-valuetext", told);
    setText(this.#at, told);
    this.#course.mark(this.#wanted);
    // Until a position has loaded, keep the previous text, so that nothing jumps.
    const { judged } = this.#known.get(this.#wanted) ?? { judged: this.#judged.textContent };
    if (this.#judged.textContent !== judged) {
      const facts = (judged ?? "").split("\n").map((fact) => make("span", {}, fact));
      this.#judged.replaceChildren(...facts.flatMap((fact, at) => (at ? ["\n", fact] : [fact])));
    }
    this.#judged.hidden = !judged;
    this.#showBranches();
    // After the first result, reserve its space at every move.
    if (judged || !this.#course.element.hidden) this.element.classList.add("looked");
    const { first, back, on, last } = this.#ways;
    for (const [button, isEnd] of /** @type {const} */ ([
      [first, this.#wanted === 0],
      [back, this.#wanted === 0],
      [on, this.#wanted === count],
      [last, this.#wanted === count],
    ])) button.setAttribute("aria-disabled", String(isEnd));
    this.#moves.forEach((button, at) => {
      const isHere = at + 1 === this.#wanted;
      button.tabIndex = isHere || (this.#wanted === 0 && at === 0) ? 0 : -1;
      if (isHere) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    this.#showMove();
  }

  // Until a position has loaded, keep those of the previous one, which is still shown.
  #showBranches() {
    const { buttons } = this.#known.get(this.#wanted) ?? {};
    const branches = buttons?.flat().filter(({ token }) => !token.startsWith("past:"));
    if (!branches) return;
    const press = (/** @type {string} */ token) => (/** @type {Event} */ { currentTarget }) => {
      if (currentTarget instanceof HTMLElement) this.#options.press(token, currentTarget);
    };
    arrange(this.#branches, branches.map(({ label, token }, at) => {
      const known = this.#branches.children[at];
      const button = known instanceof HTMLElement ? known : make("button", { type: "button" });
      setText(button, label);
      button.onclick = press(token);
      return button;
    }));
  }

  #showMove() {
    const list = this.element.querySelector(".record");
    if (!list) return;
    const move = this.#moves[this.#wanted - 1];
    if (!move) return void (list.scrollTop = 0);
    const { top, height } = move.getBoundingClientRect();
    const above = top - list.getBoundingClientRect().top;
    list.scrollTop += above - (list.clientHeight - height) / 2;
  }
}

/**
 * @param {string} name of its class and icon
 * @param {string} label
 * @param {() => void} onclick
 */
function way(name, label, onclick) {
  const attributes = { type: "button", class: `icon ${name}`, "aria-label": label, title: label, onclick };
  return make("button", attributes, icon(name));
}
