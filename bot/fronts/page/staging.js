// Which board of a room is on the stage, and what is shown around it.

import { Card } from "./card.js";
import { arrange, icon, make, setText, withStones } from "./dom.js";
import { isPlayed } from "./entry.js";
import { cross } from "./lines.js";
import { isTalk, peek } from "./spoken.js";
import { isOthers, nameStub, stubOf } from "./stubs.js";
import { word } from "./words.js";

/** @typedef {import("./entry.js").Entry} Entry */

/**
 * @typedef {object} Host
 * @property {import("./entry.js").Entries} entries
 * @property {import("./scrolling.js").Scrolling} place
 * @property {import("./refusals.js").Refusals} refusals
 * @property {(entry: Entry, card: Card, token: string) => Promise<boolean | void>} press
 * @property {(token: string) => Promise<Wire.Answer | null>} ask
 * @property {(message: Wire.Message) => boolean} isMine
 * @property {() => boolean} isActive
 * @property {() => boolean} isCatchingUp
 * @property {() => void} focusLine
 * @property {() => void} bringTalk brings the end of the chat to the front
 * @property {() => void} uncovered called when the chat comes to the front
 * @property {() => void} changed called when the stage shows something else
 * @property {(room: string) => string} roomTitle
 * @property {(match: number, room: string) => void} goHome
 * @property {(isChosen: boolean) => void} shown called when another board, or none, may be on the stage
 * @property {() => string | null} from the room from which a command has led here
 * @property {(room: string) => void} go goes to a room
 */

export class Staging {
  #host;
  #stage;
  /** @type {Entry | null} the board on the stage */
  pinned = null;
  #staged = make("div", { class: "staged" });
  #others = make("div", { class: "staged-bar" });
  #homeTitle = make("span");
  #home = make("button", { type: "button", class: "home", onclick: () => this.#goHome() }, icon("back"), this.#homeTitle);
  #putAway = cross(() => this.#unpin()); // for a finished or watched match
  /** @type {number | null} the match that the user watches */
  #watched = null;
  /** @type {Map<number, Wire.Listed>} open challenges here, sent and received, by match */
  #proposed = new Map();
  /** @type {{ entry: Entry, card: Card } | null} one of them, shown at a finished board */
  #asked = null;
  /** @type {number | null} messages up to this one have been in sight; null: unknown */
  #looked = null;
  #inSight = false; // is the chat in front?
  /** @type {{ match: number, proposed: boolean } | null} the last match or challenge by the user */
  #begun = null;

  /**
   * @param {Host} host
   * @param {import("./stage.js").Stage} [stage]
   */
  constructor(host, stage) {
    this.#host = host;
    this.#stage = stage;
  }

  /** The match on the stage, if that is in sight. */
  get shown() {
    return this.#stage?.isShown ? this.pinned?.message.screen.match : undefined;
  }

