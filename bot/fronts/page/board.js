// A board: the server's picture, with a button over each cell, placed in percent. It knows no game.
// One cell is the tab stop. The arrow keys walk over all cells by their position in the picture,
// Home and End go to the first and last legal one. During a partial move, a pointer can start
// another one. Where a move has two steps, a drag makes both.

import { arrange, make } from "./dom.js";
import { Motion } from "./motion.js";

const PATIENCE = 4_000; // milliseconds until a card changes without its new picture
const SOON = 200; // milliseconds for a picture to arrive without a notice
const FIRST_PAUSE = 1_000; // before a picture that failed to load is requested again
const DRAG = 10; // pixels

/** @typedef {{ button: HTMLElement, cell: Wire.Cell, own: boolean }} Placed */
/** @typedef {{ button: HTMLElement, x: number, y: number, isDrag: boolean }} Held a cell that is pressed */

/** @type {WeakMap<Wire.Picture, HTMLImageElement>} loaded pictures that no board shows yet */
const loaded = new WeakMap();

/**
 * Resolves when the picture can be shown without flicker, or after a timeout.
 *
 * @param {Wire.Picture | null | undefined} picture
 */
export async function ready(picture) {
  if (!picture) return;
  const image = new Image();
  // It is decoded when it is painted: `decode` would wait for a frame before that.
  const isLoaded = new Promise((resolve) => {
    image.onload = () => resolve(loaded.set(picture, image));
    image.onerror = resolve;
  });
  image.src = picture.url;
  const enough = new Promise((resolve) => void setTimeout(resolve, PATIENCE));
  await Promise.race([isLoaded, enough]);
}

export class Board {
  #press;
  #hint;
  #image = make("img");
  #grid = make("div", { class: "cells", role: "group" });
  /** @type {Map<string, Placed>} by box as text */
  #cells = new Map();
  /** @type {HTMLElement | null} */
  #stop = null;
  #pause = FIRST_PAUSE;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #late;
  #motion = new Motion();
  /** @type {Wire.Box[]} of all cells */
  #boxes = [];
  #pressed = ""; // the box of the cell of the last press, as text
  /** @type {Held | null} */
  #held = null;

