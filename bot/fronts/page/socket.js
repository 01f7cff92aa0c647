// The connection to the server: one WebSocket, requests with answers, and patience.
//
// A request is a promise of the server's `done`. When the connection breaks, requests that may be
// repeated (presses: their token carries the version) wait and are sent again once the server
// has welcomed us back; all others resolve to null, and whoever asked says "not sent".

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 12_000;
const ANSWER_WITHIN = 20_000;
const FULL_PAUSE = 60_000; // before a house that was full is asked again

// What the server closes with, where coming back at once would help nobody.
const MAKES_ROOM = 4429; // others found no room, and this person has another page: rest
const FULL = 4503; // there is no room: come back in a while

/**
 * @typedef {object} Events
 * @property {() => Wire.Request} hello gives the first frame
 * @property {(frame: Wire.Frame) => void} frame takes everything but answers
 * @property {() => void} caughtUp is called after all that was missed
 * @property {(state: "open" | "lost" | "full" | "resting") => void} state
 * @property {() => void} stranger is called when the server does not know this browser
 */

/**
 * @typedef {object} Waiting
 * @property {Wire.Request} frame
 * @property {boolean} repeat
 * @property {(answer: Wire.Answer | null) => void} resolve
 * @property {number | null} sentAt
 * @property {boolean} repeated
 */

export class Connection {
  #events;
  /** @type {WebSocket | null} */
  #socket = null;
  #welcomed = false;
  #nextId = 1;
  /** @type {Map<number, Waiting>} by id */
  #waiting = new Map();
  #pause = FIRST_PAUSE;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #resting = false; // until somebody comes back to this page

  /** @param {Events} events */
  constructor(events) {
    this.#events = events;
    setInterval(() => this.#watch(), 2_000);
    addEventListener("online", () => this.#resting || this.retry());
    document.addEventListener("visibilitychange", () => document.hidden || this.retry());
  }

  /** Connect, and stay connected. */
  async open() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#resting = false;
    let known;
    try {
      known = await fetch("/me", { cache: "no-store" });
    } catch {
      return this.#later();
    }
    if (known.status === 401) return this.#events.stranger();
    if (!known.ok) return this.#later();

    const url = new URL("/socket", location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.onopen = () => this.#send(this.#events.hello()).then((done) => done && this.#events.caughtUp());
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.#socket && this.#broken(event?.code);
  }

  /** Do not wait for the next attempt. */
  retry() {
    if (this.#timer !== undefined || this.#resting) this.open();
  }

  /**
   * Ask the server; resolves to its `done`, or to null when no answer will come.
   * With `repeat` it waits for a connection and survives losing it.
   *
   * @param {Wire.Request} frame
   * @returns {Promise<Wire.Answer | null>}
   */
  request(frame, { repeat = false } = {}) {
    if (!this.#welcomed && !repeat) return Promise.resolve(null);
    if (this.#resting) this.retry(); // whoever presses something is back
    return this.#send(frame, repeat);
  }

  /**
   * @param {Wire.Request} frame
   * @returns {Promise<Wire.Answer | null>}
   */
  #send(frame, repeat = false) {
    return new Promise((resolve) => {
      const id = this.#nextId++;
      /** @type {Waiting} */
      const request = { frame: { ...frame, id }, repeat, resolve, sentAt: null, repeated: false };
      this.#waiting.set(id, request);
      if (this.#welcomed || frame.t === "hello") this.#transmit(request);
    });
  }

  /** @param {Waiting} request */
  #transmit(request) {
    // By one that is closing nothing goes out; what becomes of it is decided once that has closed.
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    request.sentAt = performance.now();
    this.#socket.send(JSON.stringify(request.frame));
  }

  /** @param {Wire.Frame | Wire.Done} frame */
  #receive(frame) {
    if (frame.t === "done") {
      const request = this.#waiting.get(frame.id);
      if (!request) return;
      this.#waiting.delete(frame.id);
      request.resolve({ ...frame, repeated: request.repeated });
      return;
    }
    this.#events.frame(frame);
    if (frame.t === "welcome" && !this.#welcomed) {
      this.#welcomed = true;
      this.#pause = FIRST_PAUSE;
      this.#events.state("open");
      for (const request of this.#waiting.values()) if (request.repeat) this.#transmit(request);
    }
  }

  /** @param {number} [code] what the server closed with */
  #broken(code) {
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    if (socket && socket.readyState < WebSocket.CLOSING) socket.close();
    for (const [id, request] of [...this.#waiting]) {
      if (request.repeat) {
        request.repeated ||= request.sentAt !== null;
      } else {
        this.#waiting.delete(id);
        request.resolve(null);
      }
    }
    if (code === MAKES_ROOM) {
      this.#resting = true;
      this.#events.state("resting");
    } else {
      this.#later(code);
    }
  }

  /** @param {number} [code] */
  #later(code) {
    const jitter = 0.5 + Math.random();
    if (code === FULL) {
      this.#events.state("full");
      this.#timer = setTimeout(() => this.open(), FULL_PAUSE * jitter);
      return;
    }
    this.#events.state("lost");
    this.#timer = setTimeout(() => this.open(), this.#pause * jitter);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  // A connection that is dead but not closed shows by an answer that does not come.
  #watch() {
    if (!this.#socket || this.#socket.readyState !== WebSocket.OPEN) return;
    const now = performance.now();
    for (const { sentAt } of this.#waiting.values()) {
      if (sentAt !== null && now - sentAt > ANSWER_WITHIN) return this.#broken();
    }
  }
}
