// Presses on a card, one at a time. A tap on the board waits until the previous one is shown.

const MOST_TAPS = 4; // on a board, while another one is processed
const TAP_HOLDS = 4_000; // milliseconds until it is dropped
const SOON = 300; // milliseconds until a pressed button shows that it works

/**
 * @typedef {object} Host
 * @property {HTMLElement} element of the card
 * @property {(token: string) => Promise<boolean | void>} press see `Card`
 * @property {() => Wire.Screen | null} screen
 * @property {() => import("./board.js").Board | null} board
 * @property {() => void} done called after each press of an offer
 */

export class Presses {
  #host;
  /** @type {HTMLElement | null} the last pressed element */
  last = null;
  #busy = false;
  /** @type {{ label: string, button: HTMLElement, isDrop: boolean, at: number }[]} taps that wait for the next position */
  #taps = [];
  /** @type {{ version: number | undefined, at: number } | null} of a board that is about to change */
  #settling = null;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
  }

  /**
   * @param {string | undefined} token
   * @param {HTMLElement} element
   */
  async press(token, element) {
    if (this.#busy || token === undefined) return;
    this.#busy = true;
    this.last = element;
    this.#host.element.setAttribute("aria-busy", "true");
    element.classList.add("pressed");
    const late = setTimeout(() => element.setAttribute("aria-busy", "true"), SOON);
    const { match, version } = this.#host.screen() ?? {};
    try {
      const goesOn = await this.#host.press(token);
      if (goesOn === undefined) this.#forget();
      // Only a match's board changes by itself.
      const isDue = goesOn && match && this.#host.screen()?.version === version;
      this.#settling = isDue ? { version, at: performance.now() } : null;
    } finally {
      this.#busy = false;
      this.#host.element.removeAttribute("aria-busy");
      element.classList.remove("pressed");
      clearTimeout(late);
      element.removeAttribute("aria-busy");
    }
    if (element.classList.contains("offer")) this.#host.done();
    this.#next();
  }

  /**
   * A tap on the board. While another one is processed, and until the board shows the result, a
   * legal tap waits. It is then pressed if the board still offers the same. The end of a drag waits
   * for what its beginning makes legal.
   *
   * @param {Wire.Cell} cell
   * @param {HTMLElement} button
   */
  tap({ label, legal, token }, button, isDrop = false) {
    if (!this.#waits) return this.press(token, button);
    const last = this.#taps.at(-1)?.button ?? this.last;
    if ((!legal && !isDrop) || button === last || this.#taps.length >= MOST_TAPS) return;
    this.#taps.push({ label, button, isDrop, at: performance.now() });
    button.classList.add("pressed");
  }

  /** @param {number | undefined} version of the newest position, which is shown now */
  shown(version) {
    if (this.#settling?.version !== version) this.#settling = null;
    this.#next();
  }

  #forget() {
    for (const { button } of this.#taps) button.classList.remove("pressed");
    this.#taps = [];
  }

  get #waits() {
    return this.#busy || (this.#settling !== null && performance.now() - this.#settling.at < TAP_HOLDS);
  }

  #next() {
    while (this.#taps.length && !this.#waits) {
      const tap = this.#taps.shift();
      tap?.button.classList.remove("pressed");
      const isMeant = tap && performance.now() - tap.at < TAP_HOLDS;
      const board = this.#host.board();
      const offered = tap?.isDrop ? board?.at(tap.button) : board?.offered(tap?.label ?? "");
      if (isMeant && offered) this.press(offered.cell.token, offered.button);
    }
  }
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
