// The link to an open challenge: copied, or sent by the system's share sheet where there is one.

import { announce, make, setText } from "./dom.js";
import { addressOf } from "./router.js";
import { word } from "./words.js";

/**
 * @param {string} code of the challenge
 * @param {string} title
 */
export function inviteTo(code, title) {
  const url = addressOf({ name: "g", argument: code });
  const link = make("a", { href: url, "data-place": true }, url);
  const copy = make("button", { type: "button", class: "primary" }, word("copy-link"));
  copy.onclick = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setText(copy, word("copied"));
      announce(word("copied"));
    } catch {
      getSelection()?.selectAllChildren(link); // no clipboard: to be copied by hand
    }
  };
  const share = () => void navigator.share({ title, url }).catch(() => {}); // closed without sharing
  const button = "share" in navigator ? make("button", { type: "button", onclick: share }, word("share")) : null;
  return [link, make("div", { class: "row" }, copy, button)];
}
