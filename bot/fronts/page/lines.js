// Parts of a card: lines of text, the plates of two players, notes.

import { arrange, icon, make, setText, withStones } from "./dom.js";
import { due } from "./due.js";
import { word } from "./words.js";

const ENDED = /[.!?:…]$/; // no separator is needed after such a line
const SHORTENED = /\s(?:Std|Min|Sek)\.$/; // except if it ends with an abbreviated unit of time

/** @typedef {{ words: string, at: number } | null} Moment */

/**
 * Show each line as an element, so that lines can share a row if space is short (see board.css).
 *
 * @param {Element} element
 * @param {string[]} lines
 * @param {string[]} copied
 * @param {Moment} moment
 */
export function showLines(element, lines, copied, moment) {
  const shown = lines.map((line) => {
    const isEnded = ENDED.test(line) && !SHORTENED.test(line);
    return make("span", { class: isEnded ? "ended" : "" }, ...withMarks(line, copied, moment));
  });
  element.replaceChildren(...shown.flatMap((line, at) => (at ? ["\n", line] : [line])));
}

/**
 * Return a line with drawn stones, text to copy that is selected as a whole, and times in local
 * time.
 *
 * @param {string} line
 * @param {string[]} copied
 * @param {Moment} moment
 * @returns {(string | Element)[]}
 */
function withMarks(line, copied, moment) {
  const marked = [moment?.words ?? "", ...copied].find((one) => one && line.includes(one));
  if (!marked) return withStones(line);
  const at = line.indexOf(marked);
  const mark = marked === moment?.words ? due(moment.at) : make("code", { class: "copied" }, marked);
  return [...withStones(line.slice(0, at)), mark, ...withStones(line.slice(at + marked.length))];
}

/**
 * @param {Element} list
 * @param {Wire.Side[]} sides
 */
export function showPlates(list, sides) {
  arrange(list, sides.map((side, at) => {
    const plate = list.children[at] ?? make(
      "li",
      {},
      make("span", { class: "mark", "aria-hidden": "true" }),
      make("span", { class: "name", dir: "auto" }),
      make("span", { class: "seat" }),
    );
    plate.classList.toggle("turn", side.has_turn);
    plate.classList.toggle("mine", side.is_mine);
    const [mark, who, seat] = plate.children;
    if (mark?.textContent !== side.mark) mark?.replaceChildren(...withStones(side.mark));
    setText(who ?? null, side.name);
    setText(seat ?? null, !side.is_mine ? side.seat : side.seat ? word("you-play", { side: side.seat }) : word("you"));
    return plate;
  }));
}

/** @param {() => void} onclick */
export function cross(onclick) {
  const attributes = { type: "button", class: "icon", "aria-label": word("close"), onclick };
  return make("button", attributes, icon("cross"));
}

/**
 * Return a note that can be closed.
 *
 * @param {string} kind
 * @param {string} text
 * @param {() => void} close
 */
export function note(kind, text, close) {
  return make("div", { class: `note ${kind}` }, make("p", { dir: "auto" }, text), cross(close));
}