  get covers() {
    return Boolean(this.#stage?.covers);
  }

  reset() {
    this.#looked = null;
    this.pinned = null;
    this.#staged.replaceChildren();
  }

  close() {
    this.#look();
    this.#inSight = false;
  }

  /** @param {number} read the last message that was in sight before, unless it is known */
  caughtUp(read) {
    if (this.#looked !== null) return;
    this.#looked = read;
    this.#inSight = false; // it was true for an empty room
  }

  // --------------------------------------------------------------------- board

  /**
   * Choose the board on the stage. The current one stays while it waits for the user, or until a
   * match has `begun`. The next one is that match, or the oldest that waits.
   *
   * @param {Entry} [begun]
   * @param {{ leads?: boolean }} how `leads`: bring that board to the front
   */
  choose(begun, { leads = false } = {}) {
    if (!this.#stage) return;
    const open = this.#host.entries.all.filter((entry) => (isPlayed(entry) && !entry.away) || this.#isWatched(entry));
    const fresh = open.find((entry) => entry === begun);
    const stays = this.pinned && (!fresh || this.pinned.message.screen.turn);
    if (!stays) {
      const waiting = open.find((entry) => entry.message.screen.turn);
      this.#pin(fresh ?? waiting ?? open.at(-1) ?? null);
    }
    this.show();
    if (leads && fresh && fresh === this.pinned && this.#host.isActive()) this.#stage.front();
  }

  /** @param {Entry} entry which is removed */
  release(entry) {
    if (entry !== this.pinned) return;
    this.pinned = null;
    entry.card?.element.remove();
  }

  /**
   * Show a board on the stage or in the log, where something else may stand for it.
   *
   * @param {Entry} entry
   */
  settle(entry) {
    const { card, element } = entry;
    if (!card) return;
    const isPinned = entry === this.pinned;
    const isLine = isOthers(entry);
    const shown = isPinned || isLine ? (entry.stub ?? stubOf(entry, () => this.lead(entry))) : card.element;
    const other = shown === card.element ? entry.stub : card.element;
    nameStub(entry);
    if (other && element.contains(other)) other.replaceWith(shown);
    else if (!element.contains(shown)) element.append(shown);
    if (isPinned && card.element.parentElement !== this.#staged) this.#staged.prepend(card.element);
    else if (isLine && !isPinned) card.element.remove();
  }

  /** @param {Entry} entry */
  #isWatched(entry) {
    return isOthers(entry) && entry.message.screen.match === this.#watched;
  }

  /** @param {Entry | null} entry */
  #pin(entry) {
    const before = this.pinned;
    if (entry === before) return;
    // A refusal at another board does not belong here.
    if (before && !this.#host.refusals.isNews) this.#host.refusals.show();
    this.#host.place.keepPlace(() => {
      this.pinned = entry;
      if (before) this.settle(before);
      if (entry) this.settle(entry);
    });
    // Until then, it was not drawn.
    if (entry && isOthers(entry)) entry.card?.show(entry.message.screen);
  }

  #unpin() {
    if (!this.pinned) return;
    this.pinned.away = true;
    this.#watched = null;
    this.#pin(null);
    this.choose();
    this.#host.focusLine();
  }

  /**
   * Bring a board to the front.
   *
   * @param {Entry} entry
   */
  lead(entry, { focus = true, atCell = true } = {}) {
    if (entry.message.screen.match !== this.#begun?.match) this.#begun = null;
    entry.away = false;
    this.#watched = isOthers(entry) ? (entry.message.screen.match ?? null) : null;
    this.#pin(entry);
    this.show({ isChosen: focus });
    this.#stage?.front();
    if (focus) entry.card?.focus({ atCell });
  }

  /** @param {Entry} entry does its board belong on the stage? */
  takes(entry) {
    const { mine, picture } = entry.message.screen;
    return Boolean(this.#stage) && (Boolean(mine && picture) || isOthers(entry) || entry === this.pinned);
  }

  // ------------------------------------------------------- what the user begins

  /** Do not bring what the user began before into sight. */
  forgetBegun() {
    this.#begun = null;
  }

  /**
   * Bring a match or challenge by the user into sight, now or when it arrives. The board takes the focus
   * from all but a field.
   *
   * @param {number} match
   */
  await(match, { proposed = false } = {}) {
    this.#begun = { match, proposed };
    const entry = this.#host.entries.of(match);
    if (entry) this.bring(entry);
  }

  /** @param {Entry} entry ignored if it shows another match */
  bring(entry) {
    if (!this.#begun || entry.message.screen.match !== this.#begun.match || !this.#host.isActive()) return;
    // Accepting the challenge is the opponent's action.
    if (this.#begun.proposed) this.#begun = null;
    if (this.#stage && isPlayed(entry)) {
      this.lead(entry, { focus: false });
      const isWriting = document.activeElement instanceof HTMLInputElement;
      return isWriting ? undefined : entry.card?.focus({ atCell: false });
    }
    // A finished board in front shows the challenge itself.
    if (this.covers && this.pinned?.message.screen.over) return;
    this.#host.bringTalk();
    entry.element.scrollIntoView({ block: "nearest" });
  }

  // --------------------------------------------------------------------- stage

  show({ isChosen = false } = {}) {
    const { pinned } = this;
    if (!this.#stage || !this.#host.isActive()) return;
    this.#look();
    if (!pinned) {
      this.#asked?.card.borrow(null);
      this.#stage.show(null);
      this.#host.shown(isChosen);
      this.#host.refusals.place();
      this.#inSight = true;
      return this.#host.changed();
    }
    const others = this.#otherBoards(pinned).map((entry) => this.#way(entry, pinned));
    const isWide = Boolean(this.#stage.isWide);
    const back = pinned.message.screen.home || this.#host.from();
    const home = back ? this.#home : null;
    const room = this.#host.roomTitle(back ?? "");
    setText(this.#homeTitle, room);
    this.#home.setAttribute("aria-label", word("back-to", { room }));
    if (home && isWide) others.push(home);
    this.#others.setAttribute("aria-label", word("board-others"));
    this.#others.setAttribute("role", "group");
    arrange(this.#others, others);
    // On a wide screen, the challenge is in sight in the chat.
    const asked = pinned.message.screen.over && !isWide ? this.#ask() : null;
    if (asked !== this.#asked?.card) this.#asked?.card.borrow(null);
    asked?.borrow(pinned.card);
    const ways = others.length ? this.#others : null;
    const bar = [...(asked ? [asked.element] : []), ...(ways && isWide ? [ways] : []), ...(pinned.message.screen.over || isOthers(pinned) ? [this.#putAway] : [])];
    arrange(this.#staged, [...(pinned.card ? [pinned.card.element] : []), ...bar]);
    this.#stage.show({
      element: this.#staged,
      turn: Boolean(pinned.message.screen.turn),
      focus: () => pinned.card?.focus(),
      viewed: () => this.#viewed(),
      others: ways,
      home,
    });
    this.#host.shown(isChosen);
    this.#host.refusals.place();
    this.tellNews();
    this.#host.changed();
  }

  // The user's boards that are not on the stage, waiting ones first.
  /** @param {Entry} pinned */
  #otherBoards(pinned) {
    return this.#host.entries.all
      .filter((entry) => entry !== pinned && isPlayed(entry))
      .sort((one, other) => Number(other.message.screen.turn ?? 0) - Number(one.message.screen.turn ?? 0));
  }

  /**
   * @param {Entry} entry
   * @param {Entry} pinned
   */
  #way(entry, pinned) {
    const { title = "", name = "", match = 0, turn } = entry.message.screen;
    const short = name && title.startsWith(name) ? name : title;
    const whom = make("span", { class: "whom" }, ...withStones(title.slice(short.length)));
    const isAlike = [pinned, ...this.#otherBoards(pinned)].some(
      (other) => other !== entry && name && other.message.screen.name === name,
    );
    const number = isAlike ? [make("span", {}, ` #${match}`)] : [];
    const onclick = () => this.lead(entry);
    const called = make("span", { class: "board-name" }, ...withStones(short));
    const button = make("button", { type: "button", onclick }, called, whom, ...number);
    button.classList.toggle("turn", Boolean(turn));
    return button;
  }

  #goHome() {
    const { match, home } = this.pinned?.message.screen ?? {};
    const from = this.#host.from();
    if (match && home) this.#host.goHome(match, home);
    else if (from) this.#host.go(from);
  }

  // ---------------------------------------------------------------- challenges

  /** @param {Wire.Listed[]} proposed all open challenges here, sent and received */
  propose(proposed) {
    const before = [...this.#proposed.keys()].join();
    this.#proposed = new Map(proposed.map((one) => [one.match, one]));
    if ([...this.#proposed.keys()].join() !== before) this.show();
  }

  /** @param {number | undefined} match */
  isProposed(match) {
    return this.#proposed.has(match ?? 0);
  }

  // Return the card of an open challenge, to be shown at a finished board.
  #ask() {
    const { ended = 0 } = this.pinned ?? {};
    const entry = this.#host.entries.all.findLast((one) => {
      const proposed = this.#proposed.get(one.message.screen.match ?? 0);
      // A challenge that was sent before the end is not for a rematch.
      return proposed && isTalk(one.message.screen) && (proposed.waits || one.message.stamp > ended);
    });
    if (!entry) return null;
    if (this.#asked?.entry !== entry) {
      const card = new Card({
        press: (token) => this.#host.press(entry, card, token),
        ask: this.#host.ask,
        change: (update) => update(),
        isLow: true,
      });
      card.element.classList.add("asked");
      this.#asked?.card.borrow(null);
      this.#asked = { entry, card };
    }
    const { card } = this.#asked;
    if (card.screen !== entry.message.screen) card.show(entry.message.screen);
    return card;
  }

  // ---------------------------------------------------- the chat behind the board

  // Note that all messages have been seen, if the chat is in sight.
  #look() {
    if (this.#inSight && !document.hidden && !this.#host.isCatchingUp()) this.#looked = this.#host.entries.all.at(-1)?.message.id ?? 0;
  }

  /** Show unseen messages on the stage, except for boards and for challenges answered or sent. */
  tellNews() {
    if (!this.#stage || !this.#host.isActive()) return;
    this.#look();
    this.#inSight = !this.#stage.covers;
    const said = this.#host.entries.all
      .map(({ message }) => message)
      .filter(({ id, screen }) => id > (this.#looked ?? Infinity) && isTalk(screen) && this.#proposed.get(screen.match ?? 0)?.waits !== false);
    const news = said.filter((message) => !this.#host.isMine(message));
    const last = said.at(-1);
    this.#stage.heard(this.#inSight ? 0 : news.length, last && !this.#inSight ? peek(last) : "");
  }

  #viewed() {
    this.#inSight = true; // the chat is now, or was until now
    this.show();
    this.#host.changed();
    if (!this.covers) this.#host.uncovered();
  }
}
