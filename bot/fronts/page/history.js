// A player's finished games as small boards, newest first, with filters.

import { make, setText } from "./dom.js";
import { card, GAMES } from "./home.js";
import { nameOf } from "./matches.js";
import { addressOf } from "./router.js";
import { ago, word } from "./words.js";

/** @typedef {(frame: Wire.Request) => Promise<Wire.Answer | null>} Ask */

export class History {
  #ask;
  #name;
  #against = make("p", { class: "against" });
  #list = make("ul", { class: "boards" });
  #said = make("p", { class: "page-text", role: "status" });
  #more = make("button", { type: "button", onclick: () => this.#load(this.#before) }, word("more"));
  #rated = make("input", { type: "checkbox", onchange: () => this.#load() });
  #game;
  #result;
  #before = 0;
  #asked = 0; // counts requests: only the last one's answer is shown
  element;

  /**
   * @param {Ask} ask
   * @param {string} name of the player, empty for the user
   */
  constructor(ask, name) {
    this.#ask = ask;
    this.#name = name;
    const results = ["won", "drawn", "lost"].map((one) => [one, word(one === "lost" ? "lost-game" : one)]);
    this.#game = this.#select("all-games", GAMES().map((game) => [game.id, game.name]));
    this.#result = this.#select("all-results", results);
    const title = make("h2", { id: "history-title" }, word("history"));
    const filters = make("div", { class: "row" }, this.#game, this.#result, make("label", {}, this.#rated, word("rated")));
    this.element = make(
      "section",
      { class: "history", "aria-labelledby": title.id },
      ...[title, this.#against, filters, this.#list, this.#said, this.#more],
    );
    void this.#load();
  }

  /**
   * @param {string} all what is chosen first
   * @param {string[][]} choices value and label
   */
  #select(all, choices) {
    const options = [["", word(all)], ...choices].map(([value, label]) => make("option", { value }, label));
    return make("select", { "aria-label": word(all), onchange: () => this.#load() }, ...options);
  }

  async #load(before = 0) {
    const asked = ++this.#asked;
    const [game, result, rated] = [this.#game.value, this.#result.value, this.#rated.checked];
    const done = await this.#ask({ t: "history", name: this.#name, game, result, rated, before });
    if (asked !== this.#asked) return;
    const found = done?.history;
    if (!found) return setText(this.#said, done?.error ?? word("lost"));
    const cards = found.games.map((one) => {
      const address = addressOf({ name: "g", argument: one.code });
      return card({ ...one, address }, nameOf(one), `${one.result} · ${ago(one.at)}`);
    });
    if (!before) this.#list.replaceChildren();
    this.#list.append(...cards);
    if (before) cards[0]?.querySelector("a")?.focus();
    this.#before = found.before;
    setText(this.#against, found.against);
    setText(this.#said, this.#list.childElementCount ? "" : word("history-empty"));
    this.#more.hidden = !found.before;
  }
}
