// A strip at the lower edge of a scrollable element shows that there is more below.

import { icon, make } from "./dom.js";

const LITTLE = 4; // pixels below the lower edge that do not count

export class LowerEdge {
  #scrolled;
  element = make("div", { class: "lower-edge", "aria-hidden": "true" }, icon("down"));

  /**
   * @param {HTMLElement} scrolled
   * @param {Iterable<Element>} parts children that can grow
   */
  constructor(scrolled, parts = []) {
    this.#scrolled = scrolled;
    scrolled.addEventListener("scroll", () => this.look(), { passive: true });
    const sizes = new ResizeObserver(() => this.look());
    for (const element of [scrolled, ...parts]) sizes.observe(element);
  }

  /** True if there is more below. */
  get isMore() {
    const { scrollHeight, clientHeight, scrollTop } = this.#scrolled;
    return scrollHeight - clientHeight - scrollTop > LITTLE;
  }

  /** Update the strip after a change of content. */
  look() {
    this.element.classList.toggle("is-more", this.isMore);
  }
}
