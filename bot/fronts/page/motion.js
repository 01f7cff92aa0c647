// Moves the pieces of a board from its old picture to the new one, on top of the new one. So nothing
// is wrong if it is interrupted. The choice belongs to this browser.

import { changes } from "./changes.js";
import { make, painted } from "./dom.js";
import { Scissors, pixels } from "./scissors.js";

const KEY = "azumaya-motion"; // "off": by choice
const FINE = 320; // pixels of a picture's width are enough to compare
const FADE = 160; // milliseconds for marks, and for pictures that have little in common
const DROP = 150;
const SLIDE = 230;
const TURN = 150;
const SECOND = 60; // until the second of two pieces drops
const RAY = 150; // until a ray has run into the board, and then out of it
const DEEP = 2.5; // cells that it is seen inside
const TURNS = 60; // until the first piece turns over
const STEP = 25; // until its neighbour does
const LATEST = 150; // until the last one does

/** @typedef {import("./changes.js").Change} Change */

export const motion = {
  get isChosen() {
    try {
      return localStorage.getItem(KEY) !== "off";
    } catch {
      return true; // Storage may be blocked.
    }
  },
  /** @param {boolean} wanted */
  choose(wanted) {
    try {
      if (wanted) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, "off");
    } catch {
      // Then the choice cannot be kept.
    }
  },
  /** Chosen, and not reduced by the system. */
  get isOn() {
    return this.isChosen && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  },
};

export class Motion {
  element = make("div", { class: "motion", "aria-hidden": "true" });
  #shows = 0;
  /** @type {Promise<void>} until the pieces rest after a move */
  rest = Promise.resolve();
  /** @type {{ image: HTMLImageElement, pixels: import("./changes.js").Pixels } | null} the last picture compared */
  #seen = null;

  /** Show the plain picture. */
  stop() {
    this.#shows += 1;
    this.element.replaceChildren();
  }

