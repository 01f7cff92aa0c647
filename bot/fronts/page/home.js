// Home: the user's games, what to play, what others offer and play. For strangers, only what to play.

import { arrange, make, setText, withStones } from "./dom.js";
import { nameOf, stateOf } from "./matches.js";
import { addressOf } from "./router.js";
import { word } from "./words.js";

/** @typedef {{ id: string, name: string, about: string, alone: boolean, levels: [string, string][] }} Game */

/**
 * @typedef {object} Host
 * @property {(game: string, whom: string) => void} start starts a game, alone if `whom` is empty
 * @property {(game: string, kind: string) => void} invite opens the start card for a "friend" or "anyone"
 * @property {(room: string, token: string) => void} accept presses a button of a challenge
 * @property {(name: string) => void} challenge
 * @property {() => void} login asks a stranger for a name
 */

const TALL = 96; // pixels of a game's picture

export class Home {
  #host;
  #mine = section("my-matches", make("ul", { class: "boards" }));
  #play = section("play", make("ul", { class: "tiles" }));
  #others = section("open-challenges", make("ul", { class: "offers" }));
  #watch = section("watch", make("ul", { class: "boards" }));
  #people = section("people", make("ul", { class: "offers" }));
  #lead = make("p", { class: "home-lead" });
  #enter = make("button", { type: "button", onclick: () => this.#host.login() });
  /** @type {string | null} the game whose ways to play are shown */
  #game = null;
  /** @type {Map<string, HTMLElement>} */
  #tiles = new Map();
  element = make("div", { class: "home-page" });

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
  }

  /**
   * @param {object} known
   * @param {Game[]} known.games
   * @param {Wire.Listed[]} [known.matches]
   * @param {Wire.Listed[]} [known.others]
   * @param {string[]} [known.people] without the user
   * @param {boolean} [known.stranger]
   */
  show({ games, matches = [], others = [], people = [], stranger = false }) {
    setText(this.#lead, stranger ? word("home-lead") : "");
    setText(this.#enter, word("enter"));
    fill(this.#play, games.map((game) => this.#tile(game)));
    fill(this.#mine, matches.map((match) => card({ ...match, address: addressed(match) }, nameOf(match), stateOf(match))));
    const [asked, played] = [others.filter(({ code }) => !code), others.filter(({ code }) => code)];
    fill(this.#others, asked.map((match) => this.#challenge(match)));
    fill(this.#watch, played.map((match) => card({ ...match, address: addressed(match) }, match.title, match.terms)));
    fill(this.#people, people.map((name) => this.#person(name)));
    const sections = [this.#mine, this.#play, this.#others, this.#watch, this.#people];
    const lead = stranger ? [make("div", { class: "home-top" }, this.#lead, this.#enter)] : [];
    arrange(this.element, [...lead, ...sections.filter((one) => one.list.children.length).map(({ element }) => element)]);
  }

  /** @param {Game} game */
  #tile(game) {
    let tile = this.#tiles.get(game.id);
    if (!tile) {
      tile = tileOf({ ...game, game: game.id }, () => this.#choose(game.id));
      tile.append(make("div", { class: "ways", role: "group", hidden: true }));
      this.#tiles.set(game.id, tile);
    }
    setText(tile.querySelector(".game-name"), game.name);
    setText(tile.querySelector(".game-about"), game.about);
    this.#dress(tile, game);
    return tile;
  }

  /**
   * @param {HTMLElement} tile
   * @param {Game} game
   */
  #dress(tile, game) {
    const isOpen = this.#game === game.id;
    const ways = tile.querySelector(".ways");
    tile.querySelector(".game")?.setAttribute("aria-expanded", String(isOpen));
    tile.classList.toggle("open", isOpen);
    if (!(ways instanceof HTMLElement)) return;
    ways.hidden = !isOpen;
    ways.setAttribute("aria-label", game.name);
    if (!isOpen || ways.dataset.language === document.documentElement.lang) return;
    ways.dataset.language = document.documentElement.lang;
    const way = (/** @type {string} */ label, /** @type {() => void} */ onclick, kind = "") =>
      make("button", { type: "button", class: kind, onclick }, label);
    const start = (/** @type {string} */ whom) => () => this.#host.start(game.id, whom);
    const computers = game.levels.map(([value, name]) => way(name, start(value), "level"));
    ways.replaceChildren(
      ...(game.alone ? [make("div", { class: "row" }, way(word("alone"), start(""), "primary"))] : []),
      ...(computers.length
        ? [make("p", { class: "quiet" }, word("kind-computer")), make("div", { class: "row levels" }, ...computers)]
        : []),
      make("p", { class: "quiet" }, word("with-people")),
      make(
        "div",
        { class: "row" },
        ...["friend", "anyone"].map((kind) => way(word(`kind-${kind}`), () => this.#host.invite(game.id, kind))),
      ),
    );
  }

  /** @param {string} id */
  #choose(id) {
    const before = this.#game;
    this.#game = before === id ? null : id;
    for (const one of [before, this.#game]) {
      const tile = one === null ? undefined : this.#tiles.get(one);
      const game = GAMES().find((known) => known.id === one);
      if (tile && game) this.#dress(tile, game);
    }
    if (this.#game !== null) {
      const ways = this.#tiles.get(id)?.querySelector(".ways");
      ways?.querySelector("button")?.focus({ preventScroll: true });
      ways?.scrollIntoView({ block: "nearest" });
    }
  }

  /** @param {Wire.Listed} match */
  #challenge({ match, version, title, terms, room }) {
    const token = `accept:${match}:${version}:`;
    const accept = () => this.#host.accept(room, token);
    return make(
      "li",
      { "data-token": token },
      make("span", { class: "offer-words", dir: "auto" }, title, make("span", { class: "quiet" }, terms)),
      make("button", { type: "button", class: "primary", onclick: accept, "aria-label": `${word("accept")}: ${title}` }, word("accept")),
    );
  }

  /** @param {string} name */
  #person(name) {
    const challenge = word("challenge", { name });
    return make(
      "li",
      {},
      profileOf(name, "offer-words"),
      make("button", { type: "button", "aria-label": challenge, onclick: () => this.#host.challenge(name) }, word("challenge-one")),
    );
  }
}

/** @type {Record<string, Game[]> | null} */
let known = null;

/** Return the games, in the page's language. */
export function GAMES() {
  known ??= JSON.parse(document.getElementById("games")?.textContent || "{}");
  return known?.[document.documentElement.lang] ?? [];
}

/**
 * Return a link to a player's profile.
 *
 * @param {string} name
 * @param {string} kind its class
 */
export function profileOf(name, kind) {
  return make("a", { class: kind, href: addressOf({ name: "people", argument: name }), "data-place": true, dir: "auto" }, name);
}

/**
 * Return a button with the picture and the name of a game.
 *
 * @param {{ game: string, name: string, about?: string }} tile
 * @param {() => void} onclick
 * @returns {HTMLElement}
 */
export function tileOf({ game, name, about = "" }, onclick) {
  const source = `game/${game}.png?theme=${window.theme.now}`;
  const words = make("span", { class: "game-words" }, make("span", { class: "game-name" }, name));
  if (about) words.append(make("span", { class: "game-about" }, about));
  const image = make("img", { src: source, alt: "", width: TALL, height: TALL, loading: "lazy" });
  return make("li", {}, make("button", { type: "button", class: "game", onclick }, image, words));
}

/** @param {{ game: string, whom?: string, kind?: string }} wished a game and opponent, in words */
export function wishOf({ game, whom, kind }) {
  const { name = "", levels = [] } = GAMES().find(({ id }) => id === game) ?? {};
  const opponent = kind ? word(`kind-${kind}`) : levels.find(([value]) => value === whom)?.[1];
  return opponent ? `${name} · ${opponent}` : name;
}

/**
 * @param {string} name of its title's text
 * @param {HTMLElement} list
 */
function section(name, list) {
  const title = make("h2");
  return { name, title, list, element: make("section", {}, title, list) };
}

/**
 * Show items. Those that have not changed keep their elements, and a press that has begun there.
 *
 * @param {ReturnType<typeof section>} part
 * @param {HTMLElement[]} items
 */
function fill({ name, title, list }, items) {
  setText(title, word(name));
  const before = [...list.children];
  arrange(list, items.map((item) => before.find((one) => one === item || one.isEqualNode(item)) ?? item));
}

/**
 * Return a small board that leads to its game, or the words of a challenge.
 *
 * @param {{ picture: string | null, address: string, waits?: boolean }} match
 * @param {string} called
 * @param {string} state
 */
export function card({ picture, address, waits = false }, called, state) {
  const image = picture ? make("img", { src: picture, alt: "", loading: "lazy" }) : null;
  return make(
    "li",
    {},
    make(
      "a",
      { class: waits ? "small waits" : "small", href: address, "data-place": true },
      image,
      make("span", { class: "small-name", dir: "auto" }, ...withStones(called)),
      make("span", { class: "small-state" }, state),
    ),
  );
}

/** @param {{ code: string, picture: string | null, room: string }} match */
function addressed({ code, picture, room }) {
  return addressOf(picture ? { name: "g", argument: code } : { name: "rooms", argument: room });
}
