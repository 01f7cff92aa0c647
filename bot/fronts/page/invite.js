// A link to an open challenge or a shared game: copied, or sent by the system's share sheet where there is one.

import { announce, make, setText } from "./dom.js";
import { addressOf } from "./router.js";
import { word } from "./words.js";

const LINK = /^https?:/;

/**
 * Return the link that a screen has to copy, or "".
 *
 * @param {{ copied?: string[] }} screen
 */
export const linkIn = ({ copied = [] }) => copied.find((one) => LINK.test(one)) ?? "";

/**
 * @param {string} target the code of the challenge, or the whole link
 * @param {string} title
 */
export function inviteTo(target, title) {
  const isLink = LINK.test(target);
  const url = isLink ? target : addressOf({ name: "g", argument: target });
  const link = make("a", { href: url, ...(isLink ? { target: "_blank" } : { "data-place": true }) }, url);
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
