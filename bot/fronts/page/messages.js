// The log of a room: its messages in the order of their ids, and the user's boards on the stage.

import { Card, cross, isPast, note } from "./card.js";
import { announce, arrange, icon, make, setText, withStones } from "./dom.js";
import { dressed, isInOneBreath, isPlayed, showAge } from "./entry.js";
import { Scrolling } from "./scrolling.js";
import { difference, isTalk, peek, spoken } from "./spoken.js";
import { word } from "./words.js";

const MOST_SEEN = 100; // newest messages that a typed line may refer to

/** @typedef {import("./entry.js").Entry} Entry */

/**
 * @typedef {object} Host
 * @property {(room: string, token: string) => Promise<Wire.Answer | null>} press
 * @property {(room: string, before: number) => Promise<Wire.Answer | null>} older
 * @property {(room: string, text: string) => Promise<unknown>} say sends a typed line
 * @property {(log: Log) => void} scrolled called when the jump button may have to change
 * @property {() => void} focusLine
 * @property {(room: string) => string} roomTitle
 * @property {(match: number, home: { room: string, token: string }) => void} goHome goes to the board in its room
 * @property {(room: string) => void} go goes to a room
 * @property {(match: number, home: { room: string }) => void} ended called when the match of the private board on the stage ends
 * @property {import("./stage.js").Stage} [stage] shows the board that the user plays on
 */

export class Log {
  #host;
  #room;
  #me;
  #place;
  /** @type {Map<number, Entry>} by message id */
  #entries = new Map();
  /** @type {number[]} ids, ascending */
  #order = [];
  /** @type {number | null} all messages from this id on are loaded */
  #floor = null;
  #complete = false; // no older messages exist
  /** @type {number | null} messages before this id are being loaded */
  #loadingBefore = null;
  #catchingUp = false;
  #divider = make("div", { class: "divider", role: "separator" });
  /** @type {number | null} */
  #dividerBefore = null;
  /** @type {HTMLElement | null} */
  #refusal = null;
  /** @type {Card | null} the board that shows it; null: the end of the log */
  #toldAt = null;
  /** @type {number | null} its match */
  #refusedAbout = null;
  /** @type {Map<number, Set<() => void>>} remove the questions about a match, by match */
  #questions = new Map();
  /** @type {Map<string, () => void>} remove the private cards at the end of the log: by kind if about a match */
  #answers = new Map();
  /** @type {Set<Card>} with a note */
  #noted = new Set();
  #top = make("div", { class: "log-top" });
  #list = make("div", { class: "log-list" });
  /** @type {Entry | null} the board on the stage */
  #pinned = null;
  #staged = make("div", { class: "staged" });
  #others = make("div", { class: "staged-bar" });
  #homeTitle = make("span");
  #home = make("button", { type: "button", class: "home", onclick: () => this.#goHome() }, icon("back"), this.#homeTitle);
  #putAway = cross(() => this.#unpin()); // for a finished match
  #empty = make("div", { class: "log-empty" });
  /** @type {Map<number, Wire.OpenMatch>} open challenges here, sent and received, by match */
  #proposed = new Map();
  /** @type {{ entry: Entry, card: Card } | null} one of them, shown at a finished board */
  #asked = null;
  /** @type {number | null} messages up to this one have been in sight; null: unknown */
  #looked = null;
  #inSight = false; // is the chat in front?
  /** @type {{ match: number, proposed: boolean } | null} the last match or challenge by the user */
  #begun = null;
  /** @type {string | null} the room from which a command has led to this one */
  from = null;