  /**
   * Move from the picture `before` to the one shown now. Resolves to what has moved.
   *
   * @param {HTMLImageElement} before
   * @param {HTMLImageElement} now
   * @param {Wire.Box[]} boxes of all cells, in pixels of the picture
   * @param {{ isPartial?: boolean, pressed?: Wire.Box | null }} how `isPartial`: no move, so marks
   *   appear, and a piece may slide. `pressed`: where the move was made
   * @returns {Promise<Change[]>}
   */
  async play(before, now, boxes, { isPartial = false, pressed = null } = {}) {
    // Then only a sound depends on it.
    if (!motion.isOn) await painted();
    if (!before.naturalWidth || !now.naturalWidth) return [];
    const isSameSize = before.naturalWidth === now.naturalWidth && before.naturalHeight === now.naturalHeight;
    const scale = Math.min(1, FINE / now.naturalWidth);
    const cells = boxes.map((box) => /** @type {Wire.Box} */ (box.map((one) => Math.round(one * scale))));
    const was = this.#seen?.image === before && isSameSize ? this.#seen.pixels : pixels(before, scale);
    this.#seen = { image: now, pixels: pixels(now, scale) };
    const moved = isSameSize ? changes(was, this.#seen.pixels, cells) : [];
    const cell = cells[boxes.findIndex((box) => box === pressed)];
    moved.sort((one, other) => Number(other.cell === cell) - Number(one.cell === cell));
    const shown = isPartial ? moved.filter(({ kind }) => kind === "slide") : moved;
    const moving = motion.isOn ? this.#show(layers(new Scissors(before, now, scale), shown, cells)) : Promise.resolve();
    this.rest = isPartial ? Promise.resolve() : moving;
    return shown;
  }

  /** @param {Layer[]} shown */
  async #show(shown) {
    const shows = ++this.#shows;
    this.element.replaceChildren(...shown.map(({ element }) => element));
    const running = shown.flatMap(({ element, frames, ...timing }) =>
      frames ? element.animate(frames, { easing: "ease-out", fill: "both", ...timing }).finished : [],
    );
    await Promise.allSettled(running);
    if (shows === this.#shows) this.stop();
  }
}

/** @typedef {{ element: HTMLElement, frames?: Keyframe[], delay?: number, duration?: number, easing?: string }} Layer */

/**
 * Return what lies over the new picture, from the bottom up: the old one, which fades, except where
 * a piece moves, the grounds of the pieces, and these.
 *
 * @param {Scissors} scissors
 * @param {Change[]} moved
 * @param {Wire.Box[]} cells
 * @returns {Layer[]}
 */
function layers(scissors, moved, cells) {
  const { before, now } = scissors;
  /** @type {[Layer[], Layer[]]} */
  const [grounds, pieces] = [[], []];
  const first = moved.find(({ kind }) => kind === "drop" || kind === "slide") ?? moved[0];
  const placed = moved.filter(({ kind }) => kind === "drop" || kind === "turn");
  const gates = placed.map((piece) => inward(piece.cell, cells));
  const isRay = placed.length > 0 && placed.length < 3 && gates.every(Boolean);
  let drops = 0;
  for (const piece of moved) {
    const isSecond = placed.indexOf(piece) > 0;
    const near = first ? Math.min(LATEST, TURNS + STEP * distance(first, piece)) : 0;
    const late = !isRay ? near : isSecond ? RAY : 0;
    const is = scissors.cut(piece, now);
    const shadow = scissors.cut(piece, "#000");
    shadow.classList.add("shadow");
    const gate = isRay && gates[placed.indexOf(piece)];
    if (gate) pieces.push(ray(piece.cell, gate, scissors, isSecond));
    if (piece.kind === "drop") {
      const timing = { duration: DROP, delay: drops++ ? (isRay ? RAY : SECOND) : 0, easing: "ease-in" };
      grounds.push({ element: scissors.cut(piece, before) });
      pieces.push(
        { element: shadow, frames: [{ transform: "scale(1.35)", opacity: 0 }, { opacity: 0, offset: 0.5 }, { opacity: 0.4, offset: 0.9 }, { opacity: 0 }], ...timing },
        { element: is, frames: [{ transform: above(piece), opacity: 0 }, { opacity: 1, offset: 0.4 }, {}], ...timing },
      );
    } else if (piece.kind === "turn") {
      const edgewise = { transform: "scaleX(0)" };
      grounds.push({ element: scissors.cut(piece, `rgb(${piece.ground.join()})`, 3) });
      pieces.push(
        { element: scissors.cut(piece, before), frames: [{}, edgewise], duration: TURN / 2, delay: late, easing: "ease-in" },
        { element: is, frames: [edgewise, {}], duration: TURN / 2, delay: late + TURN / 2 },
      );
    } else if (piece.from) {
      const timing = { duration: SLIDE, easing: "ease-in-out" };
      const [x, y] = way(piece, piece.from);
      const lift = isFree(piece, piece.from, cells) ? 1 : 1.25;
      const start = `translate(${x}%, ${y}%)`;
      grounds.push({ element: scissors.cut(piece, before) });
      pieces.push(
        { element: shadow, frames: [{ transform: start, opacity: 0.1 }, { opacity: 0.35 }, { opacity: 0 }], ...timing },
        { element: is, frames: [{ transform: start }, { transform: `translate(${x / 2}%, ${y / 2}%) scale(${lift})` }, {}], ...timing },
      );
      scissors.clear(piece.from);
    } else {
      pieces.push({ element: scissors.cut(piece, before), frames: [{}, { transform: "scale(0.6)", opacity: 0 }], duration: DROP, delay: late, easing: "ease-in" });
    }
  }
  for (const piece of moved) scissors.clear(piece);
  return [{ element: scissors.rest, frames: [{}, { opacity: 0 }], duration: FADE }, ...grounds, ...pieces];
}

/** @param {Wire.Box} box */
const middle = ([left, top, right, bottom]) => /** @type {const} */ ([(left + right) / 2, (top + bottom) / 2]);

/**
 * Return the way into the board from a place at its rim. null: this one is not around it. Such places
 * have no corners.
 *
 * @param {Wire.Box} cell
 * @param {Wire.Box[]} cells
 * @returns {[across: number, down: number] | null}
 */
function inward([left, top, right, bottom], cells) {
  const least = (/** @type {0 | 1} */ side) => Math.min(...cells.map((cell) => cell[side])) + 1;
  const most = (/** @type {2 | 3} */ side) => Math.max(...cells.map((cell) => cell[side])) - 1;
  if (cells.some((cell) => cell[0] <= least(0) && cell[1] <= least(1))) return null;
  if (left <= least(0)) return [1, 0];
  if (right >= most(2)) return [-1, 0];
  return top <= least(1) ? [0, 1] : bottom >= most(3) ? [0, -1] : null;
}

/**
 * Return the light that runs into the board, or out of it. Where it goes inside stays a secret.
 *
 * @param {Wire.Box} cell
 * @param {[across: number, down: number]} into
 * @param {Scissors} scissors
 * @param {boolean} isOut
 * @returns {Layer}
 */
function ray(cell, [across, down], scissors, isOut) {
  const element = make("div", { class: "ray" });
  scissors.place(element, cell);
  const frames = [{ transform: "none", opacity: 1 }, { transform: `translate(${100 * DEEP * across}%, ${100 * DEEP * down}%)`, opacity: 0 }];
  return { element, frames: isOut ? frames.reverse() : frames, duration: RAY, delay: isOut ? RAY / 2 : 0 };
}

/**
 * Return how many cells one piece is from another.
 *
 * @param {Change} one
 * @param {Change} other
 */
function distance(one, other) {
  const [[x, y], [toX, toY]] = [middle(one.cell), middle(other.cell)];
  return Math.max(Math.abs(toX - x), Math.abs(toY - y)) / (one.cell[2] - one.cell[0]);
}

/**
 * Return where a piece starts to fall: above its cell. Down a rod it keeps its size.
 *
 * @param {Change} piece
 */
function above({ box: [, top, , bottom], cell: [, ceiling, , floor] }) {
  const high = (top - ceiling + (floor - ceiling) / 5) / (bottom - top);
  return `translateY(${-100 * high}%) scale(${high > 1 ? 1 : 1.15})`;
}

/**
 * Return where a piece came from, in percent of its size.
 *
 * @param {Change} piece
 * @param {Change} from
 */
function way(piece, from) {
  const [[x, y], [fromX, fromY]] = [middle(piece.box), middle(from.box)];
  const [left, top, right, bottom] = piece.box;
  return /** @type {const} */ ([(100 * (fromX - x)) / (right - left + 2), (100 * (fromY - y)) / (bottom - top + 2)]);
}

/**
 * Return whether a piece slides: straight, and over no other cell.
 *
 * @param {Change} piece
 * @param {Change} from
 * @param {Wire.Box[]} cells
 */
function isFree(piece, from, cells) {
  const [[x, y], [toX, toY]] = [middle(from.cell), middle(piece.cell)];
  const between = (/** @type {number} */ at, /** @type {number} */ a, /** @type {number} */ b) => at >= Math.min(a, b) - 1 && at <= Math.max(a, b) + 1;
  const passed = cells.filter((cell) => between(middle(cell)[0], x, toX) && between(middle(cell)[1], y, toY));
  return Math.min(Math.abs(toX - x), Math.abs(toY - y)) < 2 && passed.length <= 2;
}
