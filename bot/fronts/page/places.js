// The places beside the rooms: home, puzzles, and the answers to commands as pages.

import { Card } from "./card.js";
import { announce, arrange, byId, make, setText } from "./dom.js";
import { History } from "./history.js";
import { GAMES, Home, tileOf } from "./home.js";
import { Importer } from "./importer.js";
import { addressOf } from "./router.js";
import { word } from "./words.js";

export const HOUSE = "@house"; // the room of the direct chat
const NEWS_EVERY = 2_000; // milliseconds between two requests for what others play

/** @type {Record<string, string>} the command that a place shows */
const COMMANDS = {
  blocked: "/block",
  games: "/matches",
  help: "/help",
  language: "/language",
  leaderboard: "/leaderboard",
  people: "/stats",
  privacy: "/privacy",
  rules: "/rules",
  settings: "/settings",
};

/**
 * @typedef {object} Host
 * @property {(frame: Wire.Request) => Promise<Wire.Answer | null>} request
 * @property {(room: string, token: string) => Promise<Wire.Answer | null>} press
 * @property {(room: string, done: Wire.Answer | null) => Wire.Answer | null} follow goes where an answer leads
 * @property {(place: { name: string, argument: string }) => boolean} isHere is this the address?
 * @property {(room: string) => void} enter
 * @property {(game: string, whom: string) => void} start starts a game, alone if `whom` is empty
 * @property {(game: string, kind: string) => void} invite opens the start card for a "friend" or "anyone"
 * @property {(name: string) => void} challenge
 * @property {() => void} login
 */

/** @param {string[]} names of places */
function links(names) {
  const items = names.map((name) =>
    make("li", {}, make("a", { href: addressOf({ name, argument: "" }), "data-place": true }, word(name || "home"))),
  );
  return make("ul", { class: "page-links" }, ...items);
}

