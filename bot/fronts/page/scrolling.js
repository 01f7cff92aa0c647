// Scrolling of a log: at its end it follows new messages. Elsewhere the visible ones stay in place,
// without the scroll anchoring of browsers.

const NEAR_THE_END = 60; // pixels
const LARGE = 60; // pixels

export class Scrolling {
  #element;
  #list;
  #top;
  #isActive;
  #changed;
  follows = true;
  fresh = 0; // messages below the visible ones
  #scrollTop = 0;
  #lent = 0; // pixels of space below the last message

  /**
   * @param {HTMLElement} element the scrolled element
   * @param {object} parts
   * @param {HTMLElement} parts.list the messages
   * @param {HTMLElement} parts.top the part above them
   * @param {() => boolean} parts.isActive is it on the screen?
   * @param {() => void} parts.changed called when the position may have changed
   */
  constructor(element, { list, top, isActive, changed }) {
    this.#element = element;
    this.#list = list;
    this.#top = top;
    this.#isActive = isActive;
    this.#changed = changed;
    element.addEventListener("scroll", () => this.look(), { passive: true });
    new ResizeObserver(() => this.follows && this.toEnd()).observe(element);
  }

  restore() {
    if (this.follows) this.toEnd();
    else this.#element.scrollTop = this.#scrollTop;
  }

  /**
   * Keep the visible part in place while `update` changes the log: the board of `anchor`, another
   * board, `anchor` itself, or the first visible message. If the end was visible, keep the end
   * instead when that board leaves the log or the log grows by much (for a watched board: by
   * anything). Never do so if `still`, or if the board of `anchor` is in sight and not watched.
   *
   * @param {() => void} update
   * @param {{ anchor?: HTMLElement | null, still?: boolean, isWatched?: boolean }} how
   */
  keepPlace(update, { anchor = null, still = false, isWatched = false } = {}) {
    if (!this.#isActive()) return update();
    const height = this.#list.offsetHeight;
    const frame = this.#element.getBoundingClientRect();
    const isSeen = (/** @type {Element} */ element) => {
      const box = element.getBoundingClientRect();
      return box.height > 0 && box.bottom > frame.top && box.top < frame.bottom;
    };
    const own = anchor?.querySelector(".board");
    const boards = [...this.#list.querySelectorAll(".board")].reverse();
    const places = [...(own ? [own] : []), ...boards, anchor, ...this.#list.children]
      .filter((element) => element !== null && this.#list.contains(element) && isSeen(element))
      .map((element) => ({ element, top: element?.getBoundingClientRect().top ?? 0 }));
    const isStill = still || (!isWatched && places[0] && places[0].element === own);
    const over = this.#list.getBoundingClientRect().top - frame.top;
    update();
    const grown = this.#list.offsetHeight - height;
    const kept = places.find(({ element }) => this.#list.contains(element));
    const hasLeft = kept !== places[0];
    if (!isStill && this.follows && (hasLeft || grown > (isWatched ? 0 : LARGE))) return this.toEnd();
    if (!kept?.element) return;
    const { element: held, top: before } = kept;
    const moved = () => held.getBoundingClientRect().top - before;
    if (moved()) this.#element.scrollTop += moved();
    // The log is too short to hold its place: lend it the difference.
    if (moved() >= 1) {
      this.#lend(this.#lent + moved());
      this.#element.scrollTop += moved();
    }
    // A short log is aligned with its end: make it grow downwards.
    if (moved() <= -1) {
      this.#hold(over);
      this.#element.scrollTop += moved();
    }
  }

  /** @param {number} pixels */
  #hold(pixels) {
    this.#top.style.minHeight = `${pixels}px`;
  }

  /** @param {number} pixels */
  #lend(pixels) {
    this.#lent = pixels;
    this.#list.style.setProperty("--lent", `${pixels}px`);
  }

  toEnd() {
    if (!this.#isActive()) return;
    this.#lend(0);
    this.#hold(0);
    this.#element.scrollTop = this.#element.scrollHeight;
    this.fresh = 0;
    this.#changed();
  }

  look() {
    if (!this.#isActive()) return;
    const { scrollTop, scrollHeight, clientHeight } = this.#element;
    this.#scrollTop = scrollTop;
    if (this.#lent && scrollHeight - clientHeight - scrollTop > this.#lent) this.#lend(0);
    this.follows = scrollHeight - clientHeight - scrollTop < NEAR_THE_END;
    if (this.follows) this.fresh = 0;
    this.#changed();
  }

  get isNearTop() {
    return this.#top.getBoundingClientRect().bottom > this.#element.getBoundingClientRect().top - 400;
  }
}
