// The messages of a log that are not loaded yet, from its top upwards.

import { make, setText } from "./dom.js";
import { word } from "./words.js";

export class Older {
  #host;
  /** @type {number | null} messages before this id are being loaded */
  #before = null;
  isComplete = false; // no older messages exist
  element = make("div", { class: "log-top" });

  /**
   * @param {object} host
   * @param {HTMLElement} host.log
   * @param {(before: number) => Promise<Wire.Answer | null>} host.ask
   * @param {() => number | undefined} host.oldest id of a message, if more may be loaded now
   * @param {() => boolean} host.isNearTop
   */
  constructor(host) {
    this.#host = host;
    new IntersectionObserver((seen) => seen.at(-1)?.isIntersecting && this.load(), {
      root: host.log,
      rootMargin: "400px 0px 0px",
    }).observe(this.element);
  }

  /** @param {Wire.Message} message is it one of the requested ones? */
  has(message) {
    return this.#before !== null && message.id < this.#before;
  }

  async load() {
    const oldest = this.#host.oldest();
    if (this.#before !== null || this.isComplete || oldest === undefined) return;
    this.#before = oldest;
    setText(this.element, word("loading"));
    const done = await this.#host.ask(oldest);
    this.#before = null;
    setText(this.element, "");
    if (!done?.ok) return;
    this.isComplete = !done.more;
    if (done.more && this.#host.isNearTop()) void this.load();
  }
}
