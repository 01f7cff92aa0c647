// "Add a browser": log in to a player's account with a code from another browser. A link alone
// changes nothing: the server says what would change, and the user decides.

import { byId, setText } from "./dom.js";
import { word } from "./words.js";

const CODE = /^#me=([\w-]{1,64})$/;

/**
 * Return the code of an opened link, and remove it from the address and the history.
 *
 * @returns {string | null}
 */
export function takeCode() {
  const code = CODE.exec(location.hash)?.[1];
  if (code === undefined) return null;
  history.replaceState(null, "", location.pathname + location.search);
  return code;
}

export class Also {
  #dialog = byId("also", HTMLDialogElement);
  #form = byId("also-form");
  #code = byId("also-code", HTMLInputElement);
  #error = byId("also-error");
  #isAsked = false; // the server's question is shown
  #done;

  /** @param {() => void} done called when this browser has another account */
  constructor(done) {
    this.#done = done;
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    byId("also-no").addEventListener("click", () => this.#dialog.close());
    this.#code.addEventListener("input", () => this.#refuse(""));
  }

  /** True while an answer is awaited that may change the account. */
  busy = false;

  /** Ask for a code, or what would happen with `code`. */
  ask(code = "") {
    this.#isAsked = false;
    this.#code.value = code;
    this.#refuse("");
    this.#show({ title: word("also"), text: "", yes: word("next"), no: word("cancel") });
    if (!this.#dialog.open) this.#dialog.showModal();
    if (code) this.#send();
    else this.#code.focus();
  }

  async #send() {
    if (this.busy) return;
    const body = JSON.stringify({
      code: this.#code.value.trim().slice(0, 64),
      language: document.documentElement.lang,
      sure: this.#isAsked,
    });
    this.busy = true;
    this.#form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch("also", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      const told = await answer.json();
      if (!answer.ok) {
        this.#isAsked = false;
        this.#show({ title: word("also"), text: "", yes: word("next"), no: word("cancel") });
        this.#refuse(told.error ?? word("unreachable"));
      } else if (this.#isAsked) {
        this.#done();
      } else {
        this.#isAsked = true;
        this.#show(told);
        byId("also-no").focus(); // so that one Enter too many changes nothing
      }
    } catch {
      this.#refuse(word("unreachable"));
    } finally {
      this.busy = false;
      this.#form.removeAttribute("aria-busy");
    }
  }

  /** @param {{ title: string, text: string, yes: string, no: string }} words */
  #show({ title, text, yes, no }) {
    setText(byId("also-title"), title);
    setText(byId("also-text"), text);
    setText(byId("also-yes"), yes);
    setText(byId("also-no"), no);
    byId("also-ask").hidden = this.#isAsked;
  }

  /** @param {string} why */
  #refuse(why) {
    setText(this.#error, why);
    this.#code.setAttribute("aria-invalid", String(Boolean(why)));
  }
}
