// The welcome page: language and name.

import { byId, make, setText } from "./dom.js";
import { LANGUAGES, browserLanguage, speak, word } from "./words.js";

const LAST_WORD = "last-word";

// Without storage, the text is lost.
function storage() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** @param {string} text shown after the reload, when an account was deleted */
export function keepLastWord(text) {
  storage()?.setItem(LAST_WORD, text);
}

/** True if `keepLastWord` has kept a text. */
export function hasLastWord() {
  return Boolean(storage()?.getItem(LAST_WORD));
}

function lastWord() {
  const text = storage()?.getItem(LAST_WORD) ?? "";
  storage()?.removeItem(LAST_WORD);
  return text;
}

/** Asks for a name until the server accepts one. */
export class Arrival {
  #page = byId("arrival");
  #form = byId("arrival-form");
  #name = byId("name", HTMLInputElement);
  #error = byId("name-error");
  #suggestion = byId("suggestion");
  #language = browserLanguage();
  #done = () => {};

  constructor() {
    const picker = byId("languages");
    for (const [code, own] of LANGUAGES) {
      const choice = make("input", { type: "radio", name: "language", value: code, id: `language-${code}` });
      choice.checked = code === this.#language;
      choice.addEventListener("change", () => {
        this.#language = code;
        speak(code);
        this.#refuse();
      });
      picker.append(choice, make("label", { for: choice.id, lang: code }, own));
    }
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#arrive();
    });
    this.#suggestion.addEventListener("click", () => {
      this.#name.value = this.#suggestion.dataset.name ?? "";
      this.#arrive();
    });
    this.#name.addEventListener("input", () => this.#refuse());
  }

  /**
   * @param {string} wished what the user has chosen to play, if anything
   * @returns {Promise<void>} resolves once the user is logged in
   */
  welcome(wished) {
    speak(this.#language);
    this.#page.hidden = false;
    setText(byId("last-word"), lastWord() || wished);
    this.#name.focus();
    return new Promise((resolve) => {
      this.#done = () => {
        this.#page.hidden = true;
        resolve();
      };
    });
  }

  async #arrive() {
    const body = JSON.stringify({ name: this.#name.value, language: this.#language });
    if (this.#form.getAttribute("aria-busy") === "true") return;
    let answer;
    /** @type {{ error?: string, suggestion?: string }} */
    let told;
    this.#form.setAttribute("aria-busy", "true");
    try {
      answer = await fetch("arrive", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      told = await answer.json();
    } catch {
      return this.#refuse({ error: word("unreachable") });
    } finally {
      this.#form.removeAttribute("aria-busy");
    }
    if (answer.ok) return this.#done();
    this.#refuse({ ...told, error: told.error ?? word("unreachable") });
    this.#name.focus();
    this.#name.select();
  }

  #refuse({ error = "", suggestion = "" } = {}) {
    setText(this.#error, error);
    this.#name.setAttribute("aria-invalid", String(Boolean(error)));
    this.#suggestion.hidden = !suggestion;
    this.#suggestion.dataset.name = suggestion;
    setText(this.#suggestion, word("take-name", { name: suggestion }));
  }
}
