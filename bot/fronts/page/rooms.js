// The list of rooms, and the drawer that holds it on narrow screens.

import { arrange, byId, make, setText } from "./dom.js";
import { addressOf } from "./router.js";
import { word } from "./words.js";

/** @typedef {Record<"name" | "badge" | "more" | "link" | "lead" | "item", HTMLElement>} Item */
/** @typedef {Record<"title" | "items" | "element", HTMLElement>} Group */

export class Rooms {
  #nav = byId("rooms");
  /** @type {Map<string, Item>} by room id */
  #links = new Map();
  /** @type {Map<string, number>} by room id */
  #unread = new Map();
  drawer = new Drawer();
  #open;
  #lead;

  /** @type {Wire.Room[]} */
  list = [];
  /** @type {Wire.Listed[]} matches that wait for the user */
  #waiting = [];
  /** @type {string | null} */
  current = null;

  /**
   * @param {(room: Wire.Room) => void} open called when another room comes to the front
   * @param {(room: string) => void} [lead] goes to what waits in a room
   */
  constructor(open, lead = () => {}) {
    this.#open = open;
    this.#lead = lead;
    this.#nav.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("a")) this.drawer.close();
    });
  }

  /** The number of turns, received challenges and offers in all rooms. */
  get waiting() {
    return this.#waiting.length;
  }

  /** @param {string | null} room */
  get(room) {
    return this.list.find((one) => one.room === room);
  }

  /**
   * @param {Wire.Room[]} list
   * @param {Wire.Listed[]} matches
   */
  show(list, matches) {
    this.list = list;
    this.#waiting = matches.filter(({ waits }) => waits);
    this.#render();
  }

  /** @param {string} room */
  addUnread(room) {
    this.#unread.set(room, (this.#unread.get(room) ?? 0) + 1);
    this.#render();
  }

  /**
   * Bring a room to the front. null: another place is there.
   *
   * @param {string | null} room
   */
  enter(room) {
    if (room === this.current) return;
    const found = this.get(room);
    this.current = found?.room ?? null;
    if (found) this.#unread.delete(found.room);
    this.#render();
    if (found) this.#open(found);
  }

  #render() {
    const groups = Map.groupBy(this.list, ({ kind }) => kind);
    arrange(this.#nav, [...groups].map(([kind, rooms]) => this.#group(kind, rooms)));
    const badge = byId("side-badge");
    const elsewhere = this.list.filter(({ room }) => room !== this.current);
    const waiting = this.#waiting.filter(({ room }) => room !== this.current).length;
    const unread = elsewhere.some(({ room }) => this.#unread.has(room));
    setText(badge, waiting ? String(waiting) : "");
    badge.hidden = !waiting && !unread;
    byId("side-open").ariaLabel = waiting ? `${word("open-rooms")}: ${waiting}` : word("open-rooms");
  }

  /** @type {Map<string, Group>} by kind */
  #groups = new Map();

  /**
   * @param {string} kind
   * @param {Wire.Room[]} rooms
   */
  #group(kind, rooms) {
    let group = this.#groups.get(kind);
    if (!group) {
      const id = `rooms-${kind}`;
      const head = make("h2", { id });
      const list = make("ul", { "aria-labelledby": id });
      group = { title: head, items: list, element: make("section", {}, head, list) };
      this.#groups.set(kind, group);
    }
    const { title, items, element } = group;
    setText(title, word(kind === "direct" ? "direct" : "channels"));
    arrange(items, rooms.map((room) => this.#item(room)));
    return element;
  }

  /** @param {Wire.Room} one */
  #item({ room, title, kind }) {
    const known = this.#links.get(room) ?? newItem(room, kind, () => this.#lead(room));
    this.#links.set(room, known);
    const { name, badge, more, link, lead, item } = known;
    const unread = this.#unread.get(room) ?? 0;
    const matches = this.#waiting.filter((match) => match.room === room);
    const count = matches.length;
    const asked = matches.filter(({ proposed }) => proposed).length;
    const offered = matches.filter(({ offers }) => offers > 0).length;
    const turns = count - asked - offered;
    setText(name, title);
    badge.hidden = count > 0 || !unread;
    lead.hidden = !count;
    setText(lead.firstElementChild, String(count));
    lead.setAttribute("aria-label", word("next-in", { count, room: title }));
    lead.title = word("next-in", { count, room: title });
    const said = [];
    if (turns) said.push(word("waiting", { count: turns }));
    if (asked) said.push(word("asked", { count: asked }));
    if (offered) said.push(word("offered", { count: offered }));
    if (unread) said.push(word("unread", { count: unread }));
    setText(more, said.length ? `, ${said.join(", ")}` : "");
    link.classList.toggle("has-unread", unread > 0);
    if (room === this.current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    return item;
  }
}

/**
 * @param {string} room
 * @param {string} kind
 * @param {() => void} onclick
 * @returns {Item}
 */
function newItem(room, kind, onclick) {
  const name = make("span", { class: "name" });
  const badge = make("span", { class: "badge dot", "aria-hidden": "true" });
  const lead = make("button", { type: "button", class: "lead", onclick }, make("span", { class: "badge" }));
  const more = make("span", { class: "unseen" });
  const link = make("a", { href: addressOf({ name: "rooms", argument: room }), "data-place": true, class: kind }, name, badge, more);
  return { name, badge, more, link, lead, item: make("li", {}, link, lead) };
}

class Drawer {
  #side = byId("side");
  #room = byId("room");
  #scrim = byId("scrim");
  #opener = byId("side-open");
  #narrow = matchMedia("(max-width: 767px), (max-height: 479px)");
  #isOpen = false;

  constructor() {
    this.#opener.addEventListener("click", () => this.#set(true));
    this.#scrim.addEventListener("click", () => this.close());
    byId("side-close").addEventListener("click", () => this.close());
    this.#side.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
    this.#narrow.addEventListener("change", () => this.#set(false));
    this.#set(false);
  }

  open() {
    this.#set(true);
  }

  close() {
    if (!this.#isOpen) return;
    this.#set(false);
    this.#opener.focus();
  }

  /** @param {boolean} isOpen */
  #set(isOpen) {
    this.#isOpen = isOpen && this.#narrow.matches;
    this.#side.classList.toggle("open", this.#isOpen);
    this.#side.inert = this.#narrow.matches && !this.#isOpen;
    this.#room.inert = this.#isOpen;
    for (const id of ["stage", "place"]) byId(id).inert = this.#isOpen;
    this.#scrim.hidden = !this.#isOpen;
    this.#opener.setAttribute("aria-expanded", String(this.#isOpen));
    /** @type {HTMLElement | null} */
    const current = this.#side.querySelector("[aria-current]");
    if (this.#isOpen) current?.focus();
  }
}
