// How a screen of a match follows another one, and what players hear of that.

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
export function follows(before, screen) {
  if (!before?.picture || !screen.picture || isPast(before) || isPast(screen)) return false;
  const steps = (screen.version ?? 0) - (before.version ?? 0);
  return before.match === screen.match && (steps === 0 || steps === 1);
}

/**
 * @param {Wire.Screen} before
 * @param {Wire.Screen | undefined} screen
 */
export function isNext(before, screen) {
  return screen !== undefined && follows(before, screen) && before.version !== screen.version;
}

// Pieces turn over or leave because of another one.
/** @param {import("./changes.js").Change[]} moved */
export function isCapture(moved) {
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
export function soundOf(before, screen, moved) {
  if (!before || !screen.mine || !isNext(before, screen)) return null;
  if (screen.over && !before.over) return "end";
  if (!moved.length) return null;
  return isCapture(moved) ? "capture" : before.turn ? "move" : "other";
}
