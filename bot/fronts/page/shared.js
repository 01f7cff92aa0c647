// The page of a shared game: the board with moving pieces, and the replay. While the game is active,
// it asks for the newest position.

import { Board, ready } from "./board.js";
import { byId, withStones } from "./dom.js";
import { due } from "./due.js";
import { Replay } from "./replay.js";
import { speak, word } from "./words.js";

const EVERY = 3_000; // milliseconds between two looks at an active game

export class SharedGame {
  #board = new Board(
    () => {},
    () => {},
  );
  /** @type {Replay | null} */
  #replay = null;
  #unswipe = () => {};
  #at = location.pathname.replace(/\/$/, "");
  /** @type {Wire.Screen} the newest position */
  #newest;
  /** @type {Wire.Screen} */
  #shown;

  /** @param {Wire.Screen} screen */
  constructor(screen) {
    this.#newest = this.#shown = this.#dressed(screen);
    byId("board").replaceChildren(this.#board.element);
    this.#show(this.#newest);
    this.#step(this.#newest);
    document.addEventListener("theme", () => this.#show(this.#dressed(this.#shown)));
    document.addEventListener("keydown", (event) => {
      if (this.#replay?.key(event)) event.preventDefault();
    });
    this.#follow();
  }

  /** @param {Wire.Screen} screen */
  #step(screen) {
    this.#unswipe();
    const replay = new Replay(screen, {
      ask: (ply) => this.#ask(ply),
      press: () => {},
      show: (past) => void this.#bring(past),
      renew: (past) => this.#step(past),
      close: null,
    });
    this.#replay = replay;
    this.#unswipe = replay.swipe(this.#board.element);
    byId("moves").replaceChildren(replay.element);
  }

  /**
   * @param {number | "now"} ply
   * @returns {Promise<Wire.Answer | null>}
   */
  async #ask(ply) {
    try {
      const answer = await fetch(`${this.#at}/${ply}.json`);
      // Taken back: the page says so.
      if (answer.status === 404) location.reload();
      if (!answer.ok) return null;
      return /** @type {Wire.Answer} */ ({ ok: true, private: this.#dressed(await answer.json()) });
    } catch {
      return null;
    }
  }

  /** @param {Wire.Screen} screen */
  async #bring(screen) {
    this.#board.expect();
    await ready(screen.picture);
    const isNext = Math.abs((screen.ply ?? 0) - (this.#shown.ply ?? 0)) === 1;
    this.#show(screen, isNext);
  }

  /** @param {Wire.Screen} screen */
  #show(screen, moves = false) {
    this.#shown = screen;
    this.#say(screen);
    const play = byId("play");
    play.hidden = !screen.play;
    play.setAttribute("href", screen.play ?? "");
    if (!screen.picture) return;
    byId("board").style.setProperty("--ratio", String(screen.picture.width / screen.picture.height));
    this.#board.show({ ...screen.picture, cells: [] }, word("board", { name: screen.title ?? "" }), { moves });
  }

  /** @param {Wire.Screen} screen */
  #say({ title = "", text = "", due: moment }) {
    byId("title").replaceChildren(...withStones(title));
    const [before = "", after] = moment ? text.split(moment.words) : [text];
    byId("state").replaceChildren(before, ...(moment && after !== undefined ? [due(moment.at), after] : []));
  }

  // The server's pictures are light.
  /**
   * @param {Wire.Screen} screen
   * @returns {Wire.Screen}
   */
  #dressed(screen) {
    const { picture } = screen;
    return picture ? { ...screen, picture: { ...picture, url: picture.url.replace(/theme=\w+/, `theme=${window.theme.now}`) } } : screen;
  }

  #follow() {
    if (this.#newest.over) return;
    setTimeout(async () => {
      const done = document.hidden ? null : await this.#ask("now");
      if (done?.private) this.#renew(done.private);
      this.#follow();
    }, EVERY);
  }

  // Who looks at the newest position sees the next one.
  /** @param {Wire.Screen} screen */
  #renew(screen) {
    const isSame = screen.picture?.url === this.#newest.picture?.url && screen.text === this.#newest.text;
    if (isSame) return;
    const follows = this.#shown.ply === this.#newest.ply;
    this.#newest = screen;
    if (follows) void this.#bring(screen);
    const { record, sides, over } = screen;
    this.#step(follows ? screen : { ...this.#shown, record, sides, over });
  }
}

// A puzzle has no script: it is one position.
const found = JSON.parse(document.getElementById("screen")?.textContent ?? "null");
if (found) {
  speak(document.documentElement.lang);
  new SharedGame(found);
}
