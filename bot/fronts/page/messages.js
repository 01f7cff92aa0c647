// The log of a room: its messages in the order of their ids.

import { Card } from "./card.js";
import { announce, icon, make, setText } from "./dom.js";
import { bringsNews, dressed, Entries, isInOneBreath, isPlayed, showAge } from "./entry.js";
import { Older } from "./older.js";
import { isPast } from "./positions.js";
import { Refusals } from "./refusals.js";
import { Scrolling } from "./scrolling.js";
import { difference, isOnlyText, isWord, spoken } from "./spoken.js";
import { Staging } from "./staging.js";
import { isOthers, lineOf, nameStub } from "./stubs.js";
import { Whispers } from "./whispers.js";
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
 * @property {(match: number, room: string) => void} goHome goes to the board in its room
 * @property {(room: string) => void} go goes to a room
 * @property {(match: number, room: string) => void} ended called when the match of the private board on the stage ends
 * @property {(how: { ply?: number | null, isChosen?: boolean }) => void} [staged] called when another
 *   board, or none, may be on the stage, chosen by the user or not, and with the position of its replay
 * @property {import("./stage.js").Stage} [stage] shows the board that the user plays on
 */

export class Log {
  #host;
  #room;
  #me;
  place;
  #entries = new Entries();
  /** @type {number | null} all messages from this id on are loaded */
  #floor = null;
  #catchingUp = false;
  #divider = make("div", { class: "divider", role: "separator" });
  /** @type {number | null} */
  #dividerBefore = null;
  refusals;
  #whispers;
  staging;
  older;
  #list = make("div", { class: "log-list" });
  #empty = make("div", { class: "log-empty" });
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
    this.element = make("div", { class: "log", role: "log", "aria-live": "off", tabindex: "0" });
    this.older = new Older({
      log: this.element,
      ask: (before) => host.older(room, before),
      oldest: () => (this.#catchingUp ? undefined : this.#entries.all[0]?.message.id),
      isNearTop: () => this.active && this.place.isNearTop,
    });
    this.element.append(this.older.element, this.#list);
    this.place = new Scrolling(this.element, {
      list: this.#list,
      top: this.older.element,
      isActive: () => this.active,
      changed: () => host.scrolled(this),
    });
    this.refusals = new Refusals({
      list: this.#list,
      change: (update) => this.place.keepPlace(update, { still: true }),
      changed: () => {
        // A refusal must not cover the newest line.
        if (this.place.follows) this.place.toEnd();
        this.#showEmpty();
      },
      closed: () => host.focusLine(),
      board: () => (this.staging.covers ? (this.staging.pinned?.card ?? null) : null),
    });
    this.staging = new Staging(
      {
        ...host,
        entries: this.#entries,
        place: this.place,
        refusals: this.refusals,
        press: (entry, card, token) => this.#press(entry, card, token),
        ask: (token) => host.press(room, token),
        isMine: (message) => this.#isMine(message),
        isActive: () => this.active,
        isCatchingUp: () => this.#catchingUp,
        bringTalk: () => this.bringTalk(),
        uncovered: () => {
          if (this.#divider.isConnected) this.#divider.scrollIntoView({ block: "nearest" });
          else if (this.place.follows) this.place.toEnd();
        },
        changed: () => host.scrolled(this),
        shown: (isChosen) => host.staged?.({ isChosen }),
        from: () => this.from,
      },
      host.stage,
    );
    this.#whispers = new Whispers({
      press: (token) => host.press(room, token),
      override: (screen) => this.#override(screen),
      changed: () => this.#showEmpty(),
      focusLine: () => host.focusLine(),
      isActive: () => this.active,
      refusals: this.refusals,
      log: this.element,
      list: this.#list,
      place: this.place,
      stage: host.stage,
    });
    this.element.hidden = true;
  }

  get active() {
    return !this.element.hidden;
  }

