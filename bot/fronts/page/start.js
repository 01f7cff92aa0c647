// The start card: a form with the server's options for a match. It keeps the choices.

import { make, setText } from "./dom.js";
import { word } from "./words.js";

const OTHER = "other"; // a name to be typed

/**
 * @typedef {object} Host
 * @property {(chosen: Wire.Start) => void} start
 * @property {(token: string) => void} rules
 */

export class StartForm {
  #card;
  /** @type {Map<string, HTMLFieldSetElement>} by field name */
  #sets = new Map();
  #other = make("input", { class: "pick-name", autocomplete: "off", maxlength: "64", spellcheck: "false" });
  #about = make("p", { class: "quiet" }); // the strength of the chosen computer
  #begin = make("button", { class: "primary" });

  /**
   * @param {Wire.StartCard} card
   * @param {Host} host
   */
  constructor(card, host) {
    this.#card = card;
    this.#other.setAttribute("aria-label", word("whom-name"));
    this.#other.placeholder = word("whom-name");
    const rules = make("button", { type: "button", "data-rules": true, onclick: () => host.rules(card.rules) }, word("rules"));
    this.element = make(
      "form",
      { class: "start", novalidate: true },
      make("p", { class: "quiet" }, card.about),
      this.#whom(card.whom, card.computers),
      ...card.options.map((field) => this.#pick(field)),
      this.#pick(card.side),
      ...(card.rated ? [this.#pick(card.rated)] : []),
      this.#pick(card.clock),
      ...card.more.map((field) => this.#pick(field)),
      make("div", { class: "row start-row" }, this.#begin, rules),
    );
    this.element.addEventListener("change", () => this.#tell());
    this.element.addEventListener("input", () => this.#tell());
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#chosen("whom") === OTHER && !this.#other.value.trim()) this.#other.focus();
      else host.start(this.#filled());
    });
    this.#tell();
  }

  /** @param {string} name the preselected opponent, not necessarily among the choices */
  ask(name) {
    const inputs = [...(this.#sets.get("whom")?.querySelectorAll("input") ?? [])];
    const known = inputs.find((input) => input.type === "radio" && input.value === name);
    const meant = known ?? inputs.find((input) => input.dataset.other !== undefined);
    if (meant) meant.checked = true;
    if (!known) this.#other.value = name;
    if (this.#isAlone) this.#playTogether();
    this.#tell();
  }

  /** Choose the first option for two players. */
  #playTogether() {
    const values = this.#options();
    for (const [index, field] of this.#card.options.entries()) {
      for (const { value } of field.choices) {
        const other = values.map((before, at) => (at === index ? value : before));
        if (this.#isAloneWith(other)) continue;
        /** @type {NodeListOf<HTMLInputElement> | undefined} */
        const inputs = this.#sets.get(field.name)?.querySelectorAll("input");
        for (const input of inputs ?? []) input.checked = input.value === value;
        return;
      }
    }
  }

  #options() {
    return this.#card.options.map(({ name }) => this.#chosen(name));
  }

  get #isAlone() {
    return this.#isAloneWith(this.#options());
  }

  /** @param {string[]} values */
  #isAloneWith(values) {
    return this.#card.alone.some((alone) => alone.every((value, at) => value === values[at]));
  }

  /** @param {string} name */
  #chosen(name) {
    /** @type {HTMLInputElement | null | undefined} */
    const checked = this.#sets.get(name)?.querySelector("input:checked");
    return checked?.dataset.other === undefined ? checked?.value ?? "" : OTHER;
  }

  #name() {
    if (this.#chosen("whom") === OTHER) return this.#other.value.trim();
    /** @type {HTMLInputElement | null | undefined} */
    const checked = this.#sets.get("whom")?.querySelector("input:checked");
    return checked?.value ?? "";
  }

  #computer() {
    const name = this.#name();
    return this.#card.computers.find(({ value }) => value === name);
  }

  /** @returns {Wire.Start} */
  #filled() {
    const values = this.#options();
    const options = Object.fromEntries(this.#card.options.map(({ name }, at) => [name, values[at] ?? ""]));
    const side = this.#chosen("side");
    const alone = this.#isAlone;
    return {
      game: this.#card.game,
      options,
      side: alone || side === "" ? null : Number(side),
      unrated: !alone && this.#chosen("rated") === "no",
      takebacks: this.#chosen("takebacks") === "yes",
      hints: this.#chosen("hints") === "yes",
      clock: alone || this.#computer() ? "" : this.#chosen("clock"),
      whom: alone ? "" : this.#name(),
    };
  }

  // Show the fields and the button that fit the choices.
  #tell() {
    const alone = this.#isAlone;
    const computer = alone ? undefined : this.#computer();
    for (const name of ["side", "rated", "clock", "takebacks", "hints", "whom"]) {
      const set = this.#sets.get(name);
      const withPeople = name !== "side" && name !== "whom"; // not asked against the computer
      const hints = this.#chosen("hints") === "yes"; // hints: unrated, with takebacks
      const isMoot = hints ? name === "rated" || name === "takebacks" : name === "takebacks" && this.#chosen("rated") === "no";
      if (set) set.hidden = isMoot || (alone && name !== "hints") || (computer !== undefined && withPeople);
    }
    this.#other.hidden = this.#chosen("whom") !== OTHER;
    this.#about.hidden = computer === undefined;
    setText(this.#about, computer?.label ?? "");
    const name = this.#name();
    let label = word("start-open");
    if (alone) label = word("start");
    else if (computer) label = word("play-computer", { name: computer.name });
    else if (name || this.#chosen("whom") === OTHER) label = word("challenge", { name: name || "…" });
    setText(this.#begin, label);
  }

  /** @param {Wire.Field} field */
  #pick({ name, label, choices, chosen }) {
    const set = make("fieldset", { class: "pick" }, make("legend", {}, label));
    const row = make("div", { class: "picks" });
    for (const { value, label: words } of choices) {
      row.append(this.#radio(name, { value, words, checked: value === chosen }));
    }
    set.append(row);
    this.#sets.set(name, set);
    return set;
  }

  /**
   * @param {Wire.Field} field
   * @param {Wire.Computer[]} computers
   */
  #whom(field, computers) {
    const set = this.#pick(field);
    const other = this.#radio(field.name, { value: "", words: word("whom-other"), other: true });
    other.addEventListener("change", () => this.#other.focus());
    const people = set.querySelector(".picks");
    people?.append(other);
    people?.before(make("p", { class: "quiet" }, word("whom-people")));
    people?.after(this.#other);
    if (!computers.length) return set;
    const radios = computers.map(({ value, name }) => this.#radio(field.name, { value, words: name }));
    set.append(make("p", { class: "quiet" }, word("whom-computer")), make("div", { class: "picks" }, ...radios), this.#about);
    return set;
  }

  /**
   * @param {string} name
   * @param {{ value: string, words: string, checked?: boolean, other?: boolean }} how
   */
  #radio(name, { value, words, checked = false, other = false }) {
    const input = make("input", { type: "radio", name: `start-${name}`, value, checked });
    if (other) input.dataset.other = "";
    return make("label", { class: "choice" }, input, make("span", { dir: "auto" }, words));
  }
}
