// The evaluation graph below a board, under an invisible slider. A press on a turning point goes to
// that move.

import { arrange, make, setText } from "./dom.js";
import { word } from "./words.js";

const SPACE = "http://www.w3.org/2000/svg";

export class Course {
  #go;
  #drawing = document.createElementNS(SPACE, "svg");
  #area = document.createElementNS(SPACE, "polygon");
  #line = document.createElementNS(SPACE, "polyline");
  #here = make("div", { class: "course-here" });
  #spots = make("div");
  /** The side that is ahead at the top, and at the bottom. */
  names = [make("span", { class: "ahead above" }), make("span", { class: "ahead below" })];
  #count = 1;

  /** @type {number[]} */
  chances = [];
  /** @type {number[]} */
  moments = [];

  /**
   * @param {Wire.Side[]} sides
   * @param {(ply: number) => void} go
   */
  constructor(sides, go) {
    this.#go = go;
    this.#drawing.setAttribute("preserveAspectRatio", "none");
    this.#drawing.setAttribute("aria-hidden", "true");
    const middle = document.createElementNS(SPACE, "line");
    for (const [name, value] of Object.entries({ x1: "0", x2: "100%", y1: "50", y2: "50" })) middle.setAttribute(name, value);
    this.#drawing.append(this.#area, middle, this.#line);
    this.names.forEach((name, at) => setText(name, word("ahead", { name: sides[at]?.name ?? "" })));
    this.element = make("div", { class: "course", hidden: "" }, this.#drawing, this.#here, this.#spots);
  }

  /**
   * @param {number[]} chances of the first side, at the start and after each known move
   * @param {number[]} moments
   * @param {number} count of all moves
   */
  show(chances, moments, count) {
    this.chances = chances;
    this.moments = moments;
    this.#count = Math.max(1, count);
    this.element.hidden = chances.length < 2;
    this.#drawing.setAttribute("viewBox", `0 0 ${this.#count} 100`);
    const points = chances.map((chance, ply) => `${ply},${100 - chance * 100}`);
    this.#line.setAttribute("points", points.join(" "));
    this.#area.setAttribute("points", ["0,50", ...points, `${chances.length - 1},50`].join(" "));
    arrange(this.#spots, moments.map((ply, at) => {
      const label = word("moment", { count: ply });
      const spot = this.#spots.children[at] ?? make("button", { type: "button", class: "moment" });
      if (!(spot instanceof HTMLElement)) throw new Error("a spot is a button");
      // By keyboard it is this one. If two overlap, a press goes to the closer one.
      spot.onclick = (event) => this.#go(event.detail ? this.#closest(event) : ply);
      spot.setAttribute("aria-label", label);
      spot.title = label;
      spot.style.left = `${(ply / this.#count) * 100}%`;
      spot.style.top = `${100 - (chances[ply] ?? 0.5) * 100}%`;
      return spot;
    }));
  }

  /**
   * @param {MouseEvent} press
   * @returns {number} the closest turning point
   */
  #closest({ clientX, clientY }) {
    const { left, top, width, height } = this.element.getBoundingClientRect();
    /** @param {number} ply */
    const distance = (ply) =>
      Math.hypot(left + (ply / this.#count) * width - clientX, top + (1 - (this.chances[ply] ?? 0.5)) * height - clientY);
    return this.moments.reduce((best, ply) => (distance(ply) < distance(best) ? ply : best));
  }

  /** @param {number} ply the current position */
  mark(ply) {
    this.#here.style.left = `${(ply / this.#count) * 100}%`;
  }
}