  /**
   * @param {(cell: Wire.Cell, button: HTMLElement, isDrop?: boolean) => void} press called for a
   *   click, and for both ends of a drag
   * @param {(text: string) => void} hint called for the cell under the pointer
   */
  constructor(press, hint) {
    this.#press = press;
    this.#hint = hint;
    this.element = make("div", { class: "board" }, this.#image, this.#motion.element, this.#grid);
    this.#grid.addEventListener("click", (event) => this.#click(event));
    this.#grid.addEventListener("pointerdown", (event) => this.#hold(event));
    this.#grid.addEventListener("pointermove", (event) => this.#drag(event));
    this.#grid.addEventListener("pointerup", (event) => this.#drop(event));
    for (const kind of ["pointerleave", "pointercancel"]) this.#grid.addEventListener(kind, () => this.#release());
    this.#grid.addEventListener("keydown", (event) => this.#walk(event));
    // A touch is a press. It shows its own text.
    this.#grid.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.#tell(event.target);
    });
    this.#grid.addEventListener("focusin", (event) => this.#tellFocused(event.target));
    for (const kind of ["pointerleave", "focusout"]) {
      this.#grid.addEventListener(kind, () => hint(""));
    }
  }

  /**
   * Show `picture`. `name` is the accessible name of the group of cells. `moves`: it follows the
   * current one. `isPartial`: but by no whole move. Resolves to what has moved then.
   *
   * @param {Wire.Picture} picture
   * @param {string} name
   * @param {{ moves?: boolean, isPartial?: boolean, isPast?: boolean }} how `isPast`: nothing can be pressed
   */
  show(picture, name, { moves = false, isPartial = false, isPast = false } = {}) {
    const { width, height } = picture;
    const isNew = this.#image.getAttribute("src") !== picture.url;
    const pressed = this.#boxes.find((box) => box.join() === this.#pressed) ?? null;
    if (isNew && !isPartial) this.#pressed = "";
    const old = this.#image;
    const isSeen = isNew && moves && this.element.offsetParent && !document.hidden;
    if (isNew) {
      this.#motion.stop();
      this.#image = this.#imageOf(picture);
      old.replaceWith(this.#image);
    }
    if (this.#image.complete) this.#arrived();
    this.#image.width = width;
    this.#image.height = height;
    this.#image.alt = picture.alt ?? "";
    this.#grid.setAttribute("aria-label", name);

    const hadFocus = this.#grid.contains(document.activeElement);
    const cells = isPast ? [] : [...(picture.cells ?? [])].sort(inReadingOrder);
    const before = this.#cells;
    this.#cells = new Map();
    const others = (picture.others ?? []).filter(({ box }) => !cells.some((cell) => cover(cell.box, box)));
    for (const [cell, box] of [...cells, ...others].flatMap(places)) {
      const key = box.join();
      const button = before.get(key)?.button ?? make("button", { type: "button", class: "cell" });
      const [left, top, right, bottom] = box;
      button.style.left = `${(100 * left) / width}%`;
      button.style.top = `${(100 * top) / height}%`;
      button.style.width = `${(100 * (right - left)) / width}%`;
      button.style.height = `${(100 * (bottom - top)) / height}%`;
      const isOther = others.includes(cell);
      button.classList.toggle("legal", Boolean(cell.legal) && !isOther);
      button.classList.toggle("other", isOther);
      button.classList.toggle("partial", Boolean(cell.legal && cell.partial));
      // For keyboards and screen readers, each choice appears once, in its own place.
      const isOwn = box === cell.box && !isOther;
      if (isOwn) button.setAttribute("aria-label", cell.label);
      else button.removeAttribute("aria-label");
      button.setAttribute("aria-hidden", String(!isOwn));
      this.#cells.set(key, { button, cell, own: isOwn });
    }
    arrange(this.#grid, [...this.#cells.values()].map(({ button }) => button));
    this.#grid.hidden = cells.length === 0;
    this.#learn(picture);
    this.#chooseStop();
    // The next step has other cells: focus the first one.
    if (hadFocus && !this.#ownPlaces().some(({ button }) => button === document.activeElement)) {
      /** @type {HTMLElement | null} */
      const card = this.element.closest(".card");
      (this.#stop ?? card)?.focus({ preventScroll: true });
    }
    this.#hint("");
    this.#tellFocused(document.activeElement);
    return isSeen ? this.#motion.play(old, this.#image, this.#boxes, { isPartial, pressed }) : Promise.resolve([]);
  }

  /** @param {Wire.Picture} picture */
  #imageOf(picture) {
    const image = loaded.get(picture) ?? make("img", { src: picture.url });
    loaded.delete(picture);
    image.decoding = "sync";
    image.draggable = false;
    image.addEventListener("load", () => this.#arrived());
    image.addEventListener("error", () => this.#again(image));
    return image;
  }

  // During a partial move, a picture has other cells.
  /** @param {Wire.Picture} picture */
  #learn({ cells = [], others, boxes = [] }) {
    if (!others) this.#boxes = [...boxes, ...cells.flatMap(places).map(([, box]) => box)];
  }

  /** @param {EventTarget | null} target */
  #tell(target) {
    this.#hint(this.#under(target)?.cell.label ?? "");
  }

  // For keyboards. A press by touch also moves the focus.
  /** @param {EventTarget | null} target */
  #tellFocused(target) {
    const isSeen = target instanceof Element && this.#grid.contains(target) && target.matches(":focus-visible");
    if (isSeen) this.#tell(target);
  }

  /** @param {string} label of a legal cell */
  offered(label) {
    return this.#ownPlaces().find(({ cell }) => cell.legal && cell.label === label);
  }

  /** @param {HTMLElement} button of a legal cell */
  at(button) {
    const found = this.#under(button);
    return found?.cell.legal ? found : undefined;
  }

  /** Until the pieces rest. */
  get rest() {
    return this.#motion.rest;
  }

  /** Another picture is loading: mark the current one as old if it takes long. */
  expect() {
    this.#late ??= setTimeout(() => this.element.classList.add("old"), SOON);
  }

  #arrived() {
    this.#pause = FIRST_PAUSE;
    clearTimeout(this.#late);
    this.#late = undefined;
    this.element.classList.remove("old");
  }

  /** Focus a playable cell. Returns false if there is none. */
  focus() {
    this.#stop?.focus({ preventScroll: true });
    return this.#stop !== null;
  }

  // The picture failed to load (server restart, lost connection): request it again.
  /** @param {HTMLImageElement} image */
  #again(image) {
    setTimeout(() => {
      if (image.isConnected) image.src = image.src; // eslint-disable-line no-self-assign
    }, this.#pause);
    this.#pause *= 2;
  }

  #chooseStop() {
    const all = this.#ownPlaces();
    const stays = all.find(({ button, cell }) => button === this.#stop && cell.legal);
    this.#setStop((stays ?? all.find(({ cell }) => cell.legal))?.button ?? null);
  }

  #ownPlaces() {
    return [...this.#cells.values()].filter(({ own }) => own);
  }

  /** @param {HTMLElement | null} stop */
  #setStop(stop) {
    this.#stop = stop;
    for (const { button } of this.#cells.values()) {
      const tabIndex = button === stop ? 0 : -1;
      // Each change of the focused one lays out the page.
      if (button.tabIndex !== tabIndex) button.tabIndex = tabIndex;
    }
  }

  /** @param {EventTarget | null} element */
  #under(element) {
    return [...this.#cells.values()].find(({ button }) => button === element);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const isByPointer = event.detail > 0;
    if (isByPointer && this.#held?.isDrag) return;
    this.#choose(event.target);
  }

  /** @param {EventTarget | null} target */
  #choose(target, isDrop = false) {
    const hit = this.#under(target);
    if (!hit) return;
    const { button } = this.#ownPlaces().find(({ cell }) => cell === hit.cell) ?? hit;
    if (button !== hit.button) button.focus({ preventScroll: true });
    this.#pressed = hit.cell.box.join();
    this.#press(hit.cell, button, isDrop);
  }

  // A cell answers to a press by itself, before anything is sent.
  /** @param {PointerEvent} event */
  #hold(event) {
    this.#release();
    const hit = event.isPrimary && event.button === 0 ? this.#under(event.target) : undefined;
    this.#held = hit ? { button: hit.button, x: event.clientX, y: event.clientY, isDrag: false } : null;
    hit?.button.classList.add("held");
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const held = this.#held;
    if (!held || !event.isPrimary || event.buttons === 0) return;
    if (!held.isDrag) {
      const isFar = Math.hypot(event.clientX - held.x, event.clientY - held.y) > DRAG;
      if (!isFar || !this.at(held.button)?.cell.partial) return;
      held.isDrag = true;
      this.#choose(held.button);
    }
    this.#mark(document.elementFromPoint(event.clientX, event.clientY));
  }

  /** @param {PointerEvent} event */
  #drop(event) {
    const held = this.#held;
    const target = document.elementFromPoint(event.clientX, event.clientY);
    this.#mark(null);
    if (held?.isDrag && target !== held.button) this.#choose(target, true);
  }

  // After a drag, the click that may follow belongs to it.
  #release() {
    this.#mark(null);
    this.#held = null;
  }

  /** @param {Element | null} target of a drag */
  #mark(target) {
    for (const { button } of this.#cells.values()) button.classList.toggle("held", button === target);
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const here = this.#under(event.target);
    if (!here) return;
    const legal = this.#ownPlaces().filter(({ cell }) => cell.legal);
    /** @type {Record<string, () => Placed | null | undefined>} */
    const ways = {
      ArrowLeft: () => this.#neighbour(here, -1, 0),
      ArrowRight: () => this.#neighbour(here, 1, 0),
      ArrowUp: () => this.#neighbour(here, 0, -1),
      ArrowDown: () => this.#neighbour(here, 0, 1),
      Home: () => legal[0],
      End: () => legal.at(-1),
    };
    if (!Object.hasOwn(ways, event.key)) return;
    event.preventDefault();
    const target = ways[event.key]?.();
    if (!target) return;
    this.#setStop(target.button);
    target.button.focus();
  }

  /**
   * Return the nearest cell in a direction, in the same row or column if possible.
   *
   * @param {Placed} here
   * @param {number} dx
   * @param {number} dy
   */
  #neighbour(here, dx, dy) {
    const [x, y] = centre(here.cell.box);
    let best = null;
    let bestCost = Infinity;
    for (const other of this.#ownPlaces()) {
      const [ox, oy] = centre(other.cell.box);
      const along = dx ? (ox - x) * dx : (oy - y) * dy;
      const aside = Math.abs(dx ? oy - y : ox - x);
      if (along <= 0 || aside > 2 * along) continue;
      const cost = along + (overlap(here.cell.box, other.cell.box, dx ? 1 : 0) ? 0 : 10_000 + 3 * aside);
      if (cost < bestCost) [best, bestCost] = [other, cost];
    }
    return best;
  }
}

