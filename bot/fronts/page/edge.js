// Of what can be scrolled it can be seen that there is more below: a strip at its lower edge.

import { icon, make } from "./dom.js";

const LITTLE = 4; // pixels below the lower edge that nobody misses

export class LowerEdge {
  #scrolled;
  element = make("div", { class: "lower-edge", "aria-hidden": "true" }, icon("down"));

  /**
   * @param {HTMLElement} scrolled
   * @param {Iterable<Element>} parts of it that grow by themselves
   */
  constructor(scrolled, parts = []) {
    this.#scrolled = scrolled;
    scrolled.addEventListener("scroll", () => this.look(), { passive: true });
    const sizes = new ResizeObserver(() => this.look());
    for (const element of [scrolled, ...parts]) sizes.observe(element);
  }

  /** Is there more below? */
  get isMore() {
    const { scrollHeight, clientHeight, scrollTop } = this.#scrolled;
    return scrollHeight - clientHeight - scrollTop > LITTLE;
  }

  /** What is in there has changed. */
  look() {
    this.element.classList.toggle("is-more", this.isMore);
  }
}