  /**
   * @param {Host} host
   * @param {string} room
   * @param {Wire.Person} me
   */
  constructor(host, room, me) {
    this.#host = host;
    this.#room = room;
    this.#me = me;
    this.element = make(
      "div",
      { class: "log", role: "log", "aria-live": "off", tabindex: "0" },
      this.#top,
      this.#list,
    );
    this.#place = new Scrolling(this.element, {
      list: this.#list,
      top: this.#top,
      isActive: () => this.active,
      changed: () => host.scrolled(this),
    });
    new IntersectionObserver((seen) => seen.at(-1)?.isIntersecting && this.#loadOlder(), {
      root: this.element,
      rootMargin: "400px 0px 0px",
    }).observe(this.#top);
    this.element.hidden = true;
  }

  get active() {
    return !this.element.hidden;
  }

  get atEnd() {
    return this.#place.follows;
  }

  get fresh() {
    return this.#place.fresh;
  }

  /** @type {number | null} the last message read in earlier visits; null: unknown */
  readUpTo = null;

  get newest() {
    return this.#order.at(-1) ?? null;
  }

  /** Match -> the version shown. A typed move refers to it. */
  get seen() {
    /** @type {Record<number, number>} */
    const versions = {};
    for (const id of this.#order.slice(-MOST_SEEN)) {
      const { match, version } = this.#entries.get(id)?.message.screen ?? {};
      if (match) versions[match] = Math.max(versions[match] ?? 0, version ?? 0);
    }
    return versions;
  }

  /** The match on the stage, if that is in sight. */
  get staged() {
    return this.#host.stage?.isShown ? this.#pinned?.message.screen.match : undefined;
  }

  /** @param {string} title */
  open(title) {
    this.element.setAttribute("aria-label", word("messages", { room: title }));
    this.element.hidden = false;
    if (this.#divider.isConnected) this.#divider.scrollIntoView({ block: "start" });
    else this.#place.restore();
    this.#tick();
    this.#showStage();
  }

  close() {
    this.from = null;
    this.#look();
    this.#inSight = false;
    this.element.hidden = true;
    this.clearDivider();
  }

  /** Forget all messages: the server replaces them. */
  reset() {
    this.#entries.clear();
    this.#order = [];
    this.#looked = null;
    this.#floor = null;
    this.#complete = false;
    this.#place.follows = true;
    this.#list.replaceChildren();
    this.#pinned = null;
    this.#questions.clear();
    this.#answers.clear();
    this.#staged.replaceChildren();
    this.clearDivider();
  }

  beginCatchUp() {
    this.#catchingUp = true;
  }

  endCatchUp() {
    this.#catchingUp = false;
    if (this.#looked === null) {
      this.#looked = this.readUpTo ?? this.newest ?? 0;
      this.#inSight = false; // it was true for an empty room
    }
    if (this.#order.length === 0) this.#complete = true;
    this.#showEmpty();
    this.#choosePinned();
    if (this.#place.follows && this.active) this.#place.toEnd();
    if (this.readUpTo !== null && this.active && this.#divider.isConnected) {
      this.#divider.scrollIntoView({ block: "start" });
      this.#place.look();
    }
    // The observer reported the top before there was anything to load.
    if (this.active && this.#place.isNearTop) this.#loadOlder();
  }

  /**
   * Add or update a message. Returns whether it is news to the user. `first`: part of the messages
   * sent on arrival.
   *
   * @param {Wire.Message} message
   */
  put(message, { first = false } = {}) {
    const known = this.#entries.get(message.id);
    if (known) {
      if (message.stamp < known.message.stamp) return false;
      const wasPlayed = isPlayed(known);
      const before = known.message.screen;
      this.#change(known, message);
      // A finished match has left the list of games, so its end is news here.
      return (wasPlayed && Boolean(message.screen.over)) || bringsNews(before, message.screen);
    }
    const older = this.isEarlier(message);
    // A board older than the loaded messages is loaded together with its neighbours.
    const isNew = !older && !first;
    if (isNew && !this.#complete && message.id < (this.#floor ?? 0)) return false;
    this.#floor = Math.min(this.#floor ?? message.id, message.id);
    const mine = this.#isMine(message);
    const watched = this.active && !document.hidden && !this.#catchingUp;
    const covered = watched && Boolean(this.#host.stage?.covers);
    const isUnread = !isNew && !mine && message.id > (this.readUpTo ?? Infinity);
    if (isUnread) this.#dividerBefore = Math.min(this.#dividerBefore ?? message.id, message.id);
    if (isNew && !mine && (covered || !watched)) this.#dividerBefore ??= message.id;
    if (isNew && mine && !this.#catchingUp) this.#place.follows = true;
    const entry = this.#insert(message);
    const { element } = entry;
    if (isNew && watched) {
      element.classList.add("fresh");
      element.addEventListener("animationend", () => element.classList.remove("fresh"), { once: true });
      if (!mine) announce(spoken(message));
      if (!this.#place.follows) this.#place.fresh += 1;
      this.#host.scrolled(this);
    }
    if (isNew && !this.#catchingUp) this.#tellNews();
    if (this.#proposed.has(message.screen.match ?? 0)) this.#showStage();
    if (message.screen.mine && !this.#catchingUp) {
      this.#choosePinned(message.id, { leads: isNew && !this.#isShownElse(message) });
    }
    if (isNew && !this.#catchingUp) this.#bring(entry);
    return (isNew && !mine) || (isUnread && first);
  }

  #showEmpty() {
    const isEmpty = this.#list.children.length === 0 && this.#complete;
    if (!isEmpty) return this.#empty.remove();
    if (this.#empty.isConnected) return;
    const play = () => this.#host.say(this.#room, "/play");
    this.#empty.replaceChildren(
      icon("house"),
      make("p", {}, word("empty")),
      make("button", { type: "button", class: "primary", onclick: play }, word("play")),
    );
    this.element.prepend(this.#empty);
  }

  // True for a line of the user, or an answer to them.
  /** @param {Wire.Message} message */
  #isMine({ author, asked }) {
    return Boolean(asked) || author?.id === this.#me.id;
  }

  /** @param {Wire.Message} message is it one of the requested older ones? */
  isEarlier(message) {
    return this.#loadingBefore !== null && message.id < this.#loadingBefore;
  }

  /** @param {number} id */
  remove(id) {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    this.#order.splice(this.#order.indexOf(id), 1);
    const hadFocus = entry.card?.element.contains(document.activeElement);
    if (entry === this.#pinned) {
      this.#pinned = null;
      entry.card?.element.remove();
    }
    this.#place.keepPlace(() => entry.element.remove());
    // A board that was moved to the end of the chat stays on the stage, and keeps the focus.
    const { match } = entry.message.screen;
    const again = match && !this.#pinned ? this.#order.findLast((one) => this.#entries.get(one)?.message.screen.match === match) : undefined;
    this.#choosePinned(again);
    if (hadFocus && entry.message.screen.match) this.reveal(entry.message.screen.match);
    this.#group(this.#order.find((other) => other > id));
  }

  /**
   * Show the answer to a typed line: its error and its private screen. It replaces the previous one.
   * About a match, only a new answer to the same `command` does.
   *
   * @param {Wire.Answer} done
   * @param {string} command
   */
  answer(done, command = "") {
    this.#begun = null;
    if (done.ok) this.#forgive();
    const { about, error } = done;
    const isOther = about && this.#pinned && about !== this.#pinned.message.screen.match;
    this.refuse(error && isOther ? `#${about}: ${error}` : error ?? "", about);
    if (!done.private || this.#override(done.private)) return;
    // A short line is shown at the board. Anything longer opens the chat.
    if (this.#host.stage?.covers && isWord(done.private)) return this.say(done.private.text ?? "", done.about ?? null);
    this.#whisper(done.private, undefined, done.about, command);
  }

  /**
   * Show why the last line was refused. Without a text, remove the refusal.
   *
   * @param {string} text
   * @param {number | null} about its match
   */
  refuse(text = "", about = null) {
    this.#refuse(text, about, "refusal");
  }

  /**
   * Show news in the place of a refusal.
   *
   * @param {string} news
   * @param {number | null} match
   */
  say(news, match) {
    this.#refuse(news, match, "refusal told");
  }

  /** @param {number} match whose refusal or news is outdated */
  forget(match) {
    if (match === this.#refusedAbout) this.refuse();
  }

  /**
   * @param {string} text
   * @param {number | null} about
   * @param {string} kind
   */
  #refuse(text, about, kind) {
    if (text) this.#clearNotes();
    this.#refusedAbout = about;
    if (!text && !this.#refusal) return;
    const close = () => {
      this.refuse();
      this.#host.focusLine();
    };
    const before = this.#refusal;
    this.#refusal = text ? note(kind, text, close) : null;
    const update = () => {
      before?.remove();
      this.#placeRefusal();
    };
    this.#place.keepPlace(update, { still: true });
    // It must not cover the newest line.
    if (this.#refusal && !this.#toldAt && this.#place.follows) this.#place.toEnd();
    this.#showEmpty();
    announce(text);
  }

  // At the board if it covers the chat, otherwise at the end of the log.
  #placeRefusal() {
    const board = this.#host.stage?.covers ? (this.#pinned?.card ?? null) : null;
    if (board !== this.#toldAt) this.#toldAt?.tell(null);
    this.#toldAt = board;
    board?.tell(this.#refusal);
    if (this.#refusal && !board) this.#list.append(this.#refusal);
  }

  #forgive() {
    this.refuse();
    this.#clearNotes();
  }

  #clearNotes() {
    for (const card of this.#noted) card.note();
    this.#noted.clear();
  }

  jump() {
    if (this.#place.follows) return;
    this.#place.follows = true;
    this.#place.toEnd();
  }

  // The last message that shows a match, or its challenge.
  /** @param {number} match */
  #showing(match) {
    const id = this.#order.findLast((one) => this.#entries.get(one)?.message.screen.match === match);
    return id === undefined ? undefined : this.#entries.get(id);
  }

  /** @param {number} match */
  has(match) {
    return this.#showing(match) !== undefined;
  }

  /** @param {number} match */
  isInSight(match) {
    const isStaged = this.#pinned?.message.screen.match === match && this.#host.stage?.isShown;
    if (isStaged && this.active && !document.hidden) return true;
    const shown = this.#showing(match)?.element.getBoundingClientRect();
    const log = this.element.getBoundingClientRect();
    const isCovered = !this.active || document.hidden || Boolean(this.#host.stage?.covers);
    return !isCovered && shown !== undefined && shown.bottom > log.top && shown.top < log.bottom;
  }

  /**
   * Bring the board of a match, or its challenge, to the front and focus it. Returns whether it is
   * here.
   *
   * @param {number} match
   * @param {{ atCell?: boolean }} how (see `Card.focus`)
   */
  reveal(match, { atCell = true } = {}) {
    const entry = this.#showing(match);
    if (!entry?.card) return false;
    if (this.#host.stage && (isPlayed(entry) || entry === this.#pinned)) {
      this.#lead(entry, { atCell });
      return true;
    }
    // A board on the stage may cover the log.
    this.#host.stage?.talk();
    const { element } = entry.card;
    this.#place.follows = false;
    element.scrollIntoView({ block: element.offsetHeight > this.element.clientHeight ? "start" : "center" });
    entry.card.focus({ atCell });
    this.#place.look();
    return true;
  }

  /**
   * Bring a match or challenge by the user into sight, now or when it arrives. The focus stays.
   *
   * @param {number} match
   */
  bring(match, { proposed = false } = {}) {
    this.#begun = { match, proposed };
    const entry = this.#showing(match);
    if (entry) this.#bring(entry);
  }

  /** @param {Entry} entry ignored if it shows another match */
  #bring(entry) {
    if (!this.#begun || entry.message.screen.match !== this.#begun.match || !this.active) return;
    // Accepting the challenge is the opponent's action.
    if (this.#begun.proposed) this.#begun = null;
    if (this.#host.stage && isPlayed(entry)) return this.#lead(entry, { focus: false });
    // A finished board in front shows the challenge itself.
    if (this.#host.stage?.covers && this.#pinned?.message.screen.over) return;
    this.bringTalk();
    entry.element.scrollIntoView({ block: "nearest" });
  }

  /** Bring the end of the chat to the front, where the answer appears. */
  bringTalk() {
    if (!this.active) return;
    this.#host.stage?.talk();
    this.jump();
  }

  clearDivider() {
    this.#dividerBefore = null;
    this.readUpTo = null;
    this.#place.keepPlace(() => this.#divider.remove());
  }

  // ------------------------------------------------------------------ entries

  /** @param {Wire.Message} message */
  #insert(message) {
    const entry = this.#entry(message);
    const { id } = message;
    const later = this.#order.findIndex((other) => other > id);
    const place = later === -1 ? this.#order.length : later;
    const next = this.#order[place];
    this.#order.splice(place, 0, id);
    this.#entries.set(id, entry);
    const after = next === undefined ? undefined : this.#entries.get(next);
    const isLast = after === undefined;
    this.#place.keepPlace(() => {
      this.#list.insertBefore(entry.element, after?.element ?? null);
      this.#group(id);
      this.#group(next);
      this.#placeDivider();
    });
    this.#showEmpty();
    if (isLast && this.#place.follows) this.#place.toEnd();
    return entry;
  }

  /**
   * @param {Wire.Message} message
   * @returns {Entry}
   */
  #entry(message) {
    const { element, line } = dressed(message, this.#me);
    const ended = message.screen.over ? message.stamp : undefined;
    /** @type {Entry} */
    const entry = { message, element, line, card: null, own: false, ended };
    if (line) return entry;
    const card = this.#card(entry);
    entry.card = card;
    card.show(message.screen);
    element.append(card.element);
    return entry;
  }

  /** @param {Entry} entry */
  #card(entry) {
    const card = new Card({
      press: (token) => this.#press(entry, card, token),
      ask: (token) => this.#host.press(this.#room, token),
      // A card on the stage does not move the log.
      change: (update, how) =>
        entry === this.#pinned
          ? update()
          : this.#place.keepPlace(update, { anchor: card.element, isWatched: !entry.message.screen.mine, ...how }),
    });
    card.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && entry.own) this.#disown(entry);
    });
    return card;
  }

  /**
   * @param {Entry} entry
   * @param {Wire.Message} message
   */
  #change(entry, message) {
    const before = entry.message.screen;
    entry.message = message;
    if (message.screen.over && !before.over) entry.ended = message.stamp;
    entry.own = false;
    const { match, version } = message.screen;
    if (match && version !== before.version) {
      for (const leave of this.#questions.get(match) ?? []) leave();
      this.forget(match);
      // A refusal is outdated after the board has changed.
      if (entry === this.#pinned && !this.#refusal?.matches(".told")) this.refuse();
    }
    nameStub(entry);
    if (entry.card) entry.card.show(message.screen);
    else setText(entry.line, message.screen.text ?? "");
    if (this.active && !document.hidden && !this.#catchingUp) {
      // A reminder does not change the text of the board.
      const { news } = message.screen;
      announce(difference(before, message.screen) || (bringsNews(before, message.screen) ? news : ""));
    }
    if (!this.#catchingUp) this.#tellNews();
    if (!message.screen.mine || this.#catchingUp) return;
    const hasBegun = !before.picture && Boolean(message.screen.picture);
    this.#choosePinned(hasBegun ? message.id : undefined, { leads: hasBegun });
    if (hasBegun) this.#bring(entry);
    const { over, home } = message.screen;
    const isRead = entry.card?.element.matches(".covered, .stepping");
    if (match && home && over && !before.over && entry === this.#pinned && this.active && !isRead) {
      this.#host.ended(match, home);
    }
  }

  /**
   * @param {Entry} entry
   * @param {Card} card
   * @param {string} token
   * @returns {Promise<boolean | void>} true if the board goes on because of it, undefined if
   *   something else is shown or the result is unknown
   */
  async #press(entry, card, token) {
    this.#begun = null;
    const { version } = entry.message.screen;
    const done = await this.#host.press(this.#room, token);
    if (!done) return;
    // The first request succeeded before the connection broke. The board shows the result.
    if (!done.ok && done.repeated && entry.message.screen.version !== version) return;
    this.#note(card, done);
    if (done.private && this.#override(done.private)) return;
    if (done.private && isPast(done.private)) return card.step(done.private);
    if (done.ok && entry.own) this.#disown(entry);
    if (!done.private) return done.ok;
    // Text about a finished board is shown next to it, if there is width for both.
    const isBeside = entry === this.#pinned && entry.message.screen.over && this.#host.stage?.isWide;
    if (isBeside && isOnlyText(done.private)) return this.#whisper(done.private, undefined, done.about, "read");
    return this.#whisper(done.private, card, done.about);
  }

  /** @param {Entry} entry */
  #disown(entry) {
    entry.own = false;
    entry.card?.show(entry.message.screen);
  }

  // Show a partial move in the place of its board. On the same version of the board, a press on
  // another cell starts another move.
  /** @param {Wire.Screen} screen */
  #override(screen) {
    const entry = this.#entries.get(screen.replaces ?? -1);
    if (!entry?.card) return false;
    entry.own = true;
    announce(difference(entry.card.screen ?? {}, screen));
    const { picture, version } = entry.message.screen;
    const others = version === screen.version ? picture?.cells?.filter(({ legal }) => legal) : [];
    entry.card.show({ ...screen, picture: screen.picture && { ...screen.picture, others } }, { own: true });
    return true;
  }

  /**
   * @param {Card} card
   * @param {Wire.Answer} answer
   */
  #note(card, { error }) {
    this.#forgive();
    card.note(error ?? "");
    if (error) this.#noted.add(card);
    announce(error);
  }

  // -------------------------------------------------------------------- stage

  /**
   * Choose the board on the stage. The current one stays while it waits for the user, or until a
   * match has `begun`. The next one is that match, or the oldest that waits.
   *
   * @param {number} [begun] its message
   * @param {{ leads?: boolean }} how `leads`: bring that board to the front
   */
  #choosePinned(begun, { leads = false } = {}) {
    if (!this.#host.stage) return;
    const entries = this.#order.map((id) => this.#entries.get(id));
    const open = entries.filter((entry) => entry && isPlayed(entry) && !entry.away);
    const fresh = open.find((entry) => entry?.message.id === begun);
    const stays = this.#pinned && (!fresh || this.#pinned.message.screen.turn);
    if (!stays) {
      const waiting = open.find((entry) => entry?.message.screen.turn);
      this.#pin(fresh ?? waiting ?? open.at(-1) ?? null);
    }
    this.#showStage();
    if (leads && fresh && fresh === this.#pinned && this.active) this.#host.stage.front();
  }

  /** @param {Wire.Message} message */
  #isShownElse({ id, screen: { match } }) {
    return [...this.#entries.values()].some(
      ({ message }) => message.id !== id && message.screen.match === match && message.screen.picture,
    );
  }

  /** @param {Entry | null} entry */
  #pin(entry) {
    const before = this.#pinned;
    if (entry === before) return;
    // A refusal at another board does not belong here.
    if (before && !this.#refusal?.matches(".told")) this.refuse();
    this.#place.keepPlace(() => {
      if (before?.card) before.stub?.replaceWith(before.card.element);
      this.#pinned = entry;
      if (!entry?.card) return;
      const lead = () => this.#lead(entry);
      entry.stub ??= make("button", { type: "button", class: "stub", onclick: lead });
      nameStub(entry);
      entry.card.element.replaceWith(entry.stub);
      this.#staged.prepend(entry.card.element);
    });
  }

  #unpin() {
    if (!this.#pinned) return;
    this.#pinned.away = true;
    this.#pin(null);
    this.#choosePinned();
    this.#host.focusLine();
  }

  /** @param {Entry} entry */
  #lead(entry, { focus = true, atCell = true } = {}) {
    if (entry.message.screen.match !== this.#begun?.match) this.#begun = null;
    entry.away = false;
    this.#pin(entry);
    this.#showStage();
    this.#host.stage?.front();
    if (focus) entry.card?.focus({ atCell });
  }

  #showStage() {
    const pinned = this.#pinned;
    if (!this.#host.stage || !this.active) return;
    this.#look();
    if (!pinned) {
      this.#asked?.card.borrow(null);
      this.#host.stage.show(null);
      this.#placeRefusal();
      this.#inSight = true;
      return this.#host.scrolled(this);
    }
    const others = this.#otherBoards(pinned).map((entry) => this.#way(entry, pinned));
    const isWide = Boolean(this.#host.stage.isWide);
    const back = pinned.message.screen.home?.room ?? this.from;
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
    const bar = [...(asked ? [asked.element] : []), ...(ways && isWide ? [ways] : []), ...(pinned.message.screen.over ? [this.#putAway] : [])];
    arrange(this.#staged, [...(pinned.card ? [pinned.card.element] : []), ...bar]);
    this.#host.stage.show({
      element: this.#staged,
      turn: Boolean(pinned.message.screen.turn),
      focus: () => pinned.card?.focus(),
      viewed: () => this.#viewed(),
      others: ways,
      home,
    });
    this.#placeRefusal();
    this.#tellNews();
    this.#host.scrolled(this);
  }

  // The user's boards that are not on the stage, waiting ones first.
  /** @param {Entry} pinned */
  #otherBoards(pinned) {
    return this.#order
      .flatMap((id) => this.#entries.get(id) ?? [])
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
    const onclick = () => this.#lead(entry);
    const called = make("span", { class: "board-name" }, ...withStones(short));
    const button = make("button", { type: "button", onclick }, called, whom, ...number);
    button.classList.toggle("turn", Boolean(turn));
    return button;
  }

  #goHome() {
    const { match, home } = this.#pinned?.message.screen ?? {};
    if (match && home) this.#host.goHome(match, home);
    else if (this.from) this.#host.go(this.from);
  }

  /** @param {Wire.OpenMatch[]} proposed all open challenges here, sent and received */
  propose(proposed) {
    const before = [...this.#proposed.keys()].join();
    this.#proposed = new Map(proposed.map((one) => [one.match, one]));
    if ([...this.#proposed.keys()].join() !== before) this.#showStage();
  }

  // Return the card of an open challenge, to be shown at a finished board.
  #ask() {
    const { ended = 0 } = this.#pinned ?? {};
    const entry = this.#order
      .map((id) => this.#entries.get(id))
      .findLast((one) => {
        const proposed = this.#proposed.get(one?.message.screen.match ?? 0);
        // A challenge that was sent before the end is not for a rematch.
        return one && proposed && isTalk(one.message.screen) && (proposed.waits || one.message.stamp > ended);
      });
    if (!entry) return null;
    if (this.#asked?.entry !== entry) {
      const card = new Card({
        press: (token) => this.#press(entry, card, token),
        ask: (token) => this.#host.press(this.#room, token),
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

  // Note that all messages have been seen, if the chat is in sight.
  #look() {
    if (this.#inSight && !document.hidden && !this.#catchingUp) this.#looked = this.newest ?? 0;
  }

  // Show unseen messages on the stage, except for boards and for challenges answered or sent.
  #tellNews() {
    if (!this.#host.stage || !this.active) return;
    this.#look();
    this.#inSight = !this.#host.stage.covers;
    const said = this.#order
      .filter((id) => id > (this.#looked ?? Infinity))
      .map((id) => this.#entries.get(id)?.message)
      .filter((message) => message && isTalk(message.screen) && this.#proposed.get(message.screen.match ?? 0)?.waits !== false);
    const news = said.filter((message) => message && !this.#isMine(message));
    const last = said.at(-1);
    this.#host.stage.heard(this.#inSight ? 0 : news.length, last && !this.#inSight ? peek(last) : "");
  }

  #viewed() {
    this.#inSight = true; // the chat is now, or was until now
    this.#showStage();
    this.#host.scrolled(this);
    if (this.#host.stage?.covers) return;
    if (this.#divider.isConnected) this.#divider.scrollIntoView({ block: "nearest" });
    else if (this.#place.follows) this.#place.toEnd();
  }

  // ---------------------------------------------------------- private answers

  /**
   * Show a private answer in `holder`, the card that was pressed, or at the end of the log.
   *
   * @param {Wire.Screen} screen
   * @param {Card} [holder]
   * @param {number | null} [about] its match: the answer is removed when that changes
   * @param {string} [command] the typed command
   */
  #whisper(screen, holder, about, command = "") {
    let concerns = about ?? 0;
    /** @param {number} match 0: none */
    const isAbout = (match) => {
      this.#questions.get(concerns)?.delete(leave);
      concerns = match;
      if (match) this.#questions.set(match, (this.#questions.get(match) ?? new Set()).add(leave));
    };
    const leave = () => {
      isAbout(0);
      if (holder) return holder.letGo(card);
      const hadFocus = card.element.contains(document.activeElement);
      this.#place.keepPlace(() => card.element.remove());
      this.#showEmpty();
      if (hadFocus) this.#host.focusLine();
    };
    // After a question about a move typed at the board, return there.
    const fromBoard = !holder && Boolean(about) && Boolean(this.#host.stage?.covers);
    const answered = () => {
      leave();
      if (fromBoard && this.active) this.#host.stage?.front();
    };
    /** @type {Wire.Screen | null} the list from which a finished match was opened */
    let list = null;
    const back = async () => {
      if (!list || !isPast(card.screen)) return answered();
      const before = list;
      list = null;
      await card.show(before, { own: true });
      card.element.focus({ preventScroll: true });
      this.#bringIn(card);
    };
    const card = new Card({
      close: back,
      ask: (token) => this.#host.press(this.#room, token),
      change: (update, how) => this.#place.keepPlace(update, { anchor: card.element, ...how }),
      press: async (token) => {
        const done = await this.#host.press(this.#room, token);
        if (!done) return;
        if (done.private && !this.#override(done.private)) {
          announce(spoken({ screen: done.private }));
          if (isPast(done.private) && !isPast(card.screen)) list = card.screen;
          isAbout(done.about ?? 0);
          await card.show(done.private, { own: true });
          this.#bringIn(card);
        } else if (done.ok) {
          this.#forgive();
          return answered();
        }
        // The card may have been removed, as its match has changed.
        if (card.element.isConnected) this.#note(card, done);
        else this.refuse(done.error ?? "", done.about);
      },
    });
    card.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      back();
    });
    card.element.classList.add("whisper");
    card.show(screen, { own: true });
    announce(spoken({ screen }));
    isAbout(concerns);
    if (holder) {
      holder.hold(card);
      if (this.#list.contains(card.element)) this.#bringIn(card);
      return;
    }
    const kind = about ? [command, screen.title || screen.text].join(" ") : "";
    if (command) {
      this.#answers.get(kind)?.();
      this.#answers.set(kind, () => {
        if (kind || !concerns) leave(); // it may have become a question about a match
      });
    }
    this.#place.keepPlace(() => this.#list.append(card.element));
    this.#host.stage?.talk();
    this.#showEmpty();
    this.#bringIn(card);
  }

  // If a card is too high, show its start, or its buttons if only the head does not fit.
  /** @param {Card} card */
  #bringIn({ element }) {
    const over = element.offsetHeight - this.element.clientHeight;
    if (over <= 0) return element.scrollIntoView({ block: "nearest" });
    const isPressed = element.querySelector(".card-buttons") !== null;
    const head = element.querySelector(".card-head")?.clientHeight ?? 0;
    element.scrollIntoView({ block: isPressed && over < head ? "end" : "start" });
    // The analysis is more important than the players.
    element.querySelector(".judged:not([hidden])")?.scrollIntoView({ block: "nearest" });
  }

  // ------------------------------------------------------------------- looks

  /** @param {number | undefined} id */
  #group(id) {
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (!entry) return;
    const { message, element, card } = entry;
    const previous = this.#order[this.#order.indexOf(message.id) - 1];
    const before = previous === undefined ? undefined : this.#entries.get(previous)?.message;
    const together = before && !card && isInOneBreath(before, message);
    element.classList.toggle("together", Boolean(together));
  }

  #placeDivider() {
    const entry = this.#dividerBefore === null ? undefined : this.#entries.get(this.#dividerBefore);
    if (!entry || this.#divider.nextElementSibling === entry.element) return;
    setText(this.#divider, word("new"));
    entry.element.before(this.#divider);
  }

  /** Update relative times and, after a change of language, texts. */
  tick() {
    if (this.active) this.#tick();
  }

  #tick() {
    this.#place.keepPlace(() => {
      for (const entry of this.#entries.values()) {
        showAge(entry);
        nameStub(entry);
      }
    });
  }

  // --------------------------------------------------------- older messages

  async #loadOlder() {
    const oldest = this.#order[0];
    if (this.#loadingBefore !== null || this.#complete || this.#catchingUp || oldest === undefined) return;
    this.#loadingBefore = oldest;
    setText(this.#top, word("loading"));
    const done = await this.#host.older(this.#room, oldest);
    this.#loadingBefore = null;
    setText(this.#top, "");
    if (!done?.ok) return;
    this.#complete = !done.more;
    if (done.more && this.active && this.#place.isNearTop) this.#loadOlder();
  }
}

// Label the button that replaces a board in the log.
/** @param {Entry} entry */
function nameStub({ stub, message }) {
  const called = `${word("board-at-side")}: ${message.screen.title ?? ""}`;
  if (stub && stub.textContent !== called) stub.replaceChildren(...withStones(called));
}

const WORD = 120; // characters

/** @param {Wire.Screen} screen */
function isOnlyText({ picture, buttons = [], questions = [], menu, start }) {
  return ![picture, menu, start, ...buttons.flat(), ...questions].some(Boolean);
}

// True for a short line without anything else.
/** @param {Wire.Screen} screen */
function isWord({ text = "", title, picture, buttons = [], tables = [], copied = [], file, link, menu, start }) {
  const more = [title, picture, file, link, menu, start, ...buttons, ...tables, ...copied].some(Boolean);
  return !more && text.length <= WORD && !text.includes("\n");
}

/**
 * True if a board has news, not only in other words than before.
 *
 * @param {Wire.Screen} before
 * @param {Wire.Screen} after
 */
function bringsNews(before, after) {
  return Boolean(after.news) && after.news !== before.news && after.version !== before.version;
}
