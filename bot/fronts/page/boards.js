// Ways to boards: where an answer leads, which board is awaited, what news are announced.

import { announce } from "./dom.js";
import { word } from "./words.js";

/**
 * @typedef {object} Host
 * @property {import("./rooms.js").Rooms} rooms
 * @property {() => import("./matches.js").Matches} matches
 * @property {import("./alerts.js").Alerts} alerts
 * @property {Map<string, import("./messages.js").Log>} logs by room
 * @property {(room: string) => import("./messages.js").Log} logOf
 * @property {(room: string, token: string) => Promise<Wire.Answer | null>} press
 */

export class Boards {
  #host;
  /** @type {{ match: number, atCell: boolean, past?: Wire.Screen | null } | null} the board to go to when it arrives */
  #awaited = null;
  /** @type {Map<number, number>} the version of a match whose news were last announced, by match */
  #heard = new Map();

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
  }

  /** @param {Wire.Listed} match which has started to wait */
  tell({ match, title, other, room, proposed, offers, version }) {
    // Its news was announced.
    if (this.#heard.get(match) === version) return;
    const { alerts, matches, rooms } = this.#host;
    const where = rooms.get(room)?.title ?? "";
    const text = word(proposed ? "asked-in" : offers ? "offered-in" : "turn-in", { room: where });
    announce(text);
    // A single player needs no announcement.
    if (!other) return;
    alerts.tell({ id: `${match}-${version}`, title: `${title} · ${other}`, text, go: () => matches().lead(match) });
  }

  // Announce the news of a message everywhere.
  /** @param {Wire.Message} message */
  #tellNews({ room, screen: { news = "", match = 0, version = 0 } }) {
    const { alerts, logOf, logs, rooms } = this.#host;
    this.#heard.set(match, version);
    if (!logOf(room).isInSight(match)) logs.get(rooms.current ?? "")?.refusals.show(news, match, { isNews: true });
    const go = () => void this.goTo({ match, room });
    alerts.tell({ id: `${match}-${version}`, title: "Azumaya", text: news, go });
  }

  /**
   * @param {Wire.Message} message that has come, or changed
   * @param {boolean} isNews is it news to the user?
   */
  arrived(message, isNews) {
    const { room, screen: { match = 0, version = 0, news } } = message;
    // It was announced, or has changed: a line about its earlier state is outdated.
    if (match && version > (this.#heard.get(match) ?? version)) {
      for (const one of this.#host.logs.values()) one.refusals.forget(match);
    }
    if (isNews && news) this.#tellNews(message);
    if (!match || match !== this.#awaited?.match) return;
    const log = this.#host.logOf(room);
    if (!log.active || !log.reveal(match, this.#awaited)) return;
    if (this.#awaited.past) log.staging.pinned?.card?.step(this.#awaited.past);
    this.#awaited = null;
  }

  /** @param {number | undefined} match has the user requested its board? */
  awaits(match) {
    return match !== undefined && match === this.#awaited?.match;
  }

  /**
   * Go where an answer leads, if anywhere.
   *
   * @param {string} room of the request
   * @param {Wire.Answer | null} done
   */
  follow(room, done) {
    const { logOf, matches, rooms } = this.#host;
    if (done?.room && done.room !== room) logOf(done.room).from = room;
    if (done?.match && done.room) void this.goTo({ match: done.match, room: done.room }, { comes: true });
    else if (done?.match) matches().lead(done.match);
    const to = done?.room ?? room;
    // From a place, what begins leads to its room.
    if (done?.room || (done?.begun && rooms.current === null)) rooms.enter(to);
    if (done?.begun) logOf(to).staging.await(done.begun);
    if (done?.proposed) logOf(to).staging.await(done.proposed, { proposed: true });
    if (done?.told) logOf(room).bringTalk();
    return done;
  }

  /**
   * @param {Pick<Wire.Listed, "match" | "room">} found
   * @param {{ comes?: boolean, past?: Wire.Screen | null }} how `comes`: the board is on its way.
   *   `past`: a position of its replay to show
   */
  async goTo({ match, room }, { comes = false, past = null } = {}) {
    const { logOf, press, rooms } = this.#host;
    rooms.drawer.close();
    rooms.enter(room);
    const atCell = !comes;
    if (logOf(room).reveal(match, { atCell })) {
      if (past) logOf(room).staging.pinned?.card?.step(past);
      return;
    }
    this.#awaited = { match, atCell, past };
    if (comes) return;
    // It is older than the loaded messages: request it.
    const done = await press(room, `board:${match}:0:`);
    if (!done?.ok) {
      this.#awaited = null;
      logOf(room).refusals.show(done?.error ?? word("lost"));
    }
  }
}
