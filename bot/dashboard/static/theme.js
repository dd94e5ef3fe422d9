// The colours: the system's, or those chosen with the switch. Loaded before the page is drawn, so that nothing flashes.
"use strict";

(() => {
  const NEXT = { auto: "light", light: "dark", dark: "auto" };
  const WORDS = { auto: "◐ auto", light: "☀ light", dark: "☾ dark" };
  const root = document.documentElement;

  function stored() {
    try {
      return localStorage.getItem("theme") ?? "auto";
    } catch {
      return "auto"; // no storage here: the choice lasts as long as the page
    }
  }

  function choose(theme) {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    const button = document.getElementById("theme");
    if (!button) return;
    button.textContent = WORDS[theme];
    button.setAttribute("aria-label", `Colours: ${theme}`);
    button.dataset.choice = theme;
    button.hidden = false;
  }

  const first = NEXT[stored()] ? stored() : "auto";
  choose(first);
  addEventListener("DOMContentLoaded", () => {
    choose(first);
    document.getElementById("theme").addEventListener("click", (event) => {
      const theme = NEXT[event.currentTarget.dataset.choice];
      choose(theme);
      try {
        localStorage.setItem("theme", theme);
      } catch {
        // as above
      }
    });
  });
})();
