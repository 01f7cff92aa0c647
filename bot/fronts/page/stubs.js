// What stands in the log for a board: a button if it is on the stage, a line if others play.

import { make, setText, withStones } from "./dom.js";
import { word } from "./words.js";

const SIGN = " 🤖"; // of a computer: a sentence has no room for it

/** @typedef {import("./entry.js").Entry} Entry */

/** @param {Entry} entry is it the board of a match of other players? */
export function isOthers({ message: { screen } }) {
  return Boolean(screen.picture && screen.sides?.length && !screen.mine);
}

/**
 * Return what stands for a board in the log.
 *
 * @param {Entry} entry
 * @param {() => void} lead brings the board to the front
 */
export function stubOf(entry, lead) {
  const isLine = isOthers(entry);
  const button = make("button", { type: "button", class: isLine ? null : "stub", onclick: lead });
  entry.stub = isLine ? make("div", { class: "watch" }, make("p", { dir: "auto" }), button) : button;
  nameStub(entry);
  return entry.stub;
}

/** @param {Entry} entry label what stands for it, if anything does */
export function nameStub(entry) {
  const { stub, message: { screen } } = entry;
  if (!stub?.matches(".watch")) return label(stub, `${word("board-at-side")}: ${screen.title ?? ""}`);
  const [text, button] = [stub.querySelector("p"), stub.querySelector("button")];
  const watch = word(screen.over ? "board-at-side" : "watch");
  label(text, lineOf(screen));
  setText(button, watch);
  button?.setAttribute("aria-label", `${watch}: ${lineOf(screen)}`);
  // A game of two has a small board.
  if (!screen.picture || (screen.sides?.length ?? 0) < 2 || screen.sides?.some(({ is_computer }) => is_computer)) return;
  const { url, width, height } = screen.picture;
  const small = stub.querySelector("img") ?? make("img", { alt: "", width: 96, height: Math.round((96 * height) / width) });
  if (small.getAttribute("src") !== url) small.src = url;
  if (!small.isConnected) stub.prepend(small);
}

/** @param {Wire.Screen} screen of a match of other players, in one line */
export function lineOf({ title = "", name = "", sides = [], over }) {
  if (over) return `${title} · ${word("over")}`;
  if (!title.startsWith(name)) return title; // a puzzle
  const [player, opponent] = [...sides].sort((one, other) => Number(one.is_computer) - Number(other.is_computer));
  const names = { name: player?.name ?? "", game: name, other: opponent?.name.replace(SIGN, "") ?? "" };
  return word(opponent ? "plays-against" : "plays", names);
}

/**
 * @param {Element | null | undefined} element
 * @param {string} text
 */
function label(element, text) {
  if (element && element.textContent !== text) element.replaceChildren(...withStones(text));
}
