// The buttons of a card: rows with offers that can be unfolded, and questions with their answers. A
// button keeps its element and the focus, even at another place.

import { arrange, make, setText, withStones } from "./dom.js";
import { word } from "./words.js";

const FEW = 5; // so many buttons fit side by side on a phone
const FEW_LETTERS = 36; // and one more, if their unbreakable parts are not longer

export class Buttons {
  #left;
  #unfold = make("button", { type: "button", class: "more", "aria-expanded": "false", onclick: () => this.fold(this.#isUnfolded) });
  /** @type {Map<string, HTMLElement>} by "label#occurrence" */
  #buttons = new Map();
  /** @type {WeakMap<Element, string>} */
  #tokens = new WeakMap();
  /** @type {HTMLElement | null} */
  #stop = null;
  isLent = false;
  element = make("div", { class: "card-buttons" });
  questions = make("ul", { class: "card-questions" });

  /**
   * @param {(token: string | undefined, button: HTMLElement) => void} press
   * @param {() => void} left called when the focused button is gone
   */
  constructor(press, left) {
    this.#left = left;
    for (const part of [this.element, this.questions]) {
      part.addEventListener("click", (event) => {
        const button = event.target instanceof Element && event.target.closest("button");
        if (button && button.getAttribute("aria-disabled") !== "true") press(this.#tokens.get(button), button);
      });
    }
    this.element.addEventListener("keydown", (event) => this.#walk(event));
    this.element.addEventListener("focusin", (event) => {
      if (event.target instanceof HTMLElement) this.#setStop(event.target);
    });
  }

  /**
   * Offers precede the button to resign. If there is no room, another button unfolds them.
   *
   * @param {Wire.Screen} screen
   */
  show({ buttons: rows = [], offers = [], match, title = "" }) {
    const hadFocus = this.element.contains(document.activeElement);
    const before = this.#buttons;
    const folded = [...rows.flat(), ...(offers.length ? [{ label: word("more"), token: "" }] : [])];
    this.element.classList.toggle("few", areFew(folded));
    this.element.classList.toggle("full", folded.length >= FEW);
    setText(this.#unfold, word("more"));
    this.#buttons = new Map();
    const lines = rows.filter((row) => row.length).map((row) => {
      const last = row.findIndex(({ style }) => style === "danger");
      const isSplit = last >= 0 && offers.length > 0;
      const elements = (isSplit ? row.toSpliced(last, 0, ...offers) : row).map((button) => {
        let occurrence = 0;
        while (this.#buttons.has(`${button.label}#${occurrence}`)) occurrence += 1;
        const key = `${button.label}#${occurrence}`;
        const element = this.#dressed(before.get(key), button);
        if (offers.includes(button)) element.className = "offer";
        this.#buttons.set(key, element);
        return element;
      });
      if (isSplit) elements.splice(last + offers.length, 0, this.#unfold);
      return { elements, parent: elements[0]?.parentElement };
    });
    const used = new Set();
    arrange(this.element, lines.map(({ elements, parent }) => {
      const row = parent && !used.has(parent) ? parent : make("div", { class: "row" });
      used.add(row);
      arrange(row, elements);
      return row;
    }));
    // The buttons of a match are one tab stop, with arrow keys between them.
    const isOneStop = Boolean(match) && this.#buttons.size > 1;
    for (const [name, value] of [["role", "toolbar"], ["aria-label", title]]) {
      if (isOneStop) this.element.setAttribute(name ?? "", value ?? "");
      else this.element.removeAttribute(name ?? "");
    }
    this.#setStop(this.#stop);
    // Stay at the card, not at a new button in its place.
    if (hadFocus && !this.element.contains(document.activeElement)) this.#left();
  }

  // Questions that remain keep their elements.
  /** @param {Wire.Question[]} questions */
  ask(questions) {
    const hadFocus = this.questions.contains(document.activeElement);
    const before = new Map([...this.questions.children].map((one) => [one.firstElementChild?.textContent, one]));
    arrange(this.questions, questions.map(({ text, answers }) => {
      const item = before.get(text) ?? make("li", {}, make("p", { dir: "auto" }, ...withStones(text)), make("div", { class: "row" }));
      const known = [...(item.lastElementChild?.children ?? [])];
      const shown = answers.map((button) => this.#dressed(known.find((one) => one.textContent === button.label), button));
      arrange(item.lastElementChild ?? item, shown);
      return item;
    }));
    if (hadFocus && !this.questions.contains(document.activeElement)) this.#left();
  }

  /**
   * @param {Element | undefined} known
   * @param {Wire.Button} button
   */
  #dressed(known, { label, named, style, token, disabled }) {
    const element = known instanceof HTMLElement ? known : make("button", { type: "button" }, ...withStones(label));
    element.className = style ?? "plain";
    if (named) element.setAttribute("aria-label", named);
    element.setAttribute("aria-disabled", String(disabled ?? false));
    this.#tokens.set(element, token);
    return element;
  }

  /** @param {boolean} isLent another card shows them */
  lend(isLent) {
    this.isLent = isLent;
    this.element.classList.toggle("lent", isLent);
    this.#setStop(this.#stop);
  }

  get #isUnfolded() {
    return this.element.classList.contains("unfolded");
  }

  /** @param {boolean} folds hide the offers, otherwise the other buttons */
  fold(folds) {
    this.element.classList.toggle("unfolded", !folds);
    this.#unfold.setAttribute("aria-expanded", String(!folds));
    this.#setStop(this.#offered.find(isSeen) ?? null);
  }

  /** @param {HTMLElement | null} stop */
  #setStop(stop) {
    const buttons = this.#offered;
    this.#stop = stop && buttons.includes(stop) ? stop : (buttons[0] ?? null);
    const isOneStop = this.element.hasAttribute("role");
    for (const button of buttons) button.tabIndex = !isOneStop || button === this.#stop ? 0 : -1;
  }

  get #offered() {
    const buttons = [...this.#buttons.values()];
    return this.isLent ? buttons.filter((button) => !button.classList.contains("primary")) : buttons;
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.element.hasAttribute("role")) return;
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
