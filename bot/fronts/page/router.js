// The addresses of the app's places: `g/k7mf2qtx9wpa#12`, `rooms/lounge`, `settings`.

const NAMES = new Set([
  ...["blocked", "g", "games", "help", "language", "leaderboard", "people", "play", "privacy"],
  ...["puzzles", "rooms", "rules", "settings"],
]);
// No others have an argument: as part of a command, it could change something.
const WITH_ARGUMENT = new Set(["g", "leaderboard", "people", "play", "rooms", "rules"]);

/**
 * @typedef {object} Place
 * @property {string} name "" for home, "nowhere" for an address without a place
 * @property {string} argument a room, a player, a game or the code of a match
 * @property {number | null} [ply] of a replay
 */

/** @param {Pick<Place, "name" | "argument"> & { ply?: number | null }} place */
export function addressOf({ name, argument, ply = null }) {
  const path = [name, argument].filter(Boolean).map(encodeURIComponent).join("/");
  return new URL(path + (ply === null ? "" : `#${ply}`), document.baseURI).href;
}

/**
 * @param {string} address untrusted
 * @returns {Place}
 */
export function placeAt(address) {
  const nowhere = { name: "nowhere", argument: "" };
  const { pathname, hash } = new URL(address);
  const base = new URL(document.baseURI).pathname;
  if (!pathname.startsWith(base)) return nowhere;
  try {
    const [name = "", argument = "", ...more] = pathname.slice(base.length).split("/").map(decodeURIComponent);
    if (more.length || (name && !NAMES.has(name))) return nowhere;
    if (argument && !WITH_ARGUMENT.has(name)) return nowhere;
    const ply = /^#(\d{1,4})$/.exec(hash)?.[1];
    return { name, argument, ply: ply === undefined ? null : Number(ply) };
  } catch {
    return nowhere;
  }
}

export class Router {
  #open;

  /** @param {(place: Place) => void} open called when the user goes to another place */
  constructor(open) {
    this.#open = open;
    addEventListener("popstate", () => open(this.here));
    document.addEventListener("click", (event) => this.#follow(event));
  }

  get here() {
    return placeAt(location.href);
  }

  /** @param {Pick<Place, "name" | "argument">} place */
  go(place) {
    this.note(place);
    this.#open(this.here);
  }

  /**
   * Change the address to that of a place that is shown.
   *
   * @param {Parameters<typeof addressOf>[0]} place
   * @param {{ replaces?: boolean, state?: object | null }} how `replaces`: Back skips the previous
   *   address. `state`: kept with a new one
   */
  note(place, { replaces = false, state = null } = {}) {
    const address = addressOf(place);
    if (address === location.href) return;
    if (replaces) history.replaceState(history.state, "", address);
    else history.pushState(state, "", address);
  }

  // Links to places change the page in place. Those opened in a new tab load it there.
  /** @param {MouseEvent} event */
  #follow(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.target || link.download || !("place" in link.dataset)) return;
    event.preventDefault();
    this.go(placeAt(link.href));
  }
}
