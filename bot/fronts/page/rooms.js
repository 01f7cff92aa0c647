// The room list: what there is, where it is your turn, where something is unread; and the
// drawer that it lives in on a narrow screen.

import { arrange, make, setText } from "./dom.js";
import { word } from "./words.js";

export class Rooms {
  #nav = document.getElementById("rooms");
  #links = new Map(); // room id -> { link, title, badge }
  #unread = new Map();
  #drawer = new Drawer();
  #open;

  list = [];
  current = null;

  /** `open(room)` is called when another room comes to the front. */
  constructor(open) {
    this.#open = open;
    addEventListener("hashchange", () => this.#followAddress());
    this.#nav.addEventListener("click", (event) => event.target.closest("a") && this.#drawer.close());
  }

  /** In how many matches it is this person's turn, over all rooms. */
  get waiting() {
    return this.list.reduce((sum, { waiting }) => sum + (waiting ?? 0), 0);
  }

  get(room) {
    return this.list.find((one) => one.room === room);
  }

  /** Show this list; gives the rooms in which matches have begun to wait. */
  show(list) {
    const grown = list.filter(({ room, waiting }) => waiting > (this.get(room)?.waiting ?? waiting));
    this.list = list;
    this.#render();
    if (!this.get(this.current)) this.#followAddress();
    return grown;
  }

  addUnread(room) {
    this.#unread.set(room, (this.#unread.get(room) ?? 0) + 1);
    this.#render();
  }

  clearUnread(room) {
    if (this.#unread.delete(room)) this.#render();
  }

  closeDrawer() {
    this.#drawer.close();
  }

  #followAddress() {
    const asked = this.get(addressed(location.hash));
    const room = asked ?? this.get(this.current) ?? this.list[0];
    if (!room || room.room === this.current) return;
    this.current = room.room;
    this.#unread.delete(room.room);
    this.#render();
    this.#open(room);
  }

  #render() {
    const groups = Map.groupBy(this.list, ({ kind }) => kind);
    arrange(this.#nav, [...groups].map(([kind, rooms]) => this.#group(kind, rooms)));
    const badge = document.getElementById("side-badge");
    const elsewhere = this.list.filter(({ room }) => room !== this.current);
    const waiting = elsewhere.reduce((sum, room) => sum + (room.waiting ?? 0), 0);
    const unread = elsewhere.some(({ room }) => this.#unread.has(room));
    setText(badge, waiting ? String(waiting) : "");
    badge.hidden = !waiting && !unread;
  }

  #groups = new Map();

  #group(kind, rooms) {
    if (!this.#groups.has(kind)) {
      const id = `rooms-${kind}`;
      const title = make("h2", { id });
      const items = make("ul", { "aria-labelledby": id });
      this.#groups.set(kind, { title, items, element: make("section", {}, title, items) });
    }
    const { title, items, element } = this.#groups.get(kind);
    setText(title, word(kind === "direct" ? "direct" : "channels"));
    arrange(items, rooms.map((room) => this.#item(room)));
    return element;
  }

  #item({ room, title, kind, waiting }) {
    if (!this.#links.has(room)) {
      const name = make("span", { class: "name" });
      const badge = make("span", { class: "badge", "aria-hidden": "true" });
      const more = make("span", { class: "unseen" });
      const link = make("a", { href: `#${encodeURIComponent(room)}`, class: kind }, name, badge, more);
      this.#links.set(room, { name, badge, more, link, item: make("li", {}, link) });
    }
    const { name, badge, more, link, item } = this.#links.get(room);
    const unread = this.#unread.get(room) ?? 0;
    setText(name, title);
    setText(badge, waiting ? String(waiting) : "");
    badge.hidden = !waiting && !unread;
    badge.classList.toggle("dot", !waiting);
    const said = [];
    if (waiting) said.push(word("waiting", { count: waiting }));
    if (unread) said.push(word("unread", { count: unread }));
    setText(more, said.length ? `, ${said.join(", ")}` : "");
    link.classList.toggle("has-unread", unread > 0);
    if (room === this.current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    return item;
  }
}

/** The room that an address names; anybody may have written the address. */
function addressed(hash) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
}

class Drawer {
  #side = document.getElementById("side");
  #room = document.getElementById("room");
  #scrim = document.getElementById("scrim");
  #opener = document.getElementById("side-open");
  #narrow = matchMedia("(max-width: 767px)");
  #isOpen = false;

  constructor() {
    this.#opener.addEventListener("click", () => this.#set(true));
    this.#scrim.addEventListener("click", () => this.close());
    document.getElementById("side-close").addEventListener("click", () => this.close());
    this.#side.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
    this.#narrow.addEventListener("change", () => this.#set(false));
    this.#set(false);
  }

  close() {
    if (!this.#isOpen) return;
    this.#set(false);
    this.#opener.focus();
  }

  #set(isOpen) {
    this.#isOpen = isOpen && this.#narrow.matches;
    this.#side.classList.toggle("open", this.#isOpen);
    this.#side.inert = this.#narrow.matches && !this.#isOpen;
    this.#room.inert = this.#isOpen;
    this.#scrim.hidden = !this.#isOpen;
    this.#opener.setAttribute("aria-expanded", String(this.#isOpen));
    if (this.#isOpen) this.#side.querySelector("[aria-current]")?.focus();
  }
}
