// The navigation between places: at the side, on a phone at the foot.

import { byId, icon, make, setText } from "./dom.js";
import { addressOf } from "./router.js";
import { word } from "./words.js";

const PLACES = [
  ["", "home", "roof"],
  ["games", "games", "board"],
  ["puzzles", "puzzles", "puzzle"],
  ["leaderboard", "leaderboard", "cup"],
  ["settings", "settings", "gear"],
];

export class Nav {
  #bars = [byId("places"), byId("foot")];

  /** @param {() => void} openMore opens the side bar, with the rooms */
  constructor(openMore) {
    for (const bar of this.#bars) {
      bar.append(
        ...PLACES.map(([name = "", key, shape = ""]) =>
          make("a", { href: addressOf({ name, argument: "" }), "data-place": name, "data-key": key }, icon(shape), make("span")),
        ),
      );
    }
    // The settings are at the side. The foot has room for five.
    const [, foot] = this.#bars;
    foot?.lastElementChild?.replaceWith(
      make("button", { type: "button", "data-key": "more", "aria-controls": "side", onclick: openMore }, icon("menu"), make("span")),
    );
  }

  /** @param {string} place that is shown */
  show(place) {
    for (const bar of this.#bars) {
      for (const link of bar.children) {
        if (link instanceof HTMLElement) setText(link.lastElementChild, word(link.dataset.key ?? ""));
        if (link.getAttribute("data-place") === place) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
    }
  }
}
