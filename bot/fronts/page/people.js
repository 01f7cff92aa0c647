// The list of users. A name opens actions.

import { arrange, byId, make, setText } from "./dom.js";
import { word } from "./words.js";

/** @typedef {{ item: HTMLElement, button: HTMLElement, actions: HTMLElement }} Person */

export class People {
  #list = byId("people");
  #host;
  /** @type {Map<string, Person>} by name */
  #known = new Map();
  /** @type {string | null} the open name */
  #open = null;
  #me = "";

  /**
   * @param {object} host
   * @param {(name: string) => void} host.challenge
   * @param {(name: string) => void} host.stats
   */
  constructor(host) {
    this.#host = host;
  }

  /**
   * @param {string[]} names
   * @param {string} me
   */
  show(names, me) {
    this.#me = me;
    const here = new Set(names);
    for (const name of this.#known.keys()) if (!here.has(name)) this.#known.delete(name);
    if (this.#open !== null && !here.has(this.#open)) this.#open = null;
    arrange(this.#list, names.map((name) => this.#item(name)));
  }

  /** @param {string} name */
  #item(name) {
    let person = this.#known.get(name);
    if (!person) {
      const button = make("button", { type: "button", class: "person", dir: "auto" }, name);
      button.addEventListener("click", () => this.#toggle(name));
      const actions = make("div", { class: "person-actions", role: "group" });
      person = { item: make("li", {}, button, actions), button, actions };
      this.#known.set(name, person);
    }
    this.#dress(name, person);
    return person.item;
  }

  /**
   * @param {string} name
   * @param {Person} person
   */
  #dress(name, { button, actions }) {
    const isOpen = this.#open === name;
    button.setAttribute("aria-expanded", String(isOpen));
    actions.hidden = !isOpen;
    if (!isOpen) return;
    const [challenge, stats] = [word("challenge", { name }), word("stats")];
    actions.setAttribute("aria-label", name);
    if (!actions.children.length) {
      if (name !== this.#me) {
        actions.append(make("button", { type: "button", class: "primary", onclick: () => this.#host.challenge(name) }));
      }
      actions.append(make("button", { type: "button", onclick: () => this.#host.stats(name) }));
    }
    setText(actions.querySelector(".primary"), challenge);
    setText(actions.lastElementChild, stats);
  }

  /** @param {string} name */
  #toggle(name) {
    this.#open = this.#open === name ? null : name;
    for (const [known, person] of this.#known) this.#dress(known, person);
    this.#known.get(name)?.item.scrollIntoView({ block: "nearest" });
  }
}