export class Places {
  #host;
  #title = byId("place-title");
  #body = byId("place-body");
  #home;
  /** @type {{ me: Wire.Person | null, matches: Wire.Listed[], people: string[] }} */
  #known = { me: null, matches: [], people: [] };
  /** @type {Wire.Listed[]} */
  #others = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #hearing;
  #isOutdated = false;
  /** Is the answer missing because the connection is lost? */
  isLost = false;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    this.#home = new Home({ ...host, accept: (room, token) => this.#accept(room, token) });
  }

  /**
   * @param {string} name of the place, "" for home
   * @param {string} argument
   */
  show(name, argument) {
    this.isLost = false;
    if (name === "") {
      this.#show(this.#known.me ? word("home") : "Azumaya", this.#home.element);
      this.#showHome();
      return this.hear();
    }
    if (name === "puzzles") return this.#show(word("puzzles"), this.#puzzles());
    // This shows a position. Only a press starts a game from it.
    if (name === "play") return this.#answer(name, argument, { t: "press", room: HOUSE, token: `shared:0:0:${argument}` });
    const command = COMMANDS[name];
    if (!command) return this.say(word("nowhere-text"), word("nowhere"), links([""]));
    const said = name === "people" && argument ? `@${argument}` : argument;
    return this.#answer(name, argument, { t: "say", room: HOUSE, text: `${command} ${said}`.trim() });
  }

  /**
   * @param {string} name of the place
   * @param {string} argument
   * @param {Wire.Request} request for what it shows
   */
  async #answer(name, argument, request) {
    const done = await this.#host.request(request);
    if (!this.#host.isHere({ name, argument })) return;
    const title = word(name === "people" ? "stats" : name);
    this.isLost = !done;
    if (!done?.private) return this.say(done?.error ?? word("lost"), done ? word("nowhere") : title);
    this.showScreen(done.private, title);
    if (name === "settings") this.#body.firstElementChild?.append(links(["language", "privacy", "blocked", "rules", "help"]));
    if (name === "people" && argument && argument !== this.#known.me?.name) this.#body.firstElementChild?.prepend(this.#player(argument));
    const hasHistory = name === "games" || (name === "people" && !done.error);
    if (name === "games") this.#body.firstElementChild?.append(this.#importer());
    if (hasHistory) this.#body.firstElementChild?.append(new History(this.#host.request, argument).element);
  }

  #importer() {
    return new Importer({
      ask: () => this.#host.request({ t: "say", room: HOUSE, text: "/import" }),
      show: (done) => {
        if (done?.private) return this.showScreen(done.private, word("import"));
        if (done?.begun) this.#host.enter(HOUSE);
        this.#host.follow(HOUSE, done);
      },
    }).element;
  }

  /** @param {string} name */
  #player(name) {
    const block = async () => {
      const done = await this.#host.request({ t: "say", room: HOUSE, text: `/block @${name}` });
      if (done?.private) this.showScreen(done.private);
      else this.say(done?.error ?? word("lost"));
    };
    return make(
      "div",
      { class: "row" },
      make("button", { type: "button", class: "primary", onclick: () => this.#host.challenge(name) }, word("challenge", { name })),
      make("button", { type: "button", onclick: block }, word("block")),
    );
  }

  /**
   * Show a private screen as a page.
   *
   * @param {Wire.Screen} screen
   * @param {string} title if it has none
   */
  showScreen(screen, title = "Azumaya") {
    const error = make("p", { class: "error", role: "alert" });
    const card = new Card({
      ask: (token) => this.#host.press(HOUSE, token),
      change: (update) => update(),
      press: async (token) => {
        const answer = await this.#host.press(HOUSE, token);
        setText(error, answer ? answer.error ?? "" : word("lost"));
        if (answer?.begun) this.#host.enter(HOUSE);
        if (answer?.private) {
          setText(this.#title, answer.private.title || title);
          await card.show({ ...answer.private, title: "" });
        }
        return answer?.ok ?? false;
      },
    });
    void card.show({ ...screen, title: "" });
    card.element.classList.add("page-card");
    this.#show(screen.title || title, make("div", { class: "page" }, card.element, error));
  }

  /**
   * @param {string} text why there is nothing to show
   * @param {HTMLElement} [after] it
   */
  say(text, title = word("nowhere"), after) {
    this.#show(title, make("div", { class: "page" }, make("p", { class: "page-text" }, text), after));
  }

  /**
   * Show what the server has told of the user's games and of the others.
   *
   * @param {{ me: Wire.Person | null, matches: Wire.Listed[], people: string[] }} known
   */
  know(known) {
    this.#known = known;
    this.#showHome();
  }

  /** Request what others play and offer, if that is shown. */
  hear() {
    if (!this.#known.me || !this.#isHome) return;
    this.#isOutdated = this.#hearing !== undefined;
    if (this.#isOutdated) return;
    this.#hearing = setTimeout(() => {
      this.#hearing = undefined;
      if (this.#isOutdated) this.hear();
    }, NEWS_EVERY);
    void this.#host.request({ t: "home" }).then((done) => {
      if (done?.ok) this.#others = done.others ?? [];
      this.#showHome();
    });
  }

  get #isHome() {
    return this.#home.element.isConnected && !byId("place").hidden;
  }

  #showHome() {
    if (!this.#isHome) return;
    const { me, matches, people } = this.#known;
    const others = people.filter((name) => name !== me?.name);
    this.#home.show({ games: GAMES(), matches, others: this.#others, people: others, stranger: !me });
  }

  /**
   * @param {string} room
   * @param {string} token
   */
  async #accept(room, token) {
    const done = await this.#host.press(room, token);
    if (done?.ok) return this.#host.enter(room);
    announce(done?.error ?? done?.private?.text ?? word("lost"));
    this.hear();
  }

  #puzzles() {
    const tiles = GAMES()
      .filter(({ alone }) => !alone)
      .map(({ id, name }) => tileOf({ game: id, name }, () => void this.#solve(id)));
    return make("div", { class: "home-page" }, make("p", { class: "home-lead" }, word("puzzles-text")), make("ul", { class: "tiles" }, ...tiles));
  }

  /** @param {string} game */
  async #solve(game) {
    const done = await this.#host.request({ t: "say", room: HOUSE, text: `/puzzle ${game}` });
    if (done?.ok) this.#host.enter(HOUSE);
    else announce(done?.error ?? word("lost"));
    this.#host.follow(HOUSE, done);
  }

  /**
   * @param {string} title
   * @param {HTMLElement} element
   */
  #show(title, element) {
    setText(this.#title, title);
    arrange(this.#body, [element]);
    this.#body.scrollTop = 0;
    this.#title.focus({ preventScroll: true });
  }
}
