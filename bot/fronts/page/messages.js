// The messages of one room: in the order of their ids, changed in place, scrolled with care.

import { Card, cross, isPast, note } from "./card.js";
import { announce, arrange, icon, make, setText, withStones } from "./dom.js";
import { dressed, isInOneBreath, isPlayed, showAge } from "./entry.js";
import { Scrolling } from "./scrolling.js";
import { difference, isTalk, peek, spoken } from "./spoken.js";
import { word } from "./words.js";

const MOST_SEEN = 100; // messages that a typed line may refer to

/** @typedef {import("./entry.js").Entry} Entry */

/**
 * @typedef {object} Host
 * @property {(room: string, token: string) => Promise<Wire.Answer | null>} press
 * @property {(room: string, before: number) => Promise<Wire.Answer | null>} older
 * @property {(room: string, text: string) => Promise<unknown>} say types a line
 * @property {(log: Log) => void} scrolled is called when what the jump button says may have changed
 * @property {() => void} focusLine
 * @property {(room: string) => string} roomTitle
 * @property {(match: number, home: { room: string, token: string }) => void} goHome leads to the board in its room
 * @property {(match: number, home: { room: string }) => void} ended is called when a match is over whose private board is in front
 * @property {import("./stage.js").Stage} [stage] where the board lies that somebody plays on
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
  /** @type {number | null} everything from this id on is here */
  #floor = null;
  #complete = false; // nothing older exists
  /** @type {number | null} earlier messages than this id are on their way */
  #loadingBefore = null;
  #catchingUp = false;
  #divider = make("div", { class: "divider", role: "separator" });
  /** @type {number | null} */
  #dividerBefore = null;
  /** @type {HTMLElement | null} */
  #refusal = null;
  /** @type {Card | null} the board at which it stands; null: at the end */
  #toldAt = null;
  /** @type {number | null} the match of which it speaks */
  #refusedAbout = null;
  /** @type {Map<number, Set<() => void>>} what takes away each question about a match, by match */
  #questions = new Map();
  /** @type {Map<string, () => void>} what takes away the private card at the end, by what it answers */
  #answers = new Map();
  /** @type {Set<Card>} those on which a refusal stands */
  #noted = new Set();
  #top = make("div", { class: "log-top" });
  #list = make("div", { class: "log-list" });
  /** @type {Entry | null} the board that this reader plays on */
  #pinned = null;
  #staged = make("div", { class: "staged" });
  #others = make("div", { class: "staged-bar" });
  #homeTitle = make("span");
  #home = make("button", { type: "button", class: "home", onclick: () => this.#goHome() }, icon("back"), this.#homeTitle);
  #putAway = cross(() => this.#unpin()); // for what is over
  #empty = make("div", { class: "log-empty" });
  /** @type {Map<number, Wire.OpenMatch>} this reader's challenges here, made and got, by match */
  #proposed = new Map();
  /** @type {{ entry: Entry, card: Card } | null} one of them, at a finished board */
  #asked = null;
  /** @type {number | null} up to this message all was to be seen here; null: unknown */
  #looked = null;
  #inSight = false; // is the talk in front, not behind a board?
  /** @type {{ match: number, proposed: boolean } | null} what this reader has begun, or asked for, last */
  #begun = null;

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

  /** @type {number | null} up to this message everything was read in former visits; null: unknown */
  readUpTo = null;

  get newest() {
    return this.#order.at(-1) ?? null;
  }

  /** Match -> the version on the screen, for the server to see what a typed move answers. */
  get seen() {
    /** @type {Record<number, number>} */
    const versions = {};
    for (const id of this.#order.slice(-MOST_SEEN)) {
      const { match, version } = this.#entries.get(id)?.message.screen ?? {};
      if (match) versions[match] = Math.max(versions[match] ?? 0, version ?? 0);
    }
    return versions;
  }

  /** The match on the stage, where that is in sight. */
  get staged() {
    return this.#host.stage?.isShown ? this.#pinned?.message.screen.match : undefined;
  }

  /**
   * Bring this room to the front.
   *
   * @param {string} title
   */
  open(title) {
    this.element.setAttribute("aria-label", word("messages", { room: title }));
    this.element.hidden = false;
    if (this.#divider.isConnected) this.#divider.scrollIntoView({ block: "start" });
    else this.#place.restore();
    this.#tick();
    this.#showStage();
  }

  /** Leave it; what was new has been seen. */
  close() {
    this.#look();
    this.#inSight = false;
    this.element.hidden = true;
    this.clearDivider();
  }

  /** The server starts over: forget everything. */
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
      this.#inSight = false; // an empty room was
    }
    if (this.#order.length === 0) this.#complete = true;
    this.#showEmpty();
    this.#choosePinned();
    if (this.#place.follows && this.active) this.#place.toEnd();
    if (this.readUpTo !== null && this.active && this.#divider.isConnected) {
      this.#divider.scrollIntoView({ block: "start" });
      this.#place.look();
    }
    // The observer saw the top before there was anything to load; let it look again.
    if (this.active && this.#place.isNearTop) this.#loadOlder();
  }

  /**
   * A message, new or changed. Returns true if it is news to this reader.
   * `first` says that it belongs to what everybody gets on arrival.
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
      // A match that is over waits nowhere any more: here it is heard of.
      return (wasPlayed && Boolean(message.screen.over)) || bringsNews(before, message.screen);
    }
    const older = this.isEarlier(message);
    // A board older than what is loaded comes with the rest of its time when that is asked for.
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

  // A room in which nothing has been said says how to begin.
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

  /**
   * Is it this reader's own doing: a line, or an answer that they have asked for?
   *
   * @param {Wire.Message} message
   */
  #isMine({ author, asked }) {
    return Boolean(asked) || author?.id === this.#me.id;
  }

  /**
   * Was this one asked for, as an earlier message?
   *
   * @param {Wire.Message} message
   */
  isEarlier(message) {
    return this.#loadingBefore !== null && message.id < this.#loadingBefore;
  }

  /**
   * A message is gone.
   *
   * @param {number} id
   */
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
    // A board that was on the stage stays there, where it was brought to the end of the talk.
    const { match } = entry.message.screen;
    const again = match && !this.#pinned ? this.#order.findLast((one) => this.#entries.get(one)?.message.screen.match === match) : undefined;
    this.#choosePinned(again);
    // Where its board was brought to the end of the talk, whoever was at it goes on there.
    if (hadFocus && entry.message.screen.match) this.reveal(entry.message.screen.match);
    this.#group(this.#order.find((other) => other > id));
  }

  /**
   * The server's answer to something typed: what went wrong, and what is for these eyes only. What
   * was answered before to the same `command` gives way to it.
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
    // A word is read where one is; for whatever is longer one goes where the talk is.
    if (this.#host.stage?.covers && isWord(done.private)) return this.say(done.private.text ?? "", done.about ?? null);
    this.#whisper(done.private, undefined, done.about, command);
  }

  /**
   * Say at the end why what was typed last was refused; without a text, take that away. One refusal
   * stands here at a time, the newest.
   *
   * @param {string} text
   * @param {number | null} about the match of which it speaks
   */
  refuse(text = "", about = null) {
    this.#refuse(text, about, "refusal");
  }

  /**
   * Say there what somebody has to hear where they are.
   *
   * @param {string} news
   * @param {number | null} match of which it speaks
   */
  say(news, match) {
    this.#refuse(news, match, "refusal told");
  }

  /**
   * What was said of a match, wherever that is, is as it was.
   *
   * @param {number} match
   */
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
    this.#showEmpty();
    announce(text);
  }

  // At the board, where that is in front: below the words that say whose turn it is; else at the end.
  #placeRefusal() {
    const board = this.#host.stage?.covers ? (this.#pinned?.card ?? null) : null;
    if (board !== this.#toldAt) this.#toldAt?.tell(null);
    this.#toldAt = board;
    board?.tell(this.#refusal);
    if (this.#refusal && !board) this.#list.append(this.#refusal);
  }

  // Something went well, or something else did not: what was refused before has had its time.
  #forgive() {
    this.refuse();
    this.#clearNotes();
  }

  #clearNotes() {
    for (const card of this.#noted) card.note();
    this.#noted.clear();
  }

  /** Scroll to the newest message, unless the end is on the screen anyway. */
  jump() {
    if (this.#place.follows) return;
    this.#place.follows = true;
    this.#place.toEnd();
  }

  /**
   * The last message that shows a match, or the challenge to it.
   *
   * @param {number} match
   */
  #showing(match) {
    const id = this.#order.findLast((one) => this.#entries.get(one)?.message.screen.match === match);
    return id === undefined ? undefined : this.#entries.get(id);
  }

  /** @param {number} match */
  has(match) {
    return this.#showing(match) !== undefined;
  }

  /**
   * Does this person see what shows a match here?
   *
   * @param {number} match
   */
  isInSight(match) {
    const isStaged = this.#pinned?.message.screen.match === match && this.#host.stage?.isShown;
    if (isStaged && this.active && !document.hidden) return true;
    const shown = this.#showing(match)?.element.getBoundingClientRect();
    const log = this.element.getBoundingClientRect();
    const isCovered = !this.active || document.hidden || Boolean(this.#host.stage?.covers);
    return !isCovered && shown !== undefined && shown.bottom > log.top && shown.top < log.bottom;
  }

  /**
   * Bring the board of a match, or the challenge to it, to the front and the focus to it; false
   * where it is not here.
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
    // What lies in the log is behind the board where only one of them can be seen.
    this.#host.stage?.talk();
    const { element } = entry.card;
    this.#place.follows = false;
    element.scrollIntoView({ block: element.offsetHeight > this.element.clientHeight ? "start" : "center" });
    entry.card.focus({ atCell });
    this.#place.look();
    return true;
  }

  /**
   * Bring into sight what this reader has begun: the board to the front, whatever lies there, or
   * the challenge; at once, or when it comes. The focus stays where it is.
   *
   * @param {number} match
   */
  bring(match, { proposed = false } = {}) {
    this.#begun = { match, proposed };
    const entry = this.#showing(match);
    if (entry) this.#bring(entry);
  }

  /** @param {Entry} entry which may be another one */
  #bring(entry) {
    if (!this.#begun || entry.message.screen.match !== this.#begun.match || !this.active) return;
    // What is then made of one's challenge is the doing of whoever accepts it.
    if (this.#begun.proposed) this.#begun = null;
    if (this.#host.stage && isPlayed(entry)) return this.#lead(entry, { focus: false });
    // At a finished board it stands where that is in front.
    if (this.#host.stage?.covers && this.#pinned?.message.screen.over) return;
    this.bringTalk();
    entry.element.scrollIntoView({ block: "nearest" });
  }

  /** Bring the end of the talk to the front: what was asked for is answered there. */
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
      // On the stage a card moves nothing in the log.
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
      // Where the board is looked at, what was refused before it went on is as old as that.
      if (entry === this.#pinned && !this.#refusal?.matches(".told")) this.refuse();
    }
    nameStub(entry);
    if (entry.card) entry.card.show(message.screen);
    else setText(entry.line, message.screen.text ?? "");
    if (this.active && !document.hidden && !this.#catchingUp) {
      // A reminder changes nothing that the board says.
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
   * @returns {Promise<boolean | void>} does the board go on because of it? Nothing: something
   *   else is shown, or nobody knows
   */
  async #press(entry, card, token) {
    this.#begun = null;
    const { version } = entry.message.screen;
    const done = await this.#host.press(this.#room, token);
    if (!done) return;
    // Sent twice because the connection broke, and done the first time: the board shows it.
    if (!done.ok && done.repeated && entry.message.screen.version !== version) return;
    this.#note(card, done);
    if (done.private && this.#override(done.private)) return;
    if (done.private && isPast(done.private)) return card.step(done.private);
    if (done.ok && entry.own) this.#disown(entry);
    if (!done.private) return done.ok;
    // What is only to be read of a board that is over stands beside it, where it can.
    const isBeside = entry === this.#pinned && entry.message.screen.over && this.#host.stage?.isWide;
    if (isBeside && isOnlyText(done.private)) return this.#whisper(done.private, undefined, done.about, "read");
    return this.#whisper(done.private, card, done.about);
  }

  /**
   * Back from a half-made move to what everybody sees.
   *
   * @param {Entry} entry
   */
  #disown(entry) {
    entry.own = false;
    entry.card?.show(entry.message.screen);
  }

  /**
   * A half-made move: this person's own version of a board, in the board's place. Whoever points at
   * another cell that a move can begin with means that one, as long as it is the same board.
   *
   * @param {Wire.Screen} screen
   */
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
   * Which board lies on the stage: the one that is there, until it is put away; else one that
   * waits for this reader, the one that has lain here longest first. A match that has just
   * `begun` takes the place of one that waits for somebody else, or is over.
   *
   * @param {number} [begun] its message
   * @param {{ leads?: boolean }} how `leads` brings that board to the front, too
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

  /**
   * Does another message show the board of the same match?
   *
   * @param {Wire.Message} message
   */
  #isShownElse({ id, screen: { match } }) {
    return [...this.#entries.values()].some(
      ({ message }) => message.id !== id && message.screen.match === match && message.screen.picture,
    );
  }

  /** @param {Entry | null} entry */
  #pin(entry) {
    const before = this.#pinned;
    if (entry === before) return;
    // What was refused at another board is not said at this one.
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
    const home = pinned.message.screen.home ? this.#home : null;
    const room = this.#host.roomTitle(pinned.message.screen.home?.room ?? "");
    setText(this.#homeTitle, room);
    this.#home.setAttribute("aria-label", word("back-to", { room }));
    if (home && isWide) others.push(home);
    this.#others.setAttribute("aria-label", word("board-others"));
    this.#others.setAttribute("role", "group");
    arrange(this.#others, others);
    // Beside the talk it is in sight there.
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

  /**
   * The boards that this reader plays on and that are not on the stage, those that wait first.
   *
   * @param {Entry} pinned
   */
  #otherBoards(pinned) {
    return this.#order
      .flatMap((id) => this.#entries.get(id) ?? [])
      .filter((entry) => entry !== pinned && isPlayed(entry))
      .sort((one, other) => Number(other.message.screen.turn ?? 0) - Number(one.message.screen.turn ?? 0));
  }

  /**
   * What leads to a board that is not on the stage.
   *
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
  }

  /**
   * This reader's challenges here, made and got, as long as they wait for an answer.
   *
   * @param {Wire.OpenMatch[]} proposed
   */
  propose(proposed) {
    const before = [...this.#proposed.keys()].join();
    this.#proposed = new Map(proposed.map((one) => [one.match, one]));
    if ([...this.#proposed.keys()].join() !== before) this.#showStage();
  }

  // The challenge that waits here, for its place at a finished board; none where none does.
  #ask() {
    const { ended = 0 } = this.#pinned ?? {};
    const entry = this.#order
      .map((id) => this.#entries.get(id))
      .findLast((one) => {
        const proposed = this.#proposed.get(one?.message.screen.match ?? 0);
        // One's own that is older than the end is no other match after this one.
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

  // What is here now has been in sight, unless nobody looks.
  #look() {
    if (this.#inSight && !document.hidden && !this.#catchingUp) this.#looked = this.newest ?? 0;
  }

  // Tell the stage what was said behind the board. A board is no talk, and neither is a challenge
  // that was answered, or is one's own.
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

  // The board, or the talk, has come to the front.
  #viewed() {
    this.#inSight = true; // it is now, or was until now
    this.#showStage();
    this.#host.scrolled(this);
    if (this.#host.stage?.covers) return;
    if (this.#divider.isConnected) this.#divider.scrollIntoView({ block: "nearest" });
    else if (this.#place.follows) this.#place.toEnd();
  }

  // ----------------------------------------------------------------- whispers

  /**
   * An answer for these eyes only: in the card that was pressed, else at the end of the log.
   *
   * @param {Wire.Screen} screen
   * @param {Card} [holder]
   * @param {number | null} [about] the match that it asks about: the question goes when that goes on
   * @param {string} [command] that it answers
   */
  #whisper(screen, holder, about, command = "") {
    let concerns = about ?? 0;
    /** @param {number} match that it is about from now on; 0: none */
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
    // A question about a move that was typed at the board: whoever has answered it is back there.
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
        // It may have gone meanwhile, with what it was about.
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
    const kind = command && [command, screen.title || screen.text].join(" ");
    this.#answers.get(kind)?.();
    if (kind) this.#answers.set(kind, leave);
    this.#place.keepPlace(() => this.#list.append(card.element));
    this.#host.stage?.talk();
    this.#showEmpty();
    this.#bringIn(card);
  }

  /**
   * Scroll a private card into sight; of one that is too high, its beginning. Where only its head
   * has no room, that is missed less than the buttons at its end.
   *
   * @param {Card} card
   */
  #bringIn({ element }) {
    const over = element.offsetHeight - this.element.clientHeight;
    if (over <= 0) return element.scrollIntoView({ block: "nearest" });
    const isPressed = element.querySelector(".card-buttons") !== null;
    const head = element.querySelector(".card-head")?.clientHeight ?? 0;
    element.scrollIntoView({ block: isPressed && over < head ? "end" : "start" });
    // So is what is told of a match more than who has played it.
    element.querySelector(".judged:not([hidden])")?.scrollIntoView({ block: "nearest" });
  }

  // ------------------------------------------------------------------ looking

  /**
   * Lines of one author within a few minutes stand together under one name.
   *
   * @param {number | undefined} id
   */
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

  /** Keep relative times true, and the page's own words those of its language. */
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

  // ------------------------------------------------------------------ older

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

/**
 * What stands for a board in the log leads to it.
 *
 * @param {Entry} entry
 */
function nameStub({ stub, message }) {
  const called = `${word("board-at-side")}: ${message.screen.title ?? ""}`;
  if (stub && stub.textContent !== called) stub.replaceChildren(...withStones(called));
}

const WORD = 120; // letters

/**
 * Is there nothing to look at and nothing to press?
 *
 * @param {Wire.Screen} screen
 */
function isOnlyText({ picture, buttons = [], questions = [], menu, start }) {
  return ![picture, menu, start, ...buttons.flat(), ...questions].some(Boolean);
}

/**
 * Is it a line, and nothing else?
 *
 * @param {Wire.Screen} screen
 */
function isWord({ text = "", title, picture, buttons = [], tables = [], copied = [], file, link, menu, start }) {
  const more = [title, picture, file, link, menu, start, ...buttons, ...tables, ...copied].some(Boolean);
  return !more && text.length <= WORD && !text.includes("\n");
}

/**
 * Is there something to hear of a board, and not only in other words than before?
 *
 * @param {Wire.Screen} before
 * @param {Wire.Screen} after
 */
function bringsNews(before, after) {
  return Boolean(after.news) && after.news !== before.news && after.version !== before.version;
}
