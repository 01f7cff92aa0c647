// Light or dark: as set here, otherwise as in the system. A classic script in the head, so that the
// page never flashes in the wrong colours.

{
  const KEY = "azumaya-theme";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  /** @type {string | null} */
  let chosen = null;
  try {
    chosen = localStorage.getItem(KEY);
  } catch {
    // Storage may be blocked. Then the choice lasts as long as the page.
  }

  const apply = () => {
    if (chosen) document.documentElement.dataset.theme = chosen;
    else delete document.documentElement.dataset.theme;
    /** @type {NodeListOf<HTMLMetaElement>} */
    const metas = document.querySelectorAll("meta[name=theme-color]");
    for (const meta of metas) {
      const own = `(prefers-color-scheme: ${meta.dataset.of})`;
      meta.media = !chosen ? own : meta.dataset.of === chosen ? "all" : "not all";
    }
    document.dispatchEvent(new Event("theme"));
  };

  window.theme = {
    /** The theme shown: "light" or "dark". */
    get now() {
      if (chosen === "light" || chosen === "dark") return chosen;
      return dark.matches ? "dark" : "light";
    },
    /** Switch the theme. Choosing that of the system means following it again. */
    toggle() {
      const wanted = this.now === "dark" ? "light" : "dark";
      chosen = wanted === (dark.matches ? "dark" : "light") ? null : wanted;
      try {
        if (chosen) localStorage.setItem(KEY, chosen);
        else localStorage.removeItem(KEY);
      } catch {
        // Storage may be blocked, see above.
      }
      apply();
    },
  };
  if (chosen !== "light" && chosen !== "dark") chosen = null;
  dark.addEventListener("change", apply);
  apply();
}
