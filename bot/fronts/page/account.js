// The user's account in this browser: theme, logging out, a code from another browser.

import { Also, takeCode } from "./also.js";
import { announce, byId, iconUrl } from "./dom.js";
import { word } from "./words.js";

// Another account starts from an empty page.
const also = new Also(() => location.reload());

/** True while an answer is awaited that may change the account. */
export const isChanging = () => also.busy;

/** @param {() => void} themed called when the theme has changed */
export function bindAccount(themed) {
  showTheme();
  byId("theme").addEventListener("click", () => window.theme.toggle());
  document.addEventListener("theme", () => {
    showTheme();
    themed();
  });
  const leaving = byId("leaving", HTMLDialogElement);
  byId("leave").addEventListener("click", () => {
    leaving.returnValue = "";
    leaving.showModal();
  });
  leaving.addEventListener("close", () => leaving.returnValue === "leave" && void leave());
  byId("have-code").addEventListener("click", () => also.ask());
  addEventListener("hashchange", followCode);
  followCode();
}

async function leave() {
  try {
    await fetch("leave", { method: "POST" });
  } catch {
    return announce(word("lost")); // the banner shows it, too
  }
  location.reload();
}

function showTheme() {
  const next = window.theme.now === "dark" ? "sun" : "moon";
  byId("theme").querySelector("use")?.setAttribute("href", iconUrl(next));
}

function followCode() {
  const code = takeCode();
  if (code !== null) also.ask(code);
}
