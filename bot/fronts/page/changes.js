// What has moved between two pictures of a board. It knows no game: a piece is what has changed in
// a cell, if that is large. Marks are small, or thin.

const NEAR = 48; // sum of the differences of red, green and blue, of colours that look the same
const AKIN = 150; // the same for one piece, with a mark on it or without
const MARKED = 0.35; // of the inside of a piece may be a mark
const INSIDE = 0.2; // of its width and height from the edge, where it may be framed
const LARGE = 0.45; // of the smaller side of its cell
const FULL = 0.6; // of its box: a frame or a letter has less
const ALIKE = 0.35; // by which the sizes of a piece differ at most
const EDGE = 2; // pixels at the edge of a cell that may belong to a line
const RING = 4; // pixels at its edge, with these, that show its colour

/** @typedef {Pick<ImageData, "data" | "width">} Pixels */
/** @typedef {number[]} Colour red, green and blue */
/**
 * @typedef {object} Change a piece, in pixels of the compared pictures
 * @property {"drop" | "turn" | "leave" | "slide"} kind
 * @property {Wire.Box} box
 * @property {Uint8Array} mask of the box: 1 where the piece is
 * @property {Colour} ground of its cell without a piece
 * @property {Wire.Box} cell
 * @property {Change} [from] of a slide
 */

/**
 * Return what has moved between two pictures of one size. Nothing, if too much has changed.
 *
 * @param {Pixels} before
 * @param {Pixels} after
 * @param {Wire.Box[]} cells
 * @returns {Change[]}
 */
export function changes(before, after, cells) {
  const found = cells.flatMap((cell) => changed(before, after, cell) ?? []);
  if (found.length > Math.max(4, cells.length / 2)) return [];
  for (const piece of found.filter(({ kind }) => kind === "drop")) {
    const tone = mean(colours(after, piece));
    const from = found.find((one) => {
      return one.kind === "leave" && areAlike(one.box, piece.box) && apart(mean(colours(before, one)), tone) < AKIN;
    });
    if (!from) continue;
    found.splice(found.indexOf(from), 1);
    Object.assign(piece, { kind: "slide", from });
  }
  return found;
}

/**
 * @param {Pixels} before
 * @param {Pixels} after
 * @param {Wire.Box} cell
 * @returns {Change | null}
 */
function changed(before, after, cell) {
  const [left, top, right, bottom] = cell;
  const [width, height] = [right - left, bottom - top];
  const differs = new Uint8Array(width * height);
  const [old, now] = [before, after].map(({ data }) => new Uint32Array(data.buffer));
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      // Most pixels are the same.
      const place = (top + y) * before.width + left + x;
      if (old?.[place] === now?.[place]) continue;
      const pixel = 4 * place;
      let sum = 0;
      for (let part = pixel; part < pixel + 3; part += 1) sum += Math.abs((before.data[part] ?? 0) - (after.data[part] ?? 0));
      differs[at] = Number(sum > NEAR);
    }
  }
  const part = largest(differs, width);
  if (!part.length) return null;
  const rows = spans(part, width);
  const x = Math.min(...[...rows.values()].map(([from]) => from));
  const y = Math.min(...rows.keys());
  const across = Math.max(...[...rows.values()].map(([, to]) => to)) + 1 - x;
  const down = rows.size;
  const side = LARGE * Math.min(width, height);
  if (Math.max(across, down) < side || Math.min(across, down) < side / 2) return null;
  if (part.length < FULL * across * down) return null;
  const mask = new Uint8Array(across * down);
  for (const [row, [from, to]] of rows) mask.fill(1, (row - y) * across + from - x, (row - y) * across + to - x + 1);
  /** @type {Wire.Box} */
  const box = [left + x, top + y, left + x + across, top + y + down];
  const [was, is] = [before, after].map((picture) => {
    const ground = edge(picture, cell);
    const shown = colours(picture, { box, mask });
    return { ground, isEmpty: shown.filter((one) => apart(one, ground) < NEAR).length > shown.length / 2 };
  });
  if (was.isEmpty && is.isEmpty) return null;
  const kind = was.isEmpty ? "drop" : is.isEmpty ? "leave" : "turn";
  return kind === "turn" && isSame(before, after, box) ? null : { kind, box, mask, ground: was.ground, cell };
}

