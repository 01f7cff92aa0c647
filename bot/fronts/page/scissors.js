// Cuts pieces out of the pictures of a board.

import { make } from "./dom.js";

/** @typedef {import("./changes.js").Change} Change */

export class Scissors {
  /** @type {Map<Change, HTMLCanvasElement>} */
  #shapes = new Map();

  /**
   * @param {HTMLImageElement} before
   * @param {HTMLImageElement} now
   * @param {number} scale pixels that were compared, per pixel of these
   */
  constructor(before, now, scale) {
    this.before = before;
    this.now = now;
    /** The old picture, from which pieces are cleared. */
    this.rest = paper(before.naturalWidth, before.naturalHeight)[0];
    this.rest.getContext("2d")?.drawImage(before, 0, 0);
    this.scale = scale;
  }

  /**
   * Return a piece in its place, cut out of a picture, or in one colour. It stays in its cell.
   *
   * @param {Change} piece
   * @param {HTMLImageElement | string} of
   * @param {number} [more] pixels around it
   */
  cut(piece, of, more = 1) {
    const [left = 0, top = 0, width = 0, height = 0] = this.#place(piece, more);
    const [canvas, pen] = paper(width, height);
    const [x = 0, y = 0, right = 0, bottom = 0] = piece.cell.map((one) => one / this.scale);
    pen?.rect(x - left, y - top, right - x, bottom - y);
    pen?.clip();
    pen?.drawImage(this.#shape(piece, more), 0, 0, width, height);
    if (pen) pen.globalCompositeOperation = "source-in";
    if (pen && typeof of === "string") pen.fillStyle = of;
    if (typeof of === "string") pen?.fillRect(0, 0, width, height);
    else pen?.drawImage(of, -left, -top);
    this.#put(canvas, [left, top, width, height]);
    return canvas;
  }

  /**
   * @param {HTMLElement} element
   * @param {Wire.Box} box of a cell
   */
  place(element, [left, top, right, bottom]) {
    this.#put(element, [left, top, right - left, bottom - top].map((one) => one / this.scale));
  }

  /**
   * @param {HTMLElement} element
   * @param {number[]} where left, top, width and height in the picture
   */
  #put(element, [left = 0, top = 0, width = 0, height = 0]) {
    const { naturalWidth: whole, naturalHeight: tall } = this.now;
    Object.assign(element.style, {
      left: `${(100 * left) / whole}%`,
      top: `${(100 * top) / tall}%`,
      width: `${(100 * width) / whole}%`,
      height: `${(100 * height) / tall}%`,
    });
  }

  /** @param {Change} piece that is to be missing in the old picture */
  clear(piece) {
    const pen = this.rest.getContext("2d");
    const [left = 0, top = 0, width = 0, height = 0] = this.#place(piece, 1);
    if (pen) pen.globalCompositeOperation = "destination-out";
    pen?.drawImage(this.#shape(piece, 1), left, top, width, height);
  }

  /**
   * @param {Change} piece
   * @param {number} more
   */
  #shape(piece, more) {
    const found = (more === 1 && this.#shapes.get(piece)) || shape(piece, more);
    if (more === 1) this.#shapes.set(piece, found);
    return found;
  }

  /**
   * @param {Change} piece
   * @param {number} more
   */
  #place({ box: [left, top, right, bottom] }, more) {
    return [left - more, top - more, right - left + 2 * more, bottom - top + 2 * more].map((one) => Math.round(one / this.scale));
  }
}

/**
 * Return the shape of a piece, wider by some pixels on all sides.
 *
 * @param {Change} piece
 * @param {number} more
 */
function shape({ box: [left, top, right, bottom], mask }, more) {
  const across = right - left;
  const [own, pen] = paper(across, bottom - top);
  const drawn = pen?.createImageData(own.width, own.height);
  for (const [at, isPiece] of mask.entries()) if (drawn && isPiece) drawn.data[4 * at + 3] = 255;
  if (drawn) pen?.putImageData(drawn, 0, 0);
  const [canvas, wide] = paper(own.width + 2 * more, own.height + 2 * more);
  for (let side = 0; side < 8; side += 1) {
    const angle = (side * Math.PI) / 4;
    wide?.drawImage(own, more * (1 + Math.cos(angle)), more * (1 + Math.sin(angle)));
  }
  return canvas;
}

/**
 * @param {number} width
 * @param {number} height
 * @param {boolean} [isRead]
 * @returns {[HTMLCanvasElement, CanvasRenderingContext2D | null]}
 */
function paper(width, height, isRead = false) {
  const canvas = make("canvas", { width, height });
  return [canvas, canvas.getContext("2d", { willReadFrequently: isRead })];
}

/**
 * @param {HTMLImageElement} picture
 * @param {number} scale
 */
export function pixels(picture, scale) {
  const [width, height] = [picture.naturalWidth * scale, picture.naturalHeight * scale];
  const [{ width: across, height: down }, pen] = paper(Math.ceil(width), Math.ceil(height), true);
  pen?.drawImage(picture, 0, 0, width, height);
  return pen?.getImageData(0, 0, across, down) ?? { data: new Uint8ClampedArray(), width: 0 };
}
