// The sheet, a dialog: the menu of games, the start card with the rules, the help.

import { Card } from "./card.js";
import { arrange, byId, make, setText } from "./dom.js";
import { tileOf } from "./home.js";
import { StartForm } from "./start.js";
import { word } from "./words.js";

/**
 * @typedef {object} Host
 * @property {(room: string, text: string) => Promise<Wire.Answer | null>} ask types a line
 * @property {(room: string, token: string) => Promise<Wire.Answer | null>} press
 * @property {(room: string, chosen: Wire.Start) => Promise<Wire.Answer | null>} start
 * @property {() => string} direct the room of the private chat
 * @property {(room: string, done: Wire.Answer) => void} begun called with the result
 * @property {(room: string, text: string) => void} refused called with the error if the sheet
 *   does not open, otherwise without a text
 */

/** @typedef {{ title: string, element: HTMLElement, first?: HTMLElement | null }} View */

export class Sheet {
  #host;
  #dialog = byId("sheet", HTMLDialogElement);
  #title = byId("sheet-title");
  #back = byId("sheet-back");
  #main = byId("sheet-main");
  #aside = byId("sheet-aside");
  #rules = byId("sheet-rules");
  #error = byId("sheet-error");
  #room = "";
  #whom = "";
  #kind = "";
  /** @type {View[]} the last one is shown, Back leads to the one before */
  #views = [];
  /** @type {Map<string, StartForm>} by game, with the choices made */
  #forms = new Map();
  #busy = false;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    byId("sheet-close").addEventListener("click", () => this.#dialog.close());
    this.#back.addEventListener("click", () => this.#goBack());
    this.#dialog.addEventListener("cancel", (event) => {
      if (this.#aside.hidden) return;
      event.preventDefault();
      this.#goBack();
    });
    // A click outside closes it.
    this.#dialog.addEventListener("click", (event) => event.target === this.#dialog && this.#dialog.close());
    this.#dialog.addEventListener("close", () => this.#clear());
  }

  get isOpen() {
    return this.#dialog.open;
  }

  /**
   * Show the menu of games. `whom`: the preselected opponent.
   *
   * @param {string} room
   */
  async play(room, { whom = "" } = {}) {
    await this.#ask(room, "/play", whom);
  }

  /**
   * Show the start card of a game for a kind of opponent: "friend" or "anyone".
   *
   * @param {string} room
   * @param {string} game
   * @param {string} kind
   */
  async start(room, game, kind) {
    await this.#ask(room, `/play ${game}`, "", kind);
  }

  /** @param {string} room */
  async help(room) {
    await this.#ask(room, "/help");
  }

  /**
   * Show a menu or a start card. Returns false for other screens.
   *
   * @param {string} room
   * @param {Wire.Screen} screen
   */
  takes(room, screen) {
    if (!screen.menu?.length && !screen.start) return false;
    this.#begin(room);
    this.#show(screen);
    return true;
  }

  /**
   * @param {string} room
   * @param {string} text
   */
  async #ask(room, text, whom = "", kind = "") {
    if (this.#busy) return;
    const done = await this.#wait(() => this.#host.ask(room, text));
    this.#host.refused(room, done?.private ? "" : done?.error ?? word("lost"));
    if (!done?.private) return;
    this.#begin(room, whom, kind);
    this.#show(done.private, { helps: text === "/help" });
  }

  /** @param {string} room */
  #begin(room, whom = "", kind = "") {
    this.#clear();
    this.#room = room;
    this.#whom = whom;
    this.#kind = kind;
  }

  #clear() {
    this.#views = [];
    this.#forms.clear();
    this.#hideRules();
    setText(this.#error, "");
  }

  /**
   * @param {Wire.Screen} screen
   * @param {{ replaces?: boolean, helps?: boolean }} how `replaces` the current view
   */
  #show(screen, { replaces = false, helps = false } = {}) {
    if (replaces) this.#views.pop();
    if (screen.menu?.length) this.#views.push(this.#menu(screen, screen.menu));
    else if (screen.start) this.#views.push(this.#start(screen, screen.start));
    else this.#views.push(this.#card(screen, { helps }));
    this.#render();
  }

  #render() {
    const view = this.#views.at(-1);
    if (!view) return;
    this.#hideRules();
    setText(this.#error, "");
    setText(this.#title, view.title);
    arrange(this.#main, [view.element]);
    this.#back.hidden = this.#views.length < 2;
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#main.scrollTop = 0;
    (view.first ?? this.#title).focus();
  }

  #goBack() {
    if (!this.#aside.hidden) {
      this.#hideRules();
      this.#back.hidden = this.#views.length < 2;
      /** @type {HTMLElement | null} */
      const rules = this.#main.querySelector("[data-rules]");
      (rules ?? this.#title).focus();
      return;
    }
    if (this.#views.length < 2) return;
    this.#views.pop();
    this.#render();
  }

  // ------------------------------------------------------------------- views

  /**
   * @param {Wire.Screen} screen
   * @param {Wire.MenuEntry[]} games
   * @returns {View}
   */
  #menu({ title = "", buttons = [] }, games) {
    const list = make("ul", { class: "games" }, ...games.map((game) => tileOf(game, () => void this.#press(game.action))));
    // Buttons for other pages of a long menu.
    const tokens = new Set(games.map(({ action }) => action));
    const ways = buttons.flat().filter(({ token }) => !tokens.has(token)).map(({ label, token }) =>
      make("button", { type: "button", onclick: () => this.#press(token, { replaces: true }) }, label),
    );
    const element = make("div", {}, list, ways.length ? make("div", { class: "row" }, ...ways) : null);
    return { title, element, first: list.querySelector("button") };
  }

  /**
   * @param {Wire.Screen} screen
   * @param {Wire.StartCard} card
   * @returns {View}
   */
  #start({ title = "" }, card) {
    let form = this.#forms.get(card.game);
    if (!form) {
      form = new StartForm(card, {
        start: (chosen, isPrivate) => this.#send(chosen, isPrivate ? this.#host.direct() : this.#room),
        isPrivate: this.#room === this.#host.direct(),
        rules: (token) => this.#openRules(token),
      });
      if (this.#kind) form.prefer(this.#kind);
      if (this.#whom) form.ask(this.#whom);
      this.#forms.set(card.game, form);
    }
    return { title, element: form.element };
  }

  /**
   * @param {Wire.Screen} screen
   * @returns {View}
   */
  #card(screen, { helps = false } = {}) {
    const card = new Card({
      press: (token) => this.#press(token, { replaces: true, helps }),
      ask: (token) => this.#host.press(this.#room, token),
      change: (update) => update(),
    });
    card.show({ ...screen, title: "" });
    const rules = () => this.#follow(() => this.#host.ask(this.#room, "/rules"));
    const more = helps
      ? [
          make("p", { class: "keys" }, word("keys")),
          make("div", { class: "row" }, make("button", { type: "button", onclick: rules }, word("rules"))),
        ]
      : [];
    return { title: screen.title || word("rules"), element: make("div", { class: "sheet-card" }, ...more, card.element) };
  }

  // ------------------------------------------------------------------- rules

  /** @param {string} token */
  async #openRules(token) {
    if (this.#busy) return;
    const done = await this.#wait(() => this.#host.press(this.#room, token));
    if (!this.isOpen) return;
    if (!done?.private) return this.#refuse(done);
    setText(this.#rules, done.private.text ?? "");
    this.#aside.hidden = false;
    this.#dialog.classList.add("with-rules");
    this.#back.hidden = false;
    this.#aside.scrollTop = 0;
    this.#aside.focus();
  }

  #hideRules() {
    this.#aside.hidden = true;
    this.#dialog.classList.remove("with-rules");
  }

  // ----------------------------------------------------------------- answers

  /**
   * @param {string} token
   * @param {{ replaces?: boolean, helps?: boolean }} how
   */
  async #press(token, how = {}) {
    await this.#follow(() => this.#host.press(this.#room, token), how);
  }

  /**
   * @param {() => Promise<Wire.Answer | null>} request
   * @param {{ replaces?: boolean, helps?: boolean }} how
   */
  async #follow(request, how = {}) {
    if (this.#busy) return;
    const done = await this.#wait(request);
    if (!this.isOpen) return; // closed while waiting
    if (done?.match) this.#dialog.close(); // the page goes there
    else if (done?.private) this.#show(done.private, how);
    else if (done?.ok) this.#dialog.close(); // the board will appear in the room
    else this.#refuse(done);
  }

  /**
   * @param {Wire.Start} chosen
   * @param {string} room
   */
  async #send(chosen, room) {
    if (this.#busy) return;
    const done = await this.#wait(() => this.#host.start(room, chosen));
    if (!done?.ok) return this.#refuse(done);
    this.#dialog.close();
    this.#host.begun(room, done);
  }

  /** @param {Wire.Answer | null} done */
  #refuse(done) {
    setText(this.#error, done?.error ?? done?.private?.text ?? word("lost"));
  }

  /** @param {() => Promise<Wire.Answer | null>} request one at a time */
  async #wait(request) {
    this.#busy = true;
    this.#dialog.setAttribute("aria-busy", "true");
    setText(this.#error, "");
    try {
      return await request();
    } finally {
      this.#busy = false;
      this.#dialog.removeAttribute("aria-busy");
    }
  }
}