/**
 * Return whether one piece is in both pictures, with another mark or frame.
 *
 * @param {Pixels} before
 * @param {Pixels} after
 * @param {Wire.Box} box
 */
function isSame(before, after, [left, top, right, bottom]) {
  const [across, down] = [right - left, bottom - top].map((size) => Math.round(size * INSIDE));
  /** @type {Wire.Box} */
  const inside = [left + (across ?? 0), top + (down ?? 0), right - (across ?? 0), bottom - (down ?? 0)];
  const mask = new Uint8Array((inside[2] - inside[0]) * (inside[3] - inside[1])).fill(1);
  const now = colours(after, { box: inside, mask });
  return colours(before, { box: inside, mask }).filter((one, at) => apart(one, now[at]) > AKIN).length < MARKED * now.length;
}

/**
 * Return the pixels of the largest connected part. It empties `differs`.
 *
 * @param {Uint8Array} differs
 * @param {number} width
 */
function largest(differs, width) {
  /** @type {number[]} */
  let best = [];
  for (let start = 0; start < differs.length; start += 1) {
    if (!differs[start]) continue;
    const part = [start];
    differs[start] = 0;
    for (const at of part) {
      const column = at % width;
      for (const next of [column ? at - 1 : -1, column < width - 1 ? at + 1 : -1, at - width, at + width]) {
        if (!differs[next]) continue;
        differs[next] = 0;
        part.push(next);
      }
    }
    if (part.length > best.length) best = part;
  }
  return best;
}

/**
 * Return the first and last column by row: without holes, as a mark on a piece leaves one.
 *
 * @param {number[]} part
 * @param {number} width
 */
function spans(part, width) {
  /** @type {Map<number, [from: number, to: number]>} */
  const rows = new Map();
  for (const at of part) {
    const [row, column] = [Math.floor(at / width), at % width];
    const [from, to] = rows.get(row) ?? [column, column];
    rows.set(row, [Math.min(from, column), Math.max(to, column)]);
  }
  return rows;
}

/**
 * @param {Pixels} picture
 * @param {number} pixel
 * @returns {Colour}
 */
function colour({ data }, pixel) {
  return [data[4 * pixel] ?? 0, data[4 * pixel + 1] ?? 0, data[4 * pixel + 2] ?? 0];
}

/**
 * @param {Pixels} picture
 * @param {Pick<Change, "box" | "mask">} piece
 */
function colours(picture, { box: [left, top, right], mask }) {
  const across = right - left;
  const pixels = [...mask.keys()].filter((at) => mask[at]);
  return pixels.map((at) => colour(picture, (top + Math.floor(at / across)) * picture.width + left + (at % across)));
}

// The colour of most of the edge of a cell.
/**
 * @param {Pixels} picture
 * @param {Wire.Box} cell
 */
function edge(picture, [left, top, right, bottom]) {
  /** @type {Colour[]} */
  const found = [];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const inside = Math.min(y - top, bottom - 1 - y, x - left, right - 1 - x);
      if (inside >= EDGE && inside < RING) found.push(colour(picture, y * picture.width + x));
    }
  }
  const middle = (/** @type {number} */ part) => found.map((one) => one[part] ?? 0).sort((a, b) => a - b)[found.length >> 1] ?? 0;
  return [0, 1, 2].map(middle);
}

/** @param {Colour[]} found */
function mean(found) {
  return [0, 1, 2].map((part) => found.reduce((sum, one) => sum + (one[part] ?? 0), 0) / found.length);
}

/**
 * @param {Colour} one
 * @param {Colour} other
 */
function apart([red = 0, green = 0, blue = 0], [r = 0, g = 0, b = 0]) {
  return Math.abs(red - r) + Math.abs(green - g) + Math.abs(blue - b);
}

/**
 * @param {Wire.Box} one
 * @param {Wire.Box} other
 */
function areAlike(one, other) {
  const sizes = [one, other].map(([left, top, right, bottom]) => [right - left, bottom - top]);
  return [0, 1].every((axis) => {
    const [size = 0, than = 0] = sizes.map((both) => both[axis] ?? 0);
    return Math.abs(size - than) <= ALIKE * than;
  });
}
