// The start card: a form with the server's options for a match. It keeps the choices.

import { make, setText } from "./dom.js";
import { word } from "./words.js";

const OTHER = "\n"; // a name to be typed
const CODE = ""; // no name: a challenge for those who get its code
const TEMPOS = ["none", "days", "live"];
/** @type {Record<string, string>} the first clock that a tab offers to choose */
const USUAL = { none: "", days: "3d", live: "10m+5s" };

/**
 * @typedef {object} Host
 * @property {(chosen: Wire.Start, isPrivate: boolean) => void} start `isPrivate`: in the private chat
 * @property {(token: string) => void} rules
 * @property {boolean} [isPrivate] is this the private chat, where only codes reach others?
 */

export class StartForm {
  #card;
  #host;
  /** @type {Map<string, HTMLFieldSetElement>} by field name */
  #sets = new Map();
  #other = make("input", { class: "pick-name", autocomplete: "off", maxlength: "64", spellcheck: "false" });
  #about = make("p", { class: "quiet" }); // of the chosen kind of opponent
  #always = make("p", { class: "quiet" }, word("takebacks-always"));
  #summary = make("span", { class: "quiet" });
  #options;
  #begin = make("button", { class: "primary" });

  /**
   * @param {Wire.StartCard} card
   * @param {Host} host
   */
  constructor(card, host) {
    this.#card = card;
    this.#host = host;
    this.#other.setAttribute("aria-label", word("whom-name"));
    this.#other.placeholder = word("whom-name");
    const rules = make("button", { type: "button", "data-rules": true, onclick: () => host.rules(card.rules) }, word("rules"));
    const head = [this.#kinds(), ...(card.computers.length ? [this.#levels()] : []), this.#friends(), this.#about];
    this.#options = make(
      "details",
      { class: "options" },
      make("summary", {}, make("span", { class: "options-name" }, word("options")), this.#summary),
      ...card.options.map((field) => this.#pick(field)),
      this.#pick(card.side),
      ...(card.rated ? [this.#pick(card.rated)] : []),
      this.#clock(),
      ...card.more.map((field) => this.#pick(field)),
    );
    this.#sets.get("takebacks")?.append(this.#always);
    this.element = make(
      "form",
      { class: "start", novalidate: true },
      make("p", { class: "quiet" }, card.about),
      ...head,
      this.#options,
      make("div", { class: "row start-row" }, this.#begin, rules),
    );
    this.element.addEventListener("change", (event) => {
      if (event.target instanceof HTMLInputElement) this.#adapt(event.target.name);
      this.#tell();
    });
    this.element.addEventListener("input", () => this.#tell());
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#whom === OTHER && !this.#other.value.trim()) this.#other.focus();
      else host.start(this.#filled(), this.#isFriend && this.#whom === CODE);
    });
    this.#tell();
  }

  /** @param {string} name the preselected opponent, not necessarily among the choices */
  ask(name) {
    const isKnown = this.#people.some(([value]) => value === name);
    this.#choose("kind", "friend");
    this.#choose("whom", isKnown ? name : OTHER);
    if (!isKnown) this.#other.value = name;
    this.#adapt("start-kind");
    this.#tell();
  }

  /** @param {string} kind of opponent: "friend", "anyone" */
  prefer(kind) {
    this.#choose("kind", kind);
    this.#adapt("start-kind");
    this.#tell();
  }

  get #people() {
    return this.#card.whom.choices.filter(([value]) => value);
  }

  /** @param {string} name of the field that was changed, as in the form */
  #adapt(name) {
    if (name === "start-kind" && this.#isAlone !== this.#isAloneWith(this.#values)) this.#changePlayers();
    if (name === "start-whom" && this.#whom === OTHER) {
      this.#other.hidden = false;
      this.#other.focus();
    }
    if (name !== "start-tempo") return;
    const tempo = this.#chosen("tempo");
    if (tempoOf(this.#chosen("clock")) === tempo) return;
    const offered = this.#card.clock.choices.filter(([value]) => tempoOf(value) === tempo);
    const [usual] = offered.find(([value]) => value === USUAL[tempo]) ?? offered[0] ?? [];
    if (usual !== undefined) this.#choose("clock", usual);
  }

  /** Choose the first option for the other number of players. */
  #changePlayers() {
    for (const [index, { name, choices }] of this.#card.options.entries()) {
      const fitting = choices.find(([value]) => this.#isAloneWith(this.#values.with(index, value)) === this.#isAlone);
      if (fitting) return this.#choose(name, fitting[0]);
    }
  }

  get #values() {
    return this.#card.options.map(({ name }) => this.#chosen(name));
  }

  /** @param {string[]} values */
  #isAloneWith(values) {
    return this.#card.alone.some((alone) => alone.every((value, at) => value === values[at]));
  }

  get #isAlone() {
    return this.#chosen("kind") === "alone";
  }

  get #isFriend() {
    return this.#chosen("kind") === "friend";
  }

  /** @param {string} name */
  #inputs(name) {
    return [...(this.#sets.get(name)?.querySelectorAll("input") ?? [])].filter((input) => input.name === `start-${name}`);
  }

  /** @param {string} name */
  #chosen(name) {
    return this.#inputs(name).find((input) => input.checked)?.value ?? "";
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  #choose(name, value) {
    for (const input of this.#inputs(name)) input.checked = input.value === value;
  }

  // The opponent's name, OTHER, or nothing.
  get #whom() {
    const kind = this.#chosen("kind");
    if (kind === "computer") return this.#chosen("level");
    return this.#isFriend ? this.#chosen("whom") : "";
  }

  #name() {
    return this.#whom === OTHER ? this.#other.value.trim() : this.#whom;
  }

  #computer() {
    return this.#card.computers.find(([value]) => value === this.#whom);
  }

  /** @returns {Wire.Start} */
  #filled() {
    const values = this.#values;
    const options = Object.fromEntries(this.#card.options.map(({ name }, at) => [name, values[at] ?? ""]));
    const side = this.#chosen("side");
    const alone = this.#isAlone;
    return {
      game: this.#card.game,
      options,
      side: alone || side === "" ? null : Number(side),
      wishes: {
        is_unrated: !alone && this.#chosen("rated") === "no",
        has_takebacks: this.#chosen("takebacks") === "yes",
        has_hints: this.#chosen("hints") === "yes",
        clock: alone || this.#computer() ? "" : this.#chosen("clock"),
      },
      whom: this.#name(),
    };
  }

  // Show the fields, the summary and the button that fit the choices.
  #tell() {
    const alone = this.#isAlone;
    const computer = this.#computer();
    for (const name of ["side", "rated", "clock", "takebacks", "hints"]) {
      const set = this.#sets.get(name);
      // Against the computer, only the side is asked.
      if (set) set.hidden = (alone && name !== "hints") || (computer !== undefined && name !== "side");
    }
    this.#settle("rated", this.#chosen("hints") === "yes" ? "no" : "");
    this.#always.hidden = this.#chosen("rated") !== "no";
    this.#settle("takebacks", this.#always.hidden ? "" : "yes");
    this.#tellPlayers();
    for (const [name, kind] of [["level", "computer"], ["whom", "friend"]]) {
      const set = this.#sets.get(name ?? "");
      if (set) set.hidden = this.#chosen("kind") !== kind;
    }
    for (const input of this.#inputs("clock")) {
      const tempo = this.#chosen("tempo");
      if (input.parentElement) input.parentElement.hidden = tempo === "none" || tempoOf(input.value) !== tempo;
    }
    this.#other.hidden = this.#whom !== OTHER;
    setText(this.#summary, this.#summarized());
    this.#options.hidden = !this.#summary.textContent;
    const name = this.#name();
    let [label, about] = [word("start-open"), word("kind-anyone-about")];
    if (alone) [label, about] = [word("start"), ""];
    else if (computer) [label, about] = [word("play-computer", { name: computer[2] }), computer[1]];
    else if (this.#isFriend && this.#whom === CODE) [label, about] = [word("start-code"), word("whom-code-about")];
    else if (this.#isFriend) [label, about] = [word("challenge", { name: name || "…" }), ""];
    setText(this.#begin, label);
    setText(this.#about, about);
    this.#about.hidden = !about;
  }

  /**
   * Show what another choice entails.
   * @param {string} name
   * @param {string} value or nothing: the player chooses
   */
  #settle(name, value) {
    const set = this.#sets.get(name);
    if (!set || set.disabled === Boolean(value)) return;
    set.disabled = Boolean(value);
    const before = this.#chosen(name);
    this.#choose(name, value || (set.dataset.chosen ?? ""));
    set.dataset.chosen = before;
  }

  // Hide options for another number of players.
  #tellPlayers() {
    for (const [index, { name }] of this.#card.options.entries()) {
      let fitting = 0;
      for (const input of this.#inputs(name)) {
        const fits = this.#isAloneWith(this.#values.with(index, input.value)) === this.#isAlone;
        fitting += Number(fits);
        if (input.parentElement) input.parentElement.hidden = !fits;
      }
      const set = this.#sets.get(name);
      if (set) set.hidden = fitting < 2;
    }
  }

  #summarized() {
    const { options, side, rated, clock, more } = this.#card;
    const terms = new Set([rated, ...more]);
    const asked = [...options, side, rated, clock, ...more];
    return asked.flatMap((field) => {
      if (!field || this.#sets.get(field.name)?.hidden) return [];
      const value = this.#chosen(field.name);
      const [, label = ""] = field.choices.find(([choice]) => choice === value) ?? [];
      if (terms.has(field) && value === "yes") return field.label;
      // The first words of a choice say enough. Terms that a game does not have need no words.
      return terms.has(field) && field !== rated ? [] : `${field.label}: ${label.split(/[:,]/)[0]}`;
    }).join(" · ");
  }

  // ------------------------------------------------------------------- fields

  /** @param {Wire.Field} field */
  #pick({ name, label, choices, chosen }, className = "picks") {
    const row = make("div", { class: className });
    for (const [value, words] of choices) {
      row.append(this.#radio(name, { value, words, checked: value === chosen }));
    }
    const set = make("fieldset", { class: "pick" }, make("legend", {}, label), row);
    this.#sets.set(name, set);
    return set;
  }

  #kinds() {
    const { whom, computers, alone, options } = this.#card;
    const isLone = this.#host.isPrivate || !this.#people.length;
    const isSolo = this.#isAloneWith(options.map(({ chosen }) => chosen));
    const kinds = [
      ...(alone.length ? ["alone"] : []),
      ...(computers.length ? ["computer"] : []),
      "friend",
      ...(this.#host.isPrivate ? [] : ["anyone"]),
    ];
    const usual = isLone && computers.length ? "computer" : (kinds.at(-1) ?? "");
    const choices = kinds.map((kind) => pair(kind, word(`kind-${kind}`)));
    return this.#pick({ name: "kind", label: whom.label, choices, chosen: isSolo ? "alone" : usual }, "picks tabs");
  }

  // One scale: the name of the chosen level is on the button.
  #levels() {
    const { computers, level } = this.#card;
    const choices = computers.map(([value], at) => pair(value, String(at + 1)));
    const set = this.#pick({ name: "level", label: word("level"), choices, chosen: level }, "picks tabs");
    set.firstElementChild?.classList.add("unseen");
    for (const [at, [, , name]] of computers.entries()) this.#inputs("level")[at]?.setAttribute("aria-label", name);
    return set;
  }

  #friends() {
    const people = this.#people;
    const choices = [...people, pair(OTHER, word("whom-other")), pair(CODE, word("whom-code"))];
    const chosen = (people.length === 1 && people[0]?.[0]) || CODE;
    const set = this.#pick({ name: "whom", label: word("people"), choices, chosen }, "picks people");
    set.firstElementChild?.classList.add("unseen");
    set.append(this.#other);
    return set;
  }

  // The clocks on three tabs.
  #clock() {
    const { clock } = this.#card;
    const tempos = TEMPOS.map((tempo) => pair(tempo, word(`clock-${tempo}`)));
    const tabs = this.#pick({ name: "tempo", label: clock.label, choices: tempos, chosen: tempoOf(clock.chosen) }, "picks tabs");
    const set = this.#pick(clock);
    set.replaceChildren(...tabs.children, ...[...set.children].slice(1));
    this.#sets.set("tempo", set);
    return set;
  }

  /**
   * @param {string} name
   * @param {{ value: string, words: string, checked?: boolean }} how
   */
  #radio(name, { value, words, checked = false }) {
    const input = make("input", { type: "radio", name: `start-${name}`, value, checked });
    return make("label", { class: "choice" }, input, make("span", { dir: "auto" }, words));
  }
}

/**
 * @param {string} value
 * @param {string} label
 * @returns {[string, string]}
 */
function pair(value, label) {
  return [value, label];
}

/** @param {string} clock which is "", "3d", "10m+5s" or "3d+12h" */
function tempoOf(clock) {
  if (!clock) return "none";
  return /^\d+d/.test(clock) ? "days" : "live";
}