/**
 * @param {Wire.Cell} cell
 * @returns {[Wire.Cell, Wire.Box][]} all its places in the picture, its own first
 */
function places(cell) {
  return [cell.box, ...(cell.also ?? [])].map((box) => [cell, box]);
}

/**
 * @param {Wire.Box} box
 * @returns {[x: number, y: number]}
 */
function centre([left, top, right, bottom]) {
  return [(left + right) / 2, (top + bottom) / 2];
}

/**
 * @param {Wire.Box} one
 * @param {Wire.Box} other
 * @param {0 | 1} axis 0 across, 1 down
 */
function overlap(one, other, axis) {
  const [from, to] = axis === 0 ? /** @type {const} */ ([0, 2]) : /** @type {const} */ ([1, 3]);
  return one[from] < other[to] && other[from] < one[to];
}

/**
 * @param {Wire.Box} one
 * @param {Wire.Box} other
 */
function cover(one, other) {
  return overlap(one, other, 0) && overlap(one, other, 1);
}

/**
 * @param {Wire.Cell} one
 * @param {Wire.Cell} other
 */
function inReadingOrder(one, other) {
  const [ax, ay] = centre(one.box);
  const [bx, by] = centre(other.box);
  return overlap(one.box, other.box, 1) ? ax - bx : ay - by;
}
