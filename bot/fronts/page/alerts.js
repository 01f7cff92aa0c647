// Optional notifications and a quiet sound. The settings belong to this browser. Of several tabs,
// one notifies, unless the browser is notified without them (push.js).

import { byId, fileUrl, setText } from "./dom.js";
import { motion } from "./motion.js";
import { device } from "./sound.js";
import { word } from "./words.js";

const KEY = "azumaya-alerts";
const A_WHILE = 2_000; // milliseconds in which no other tab sends the same notification
const SOON = 500; // milliseconds after which a sound would come too late
const AFTER_YOU = 300; // milliseconds by which tabs in the background let the visible one go first

/** @typedef {{ notify: boolean, push: boolean, sound: boolean }} Chosen */

export class Alerts {
  #dialog = byId("alerts", HTMLDialogElement);
  #notify = byId("alerts-notify", HTMLInputElement);
  #pushed = byId("alerts-push", HTMLInputElement);
  #sound = byId("alerts-sound", HTMLInputElement);
  #error = byId("alerts-error");
  #motion = byId("motion", HTMLInputElement);
  #chosen = remembered();
  #push;

  /** @param {import("./push.js").Push} push */
  constructor(push) {
    this.#push = push;
    byId("alerts-open").addEventListener("click", () => this.#open());
    this.#motion.addEventListener("change", () => motion.choose(this.#motion.checked));
    this.#notify.addEventListener("change", () => this.#ask("notify", this.#notify));
    this.#pushed.addEventListener("change", () => this.#ask("push", this.#pushed));
    this.#sound.addEventListener("change", () => {
      this.#choose({ sound: this.#sound.checked });
      if (this.#sound.checked) this.#play();
    });
    // Browsers allow sound only after a user gesture.
    const ready = () => this.#chosen.sound && device()?.resume();
    document.addEventListener("pointerdown", ready, { once: true });
    document.addEventListener("keydown", ready, { once: true });
  }

  /** @param {string} key of the server, which may have forgotten this browser */
  welcome(key) {
    this.#push.key = key;
    if (this.#isPushed && Notification.permission === "granted") void this.#push.subscribe();
  }

  get #isPushed() {
    return this.#chosen.push && this.#push.isPossible;
  }

  /**
   * Notify that a match has started to wait.
   *
   * @param {object} what
   * @param {string} what.id the same in every tab
   * @param {string} what.title
   * @param {string} what.text
   * @param {() => void} what.go opens the board
   */
  async tell({ id, title, text, go }) {
    const looksHere = !document.hidden && document.hasFocus();
    if (!looksHere) await passed(AFTER_YOU);
    await once(id, () => {
      if (this.#chosen.sound) this.#play();
      if (this.#chosen.notify && !this.#isPushed && !looksHere) this.#show({ id, title, text, go });
    });
  }

  #open() {
    this.#showChosen();
    byId("alerts-pushed").hidden = !this.#push.isPossible;
    this.#motion.checked = motion.isChosen;
    const can = "Notification" in window;
    this.#notify.disabled = !can;
    setText(this.#error, can ? "" : word("alerts-none"));
    this.#dialog.showModal();
  }

  /**
   * @param {"notify" | "push"} what
   * @param {HTMLInputElement} box
   */
  async #ask(what, box) {
    setText(this.#error, "");
    if (!box.checked) {
      this.#choose({ [what]: false });
      if (what === "push") await this.#push.unsubscribe();
      return;
    }
    const allowed = await Notification.requestPermission();
    // Show an example, as some browsers have the class but do not support it.
    const example = { id: "alerts", title: "Azumaya", text: word("alerts-text") };
    const works = allowed === "granted" && (what === "push" ? await this.#push.subscribe() : this.#show(example));
    this.#choose({ [what]: works });
    this.#showChosen();
    if (!works) setText(this.#error, word(allowed === "granted" ? "alerts-none" : "alerts-no"));
  }

  #showChosen() {
    this.#notify.checked = this.#chosen.notify;
    this.#pushed.checked = this.#chosen.push;
    this.#sound.checked = this.#chosen.sound;
  }

  /** @param {Partial<Chosen>} change */
  #choose(change) {
    this.#chosen = { ...this.#chosen, ...change };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#chosen));
    } catch {
      // Storage may be blocked. Then the settings last as long as the page.
    }
  }

  /** @param {{ id: string, title: string, text: string, go?: () => void }} what */
  #show({ id, title, text, go }) {
    try {
      const shown = new Notification(title, { body: text, tag: id, icon: fileUrl("icon.svg"), silent: true });
      shown.onclick = () => {
        window.focus();
        go?.();
        shown.close();
      };
      return true;
    } catch {
      return false;
    }
  }

  // It sounds like two drops of water.
  async #play() {
    const audio = device();
    if (!audio) return;
    await Promise.race([audio.resume(), passed(SOON)]);
    if (audio.state !== "running") return;
    for (const [pitch, after] of [[587, 0], [880, 0.12]]) {
      const at = audio.currentTime + (after ?? 0);
      const tone = new OscillatorNode(audio, { type: "sine", frequency: pitch });
      const loudness = new GainNode(audio, { gain: 0 });
      loudness.gain.setValueAtTime(0, at);
      loudness.gain.linearRampToValueAtTime(0.07, at + 0.01);
      loudness.gain.exponentialRampToValueAtTime(0.0005, at + 0.5);
      tone.connect(loudness).connect(audio.destination);
      tone.start(at);
      tone.stop(at + 0.55);
    }
  }
}

/** @returns {Chosen} */
function remembered() {
  try {
    const { notify, push, sound } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { notify: notify === true, push: push === true, sound: sound === true };
  } catch {
    return { notify: false, push: false, sound: false };
  }
}

// Run `act` in one tab of this browser, if tabs can coordinate.
/**
 * @param {string} id
 * @param {() => void} act
 */
async function once(id, act) {
  if (!("locks" in navigator)) return act();
  await navigator.locks.request(`azumaya-${id}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    act();
    await passed(A_WHILE);
  });
}

/** @param {number} milliseconds */
function passed(milliseconds) {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
