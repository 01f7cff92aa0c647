// The input line: completion (commands by the server, @names by the users present), history, and
// lines that could not be sent.

import { announce, arrange, byId, make } from "./dom.js";
import { word } from "./words.js";

const A_BREATH = 70; // milliseconds without typing before the server completes
const REMEMBERED = 100;
const COMMAND = /^[/／]/; // Japanese keyboards type the second one

/** @typedef {"said" | "refused" | "lost"} Outcome lost: the server has not answered */

/**
 * @typedef {object} Host
 * @property {(text: string) => Promise<Wire.Offer[]>} complete
 * @property {() => string[]} names the users present
 * @property {(room: string, text: string) => Promise<Outcome>} say
 */

export class Composer {
  #host;
  #form = byId("composer");
  #line = byId("line", HTMLInputElement);
  #list = byId("suggestions");
  #outbox = byId("unsent");
  /** @type {string[]} */
  #history = [];
  #at = 0; // index in the history. Its length stands for the current line
  #draft = "";
  /** @type {Map<string, string>} the draft of each room */
  #drafts = new Map();
  /** @type {string | null} */
  #room = null;
  /** @type {Wire.Offer[]} */
  #offers = [];
  #chosen = -1;
  #asked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#line.addEventListener("input", () => this.#typed());
    this.#line.addEventListener("keydown", (event) => this.#key(event));
    this.#line.addEventListener("blur", () => this.#hush());
    this.#line.addEventListener("focus", () => this.#typed());
    // Keep the focus in the line, and a phone's keyboard open.
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => {
      const item = event.target instanceof Element && event.target.closest("[role=option]");
      if (item) this.#take(Number(item.getAttribute("data-index")));
    });
    document.addEventListener("keydown", (event) => this.#slash(event));
  }

  /**
   * @param {string} room which keeps its draft
   * @param {{ isDirect?: boolean }} how `isDirect`: no one else reads it
   */
  enter(room, { isDirect = false } = {}) {
    if (this.#room !== null) this.#drafts.set(this.#room, this.#line.value);
    this.#room = room;
    this.#line.value = this.#drafts.get(room) ?? "";
    this.#at = this.#history.length;
    this.#line.placeholder = word(isDirect ? "write-direct" : "write");
    this.#hush();
    /** @type {NodeListOf<HTMLElement>} */
    const unsent = this.#outbox.querySelectorAll("li");
    for (const item of unsent) item.hidden = item.dataset.room !== room;
  }

  focus() {
    this.#line.focus();
  }

  get isEmpty() {
    return this.#line.value === "";
  }

  // ------------------------------------------------------------------ sending

  #submit() {
    const text = this.#line.value.trim();
    if (!text) return;
    this.#line.value = "";
    this.#hush();
    if (this.#history.at(-1) !== text) this.#history.push(text);
    this.#history.splice(0, this.#history.length - REMEMBERED);
    this.#at = this.#history.length;
    this.#send(text);
  }

  /** @param {string} text */
  async #send(text) {
    const room = this.#room;
    if (room === null) return;
    const outcome = await this.#host.say(room, text);
    if (outcome === "lost") this.#keep(room, text);
    // A refused command is not worth resending as it is. It is in the history.
    else if (outcome === "refused" && !COMMAND.test(text)) this.#giveBack(room, text);
  }

  // Restore a refused line to its room's draft, unless there is another one.
  /**
   * @param {string} room
   * @param {string} text
   */
  #giveBack(room, text) {
    const isHere = room === this.#room;
    const begun = isHere ? this.#line.value : this.#drafts.get(room);
    if (begun) return this.#keep(room, text);
    if (isHere) this.#line.value = text;
    else this.#drafts.set(room, text);
  }

  // Keep a line that was not sent, or whose answer was lost: the user decides.
  /**
   * @param {string} room
   * @param {string} text
   */
  #keep(room, text) {
    const again = make("button", { type: "button", class: "primary" }, word("send-again"));
    const discard = make("button", { type: "button" }, word("discard"));
    const item = make(
      "li",
      { "data-room": room },
      make("span", { class: "label" }, word("not-sent")),
      make("span", { class: "text" }, text),
      again,
      discard,
    );
    item.hidden = room !== this.#room;
    again.onclick = () => {
      item.remove();
      this.focus();
      this.#send(text);
    };
    discard.onclick = () => {
      item.remove();
      this.focus();
    };
    this.#outbox.append(item);
    announce(`${word("not-sent")}: ${text}`);
  }

  // --------------------------------------------------------------- completion

  #typed() {
    clearTimeout(this.#timer);
    const text = this.#line.value;
    const asked = ++this.#asked;
    if (COMMAND.test(text)) {
      // Hide outdated offers at once, before one is picked by mistake.
      this.#offer(this.#offers.filter((offer) => offer.text.startsWith(text)));
      this.#timer = setTimeout(async () => {
        const offers = await this.#host.complete(text);
        if (asked === this.#asked && document.activeElement === this.#line) this.#offer(offers);
      }, A_BREATH);
    } else {
      this.#offer(this.#names(text));
    }
  }

  // Hide all offers, including those on their way.
  #hush() {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.#offer([]);
  }

  /**
   * @param {string} text
   * @returns {Wire.Offer[]}
   */
  #names(text) {
    const begun = /(?:^|\s)@(\S*)$/.exec(text)?.[1];
    if (begun === undefined) return [];
    const start = text.length - begun.length;
    return this.#host
      .names()
      .filter((name) => name.toLowerCase().startsWith(begun.toLowerCase()))
      .map((name) => ({ text: `${text.slice(0, start)}${name} `, show: `@${name}`, hint: "" }));
  }

  /** @param {Wire.Offer[]} offers */
  #offer(offers) {
    // A complete line needs no offer.
    const written = this.#line.value.trimEnd();
    this.#offers = offers.length === 1 && offers[0]?.text.trimEnd() === written ? [] : offers;
    this.#chosen = -1;
    arrange(this.#list, this.#offers.map(({ text, show, hint }, index) =>
      make(
        "li",
        { role: "option", id: `offer-${index}`, "data-index": index, "aria-selected": "false" },
        make("span", { class: "text" }, show ?? text),
        hint ? make("span", { class: "hint" }, hint) : null,
      ),
    ));
    const isOpen = this.#offers.length > 0;
    if (isOpen && this.#list.hidden) announce(word("suggestion-count", { count: offers.length }));
    this.#list.hidden = !isOpen;
    this.#list.scrollTop = 0;
    this.#line.setAttribute("aria-expanded", String(isOpen));
    this.#line.removeAttribute("aria-activedescendant");
  }

  /** @param {number} index wraps around in both directions */
  #choose(index) {
    const items = [...this.#list.children];
    this.#chosen = (index + items.length) % items.length;
    items.forEach((item, at) => item.setAttribute("aria-selected", String(at === this.#chosen)));
    const chosen = items[this.#chosen];
    if (!chosen) return;
    chosen.scrollIntoView({ block: "nearest" });
    this.#line.setAttribute("aria-activedescendant", chosen.id);
  }

  /** @param {number} index */
  #take(index) {
    const offer = this.#offers[index];
    if (!offer) return;
    this.#line.value = offer.text;
    this.#line.focus();
    this.#typed();
  }

  // --------------------------------------------------------------------- keys

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const isOpen = this.#offers.length > 0;
    const chosen = this.#chosen;
    /** @type {Record<string, (() => void) | null>} */
    const keys = {
      ArrowDown: isOpen ? () => this.#choose(chosen + 1) : () => this.#recall(1),
      ArrowUp: isOpen ? () => this.#choose(chosen < 0 ? -1 : chosen - 1) : () => this.#recall(-1),
      Tab: isOpen && !event.shiftKey ? () => this.#take(Math.max(chosen, 0)) : null,
      Enter: isOpen && chosen >= 0 ? () => this.#take(chosen) : null,
      Escape: isOpen ? () => this.#hush() : null,
    };
    const does = Object.hasOwn(keys, event.key) && keys[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  /** @param {1 | -1} by */
  #recall(by) {
    const at = this.#at + by;
    if (at < 0 || at > this.#history.length) return;
    if (this.#at === this.#history.length) this.#draft = this.#line.value;
    this.#at = at;
    this.#line.value = this.#history[at] ?? this.#draft;
    this.#line.setSelectionRange(this.#line.value.length, this.#line.value.length);
  }

  // "/" anywhere starts a command.
  /** @param {KeyboardEvent} event */
  #slash(event) {
    if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey) return;
    const isTaken = event.target instanceof Element && event.target.closest("input, dialog, #arrival");
    if (isTaken || this.#room === null) return;
    event.preventDefault();
    this.focus();
    if (!this.#line.value) {
      this.#line.value = "/";
      this.#typed();
    }
  }
}
