// Import a game: a file that is chosen or dropped, or a text that is pasted.

import { make } from "./dom.js";
import { word } from "./words.js";

/**
 * @typedef {object} Host
 * @property {() => Promise<Wire.Answer | null>} ask opens what was sent, or asks which game
 * @property {(done: Wire.Answer | null) => void} show
 */

export class Importer {
  #host;
  #file = make("input", { type: "file", class: "unseen" });
  #text = make("textarea", { rows: "2", placeholder: "f5d6c3 …", "aria-label": word("import-text"), spellcheck: "false" });
  #error = make("p", { class: "error", role: "alert" });
  element = make(
    "form",
    { class: "import" },
    make("h2", {}, word("import")),
    this.#text,
    make(
      "div",
      { class: "row" },
      make("button", { type: "submit", class: "primary" }, word("import-open")),
      make("button", { type: "button", onclick: () => this.#file.click() }, word("import-file")),
      this.#file,
    ),
    this.#error,
  );

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#text.value.trim()) void this.#send(this.#text.value);
    });
    this.#file.addEventListener("change", () => this.#take(this.#file.files));
    this.element.addEventListener("dragover", (event) => event.preventDefault());
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      this.#take(event.dataTransfer?.files);
    });
  }

  /** @param {FileList | null | undefined} files */
  #take(files) {
    if (files?.[0]) void this.#send(files[0]);
    this.#file.value = "";
  }

  /** @param {File | string} record */
  async #send(record) {
    this.element.setAttribute("aria-busy", "true");
    const answer = await fetch("import", { method: "POST", body: record }).catch(() => null);
    const { error = word("lost") } = await answer?.json().catch(() => ({})) ?? {};
    const done = error ? null : await this.#host.ask();
    this.element.removeAttribute("aria-busy");
    this.#error.textContent = error || done?.error || (done ? "" : word("lost"));
    if (done?.ok) this.#host.show(done);
  }
}
