// The connection to the server: a WebSocket with requests and answers. After a reconnect, presses
// are sent again, as their token has the version. All other requests resolve to null.

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 12_000;
const ANSWER_WITHIN = 20_000;
const FULL_PAUSE = 60_000; // before a full server is tried again

// Close codes after which reconnecting at once would not help.
const MAKES_ROOM = 4429; // the user has another page, and a new connection needed the place: rest
const FULL = 4503; // the server is full: retry later

/**
 * @typedef {object} Events
 * @property {() => Wire.Request} hello returns the first frame
 * @property {(frame: Wire.Frame) => void} frame takes all frames except answers
 * @property {() => void} caughtUp called after all missed messages
 * @property {(state: "open" | "lost" | "full" | "resting") => void} state
 * @property {() => void} stranger called if the server does not know this browser
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
  #resting = false; // until the user comes back to this page

  /** @param {Events} events */
  constructor(events) {
    this.#events = events;
    setInterval(() => this.#watch(), 2_000);
    addEventListener("online", () => this.#resting || this.retry());
    document.addEventListener("visibilitychange", () => document.hidden || this.retry());
  }

  async open() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#resting = false;
    let known;
    try {
      known = await fetch("me", { cache: "no-store" });
    } catch {
      return this.#later();
    }
    if (known.status === 401) return this.#events.stranger();
    if (!known.ok) return this.#later();

    const url = new URL("socket", document.baseURI);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.onopen = () => this.#send(this.#events.hello()).then((done) => done && this.#events.caughtUp());
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.#socket && this.#broken(event?.code);
  }

  retry() {
    if (this.#timer !== undefined || this.#resting) this.open();
  }

  /**
   * Resolves to the `done` of the request, or to null. With `repeat`, it is sent again after a
   * reconnect.
   *
   * @param {Wire.Request} frame
   * @returns {Promise<Wire.Answer | null>}
   */
  request(frame, { repeat = false } = {}) {
    if (!this.#welcomed && !repeat) return Promise.resolve(null);
    if (this.#resting) this.retry(); // a press means that the user is back
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
    // A closing connection sends nothing. The request is decided once it has closed.
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

  /** @param {number} [code] the server's close code */
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

  // A dead connection that is not closed is detected by a missing answer to a request.
  #watch() {
    if (!this.#socket || this.#socket.readyState !== WebSocket.OPEN) return;
    const now = performance.now();
    for (const { sentAt } of this.#waiting.values()) {
      if (sentAt !== null && now - sentAt > ANSWER_WITHIN) return this.#broken();
    }
  }
}
