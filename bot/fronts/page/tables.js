// Tables of a screen, for example the moves of a match with a column per side.

import { make } from "./dom.js";

/**
 * @param {Wire.Table} table
 * @returns {HTMLElement} scrolls if it is too wide
 */
export function shownTable({ title, head, rows }) {
  const caption = title ? [make("caption", {}, title)] : [];
  const heads = head.some(Boolean) ? [line("th", head, { scope: "col", dir: "auto" })] : [];
  const body = make("tbody", {}, ...rows.map((row) => line("td", row)));
  const table = make("table", {}, ...caption, ...heads.map((row) => make("thead", {}, row)), body);
  return make("div", { class: "card-table" }, table);
}

/**
 * @param {"td" | "th"} kind
 * @param {string[]} cells
 * @param {Record<string, string>} [attributes]
 */
function line(kind, cells, attributes = {}) {
  return make("tr", {}, ...cells.map((cell) => make(kind, cell ? attributes : {}, cell)));
}
