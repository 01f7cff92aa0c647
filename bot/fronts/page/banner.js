// The banner: what is loading, a lost connection, a newer version of the page.

import { announce, byId, setText } from "./dom.js";
import { browserLanguage, speak, word } from "./words.js";

const READABLE = 1_500; // milliseconds in which the banner about a new version is read
const LATE = 900; // milliseconds without a connection before a notice
const SLOW = 300; // milliseconds until something that loads says so

/** @typedef {"open" | "lost" | "full" | "resting"} State of the connection */

export class Banner {
  #isKnown;
  #table = byId("table");
  #banner = byId("banner");
  #retry = byId("retry");
  /** @type {State} */
  #state = "open";
  #isOld = false; // is the page older than the server?
  #loading = 0; // how many things have been loading for long
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #late;

  /** @param {() => boolean} isKnown does the server know the user? */
  constructor(isKnown) {
    this.#isKnown = isKnown;
  }

  /** @param {State} state */
  state(state) {
    const wasShown = this.#state !== "open" && this.#late === undefined;
    this.#state = state;
    // What the server says holds at once, until it accepts the page again.
    if (state === "lost" && !wasShown) {
      this.#late ??= setTimeout(() => this.#stop(), LATE);
      return;
    }
    this.#stop();
    if (state === "open" && wasShown) announce(word(this.#isOld ? "newer" : "back"));
  }

  #stop() {
    clearTimeout(this.#late);
    this.#late = undefined;
    this.#render();
  }

  /** @param {Promise<unknown>} work after a while, the banner says that it takes long */
  async during(work) {
    let count = 0;
    const late = setTimeout(() => {
      this.#loading += count = 1;
      this.#render();
    }, SLOW);
    try {
      await work;
    } finally {
      clearTimeout(late);
      this.#loading -= count;
      this.#render();
    }
  }

  /**
   * Reload the page, once, unless something is being written.
   *
   * @param {string} build of a newer server
   * @param {boolean} isWriting
   */
  renew(build, isWriting) {
    this.#isOld = true;
    this.#render();
    this.#retry.addEventListener("click", () => location.reload(), { once: true });
    const isTried = history.state?.build === build;
    history.replaceState({ ...history.state, build }, "");
    if (!isWriting && !isTried) setTimeout(() => location.reload(), READABLE);
  }

  #render() {
    const state = this.#late === undefined ? this.#state : "open";
    const said = state !== "open" ? state : this.#isOld ? "newer" : this.#loading ? "opening" : "";
    this.#banner.hidden = !said;
    if (!said) return;
    if (!this.#isKnown()) speak(browserLanguage());
    this.#table.classList.toggle("unknown", !this.#isKnown());
    this.#table.hidden = false;
    setText(byId("banner-text"), word(said));
    this.#retry.hidden = said === "opening";
    setText(this.#retry, word(said === "newer" ? "reload" : said === "resting" ? "go-on" : "try-now"));
    this.#banner.classList.toggle("resting", said !== "lost" && said !== "opening");
  }
}
