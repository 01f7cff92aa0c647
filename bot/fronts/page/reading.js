// Reports how far each room has been read, at intervals and when the page goes to the background.

const A_WHILE = 4_000; // milliseconds

export class Reading {
  #send;
  /** @type {Map<string, number>} room -> message, as known to the server */
  #told = new Map();
  /** @type {Map<string, number>} room -> message, to be reported */
  #due = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {(room: string, message: number) => Promise<boolean>} send returns whether it was accepted */
  constructor(send) {
    this.#send = send;
    document.addEventListener("visibilitychange", () => document.hidden && this.tell());
    addEventListener("pagehide", () => this.tell());
  }

  /** @param {Record<string, number>} read as known to the server */
  begin(read) {
    for (const [room, message] of Object.entries(read)) this.#told.set(room, message);
  }

  /**
   * @param {string} room
   * @param {number} message the last one read
   */
  note(room, message) {
    if (message <= (this.#told.get(room) ?? 0)) return;
    this.#told.set(room, message);
    this.#due.set(room, message);
    if (this.#timer === undefined) this.tell();
  }

  tell() {
    clearTimeout(this.#timer);
    this.#timer = this.#due.size ? setTimeout(() => this.tell(), A_WHILE) : undefined;
    for (const [room, message] of this.#due) this.#tell(room, message);
    this.#due.clear();
  }

  /**
   * @param {string} room
   * @param {number} message
   */
  async #tell(room, message) {
    const isTaken = await this.#send(room, message);
    // It is reported again after the next reading.
    if (!isTaken && this.#told.get(room) === message) this.#told.delete(room);
  }
}