  /** @type {number | null} the last message read in earlier visits; null: unknown */
  readUpTo = null;

  get newest() {
    return this.#entries.all.at(-1)?.message.id ?? null;
  }

  /** Match -> the version shown. A typed move refers to it. */
  get seen() {
    /** @type {Record<number, number>} */
    const versions = {};
    for (const { message } of this.#entries.all.slice(-MOST_SEEN)) {
      const { match, version } = message.screen;
      if (match) versions[match] = Math.max(versions[match] ?? 0, version ?? 0);
    }
    return versions;
  }

  /** The match on the stage, if that is in sight. */
  get staged() {
    return this.staging.shown;
  }

  /** The code of that match, if it is played. */
  get stagedCode() {
    return (this.staged && this.staging.pinned?.message.screen.code) || "";
  }

  /**
   * Return the match with this code, if it is loaded.
   *
   * @param {string} code
   */
  matchOf(code) {
    return this.#entries.all.find(({ message }) => message.screen.code === code)?.message.screen.match ?? null;
  }

  /** @param {string} title */
  open(title) {
    this.element.setAttribute("aria-label", word("messages", { room: title }));
    this.element.hidden = false;
    if (this.#divider.isConnected) this.#divider.scrollIntoView({ block: "start" });
    else this.place.restore();
    this.tick();
    this.staging.show();
  }

  close() {
    this.from = null;
    this.staging.close();
    this.element.hidden = true;
    this.clearDivider();
  }

  /** Forget all messages: the server replaces them. */
  reset() {
    this.#entries.clear();
    this.#floor = null;
    this.older.isComplete = false;
    this.place.follows = true;
    this.#list.replaceChildren();
    this.#whispers.reset();
    this.staging.reset();
    this.clearDivider();
  }

  beginCatchUp() {
    this.#catchingUp = true;
  }

  endCatchUp() {
    this.#catchingUp = false;
    this.staging.caughtUp(this.readUpTo ?? this.newest ?? 0);
    if (this.newest === null) this.older.isComplete = true;
    this.#showEmpty();
    this.staging.choose();
    if (this.place.follows && this.active) this.place.toEnd();
    if (this.readUpTo !== null && this.active && this.#divider.isConnected) {
      this.#divider.scrollIntoView({ block: "start" });
      this.place.look();
    }
    // The observer reported the top before there was anything to load.
    if (this.active && this.place.isNearTop) void this.older.load();
  }

  /**
   * Add or update a message. Returns whether it is news to the user. `first`: part of the messages
   * sent on arrival. `wanted`: the user has requested it.
   *
   * @param {Wire.Message} message
   */
  put(message, { first = false, wanted = false } = {}) {
    const known = this.#entries.get(message.id);
    if (known) {
      if (message.stamp < known.message.stamp) return false;
      const wasPlayed = isPlayed(known);
      const before = known.message.screen;
      this.#change(known, message);
      // A finished match has left the list of games, so its end is news here.
      return (wasPlayed && Boolean(message.screen.over)) || bringsNews(before, message.screen);
    }
    const older = this.older.has(message);
    // A board older than the loaded messages is loaded together with its neighbours.
    const isNew = !older && !first;
    if (isNew && !wanted && !this.older.isComplete && message.id < (this.#floor ?? 0)) return false;
    if (!wanted) this.#floor = Math.min(this.#floor ?? message.id, message.id);
    const mine = this.#isMine(message);
    const watched = this.active && !document.hidden && !this.#catchingUp;
    const covered = watched && Boolean(this.#host.stage?.covers);
    const isUnread = !isNew && !mine && message.id > (this.readUpTo ?? Infinity);
    if (isUnread) this.#dividerBefore = Math.min(this.#dividerBefore ?? message.id, message.id);
    if (isNew && !mine && (covered || !watched)) this.#dividerBefore ??= message.id;
    if (isNew && mine && !this.#catchingUp) this.place.follows = true;
    const entry = this.#insert(message);
    const { element } = entry;
    if (isNew && watched) {
      element.classList.add("fresh");
      element.addEventListener("animationend", () => element.classList.remove("fresh"), { once: true });
      if (!mine) announce(isOthers(entry) ? lineOf(message.screen) : spoken(message));
      if (!this.place.follows) this.place.fresh += 1;
      this.#host.scrolled(this);
    }
    if (isNew && !this.#catchingUp) this.staging.tellNews();
    if (this.staging.isProposed(message.screen.match)) this.staging.show();
    if (message.screen.mine && !this.#catchingUp) {
      this.staging.choose(entry, { leads: isNew && !this.#isShownElse(message) });
    }
    if (isNew && !this.#catchingUp) this.staging.bring(entry);
    return (isNew && !mine) || (isUnread && first);
  }

  #showEmpty() {
    const isEmpty = this.#list.children.length === 0 && this.older.isComplete;
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

  /** @param {number} id */
  remove(id) {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.remove(entry);
    const hadFocus = entry.card?.element.contains(document.activeElement);
    this.staging.release(entry);
    this.place.keepPlace(() => entry.element.remove());
    // A board that was moved to the end of the chat stays on the stage, and keeps the focus.
    const { match } = entry.message.screen;
    this.staging.choose(match && !this.staging.pinned ? this.#entries.of(match) : undefined);
    if (hadFocus && match) this.reveal(match);
    this.#group(this.#entries.after(id));
  }

  /**
   * Show the answer to a typed line: its error and its private screen. A new answer to the same
   * `command` replaces the previous one.
   *
   * @param {Wire.Answer} done
   * @param {string} command
   */
  answer(done, command = "") {
    this.staging.forgetBegun();
    if (done.ok) this.refusals.forgive();
    const { about, error } = done;
    const { pinned } = this.staging;
    const isOther = about && pinned && about !== pinned.message.screen.match;
    this.refusals.show(error && isOther ? `#${about}: ${error}` : error ?? "", about);
    if (!done.private || this.#override(done.private)) return;
    // A short line is shown at the board. Anything longer opens the chat.
    if (this.#host.stage?.covers && isWord(done.private)) return this.refusals.show(done.private.text ?? "", done.about ?? null, { isNews: true });
    this.#whispers.show(done.private, undefined, done.about, command);
  }

  jump() {
    if (this.place.follows) return;
    this.place.follows = true;
    this.place.toEnd();
  }

  /** @param {number} match */
  has(match) {
    return this.#entries.of(match) !== undefined;
  }

  /** @param {number} match */
  isInSight(match) {
    if (this.staged === match && this.active && !document.hidden) return true;
    const shown = this.#entries.of(match)?.element.getBoundingClientRect();
    const log = this.element.getBoundingClientRect();
    const isCovered = !this.active || document.hidden || this.staging.covers;
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
    const entry = this.#entries.of(match);
    if (!entry?.card) return false;
    if (this.staging.takes(entry)) {
      this.staging.lead(entry, { atCell });
      return true;
    }
    // A board on the stage may cover the log.
    this.#host.stage?.talk();
    const { element } = entry.card;
    this.place.follows = false;
    element.scrollIntoView({ block: element.offsetHeight > this.element.clientHeight ? "start" : "center" });
    entry.card.focus({ atCell });
    this.place.look();
    return true;
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
    this.place.keepPlace(() => this.#divider.remove());
  }

  // ------------------------------------------------------------------ entries

  /** @param {Wire.Message} message */
  #insert(message) {
    const entry = this.#entry(message);
    const { id } = message;
    this.#entries.add(entry);
    const next = this.#entries.after(id);
    this.place.keepPlace(() => {
      this.#list.insertBefore(entry.element, next?.element ?? null);
      this.#group(entry);
      this.#group(next);
      this.#placeDivider();
    });
    this.#showEmpty();
    if (!next && this.place.follows) this.place.toEnd();
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
    if (!isOthers(entry)) card.show(message.screen);
    this.staging.settle(entry);
    return entry;
  }

  /** @param {Entry} entry */
  #card(entry) {
    const card = new Card({
      press: (token) => this.#press(entry, card, token),
      ask: (token) => this.#host.press(this.#room, token),
      stepped: (ply) => entry === this.staging.pinned && this.#host.staged?.({ ply }),
      // A card on the stage does not move the log.
      change: (update, how) =>
        entry === this.staging.pinned
          ? update()
          : this.place.keepPlace(update, { anchor: card.element, isWatched: !entry.message.screen.mine, ...how }),
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
      this.#whispers.forget(match);
      this.refusals.forget(match);
      // A refusal is outdated after the board has changed.
      if (entry === this.staging.pinned && !this.refusals.isNews) this.refusals.show();
    }
    const isLine = isOthers(entry) && entry !== this.staging.pinned;
    if (isLine) this.place.keepPlace(() => this.staging.settle(entry));
    else nameStub(entry);
    if (!isLine) entry.card?.show(message.screen);
    if (!entry.card) setText(entry.line, message.screen.text ?? "");
    if (this.active && !document.hidden && !this.#catchingUp && !isLine) {
      // A reminder does not change the text of the board.
      const { news } = message.screen;
      announce(difference(before, message.screen) || (bringsNews(before, message.screen) ? news : ""));
    }
    if (!this.#catchingUp) this.staging.tellNews();
    if (!message.screen.mine || this.#catchingUp) return;
    const hasBegun = !before.picture && Boolean(message.screen.picture);
    this.staging.choose(hasBegun ? entry : undefined, { leads: hasBegun });
    if (hasBegun) this.staging.bring(entry);
    const { over, home } = message.screen;
    const isRead = entry.card?.element.matches(".covered, .stepping");
    if (match && home && over && !before.over && entry === this.staging.pinned && this.active && !isRead) {
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
    this.staging.forgetBegun();
    const { version } = entry.message.screen;
    const done = await this.#host.press(this.#room, token);
    if (!done) return;
    // The first request succeeded before the connection broke. The board shows the result.
    if (!done.ok && done.repeated && entry.message.screen.version !== version) return;
    this.refusals.note(card, done);
    if (done.private && this.#override(done.private)) return;
    if (done.private && isPast(done.private)) return card.step(done.private);
    if (done.ok && entry.own) this.#disown(entry);
    if (!done.private) return done.ok;
    // Text about a finished board is shown next to it, if there is width for both.
    const isBeside = entry === this.staging.pinned && entry.message.screen.over && this.#host.stage?.isWide;
    if (isBeside && isOnlyText(done.private)) return this.#whispers.show(done.private, undefined, done.about, "read");
    return this.#whispers.show(done.private, card, done.about);
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

  /** @param {Wire.Message} message */
  #isShownElse({ id, screen: { match } }) {
    return this.#entries.all.some(
      ({ message }) => message.id !== id && message.screen.match === match && message.screen.picture,
    );
  }

  // ------------------------------------------------------------------- looks

  /** @param {Entry | undefined} entry */
  #group(entry) {
    if (!entry) return;
    const { message, element, card } = entry;
    const before = this.#entries.before(message.id)?.message;
    element.classList.toggle("together", Boolean(before && !card && isInOneBreath(before, message)));
  }

  #placeDivider() {
    const entry = this.#entries.get(this.#dividerBefore);
    if (!entry || this.#divider.nextElementSibling === entry.element) return;
    setText(this.#divider, word("new"));
    entry.element.before(this.#divider);
  }

  /** Update relative times and, after a change of language, texts. */
  tick() {
    if (!this.active) return;
    this.place.keepPlace(() => {
      for (const entry of this.#entries.all) {
        showAge(entry);
        nameStub(entry);
      }
    });
  }
}
