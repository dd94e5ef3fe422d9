// Whom one plays: strength, what it plays, its levels; variants that it declines cannot be chosen.

import { byId, element } from "/board/dom.js";

const LEVELS = [["", "Its own"], ["800", "800, beginner"], ["1200", "1200"], ["1600", "1600, club player"], ["2000", "2000"], ["2400", "2400, master"], ["full", "Full strength"]];
const KINDS = { bot: "A bot", server: "Played by this server", person: "A person at this server", computer: "The computer" };

/** Describe the chosen opponent, and offer only what it plays. */
export function showOpponent(chosen, variants) {
  if (!chosen) return;
  const strength = chosen.rating ? `about ${chosen.rating}` : chosen.level ? `level ${chosen.level} of 8` : "unknown";
  const plays = chosen.variants ? variants.filter(({ key }) => chosen.variants.includes(key)).map(({ name }) => name).join(", ") : "every variant";
  const facts = [["Strength", strength], ["Plays", plays], ...(chosen.about ? [["Style", chosen.about]] : [])];
  const state = chosen.kind === "bot" ? ` · ${chosen.online ? "online" : "offline"}` : "";
  byId("card").replaceChildren(
    element("p", {}, element("b", {}, chosen.name), element("span", { className: "faint" }, ` ${KINDS[chosen.kind] ?? ""}${state}`)),
    element("dl", {}, ...facts.map(([term, text]) => element("div", {}, element("dt", {}, term), element("dd", {}, text)))));
  byId("level-field").hidden = !chosen.levels;
  for (const option of byId("variant").options) option.disabled = Boolean(chosen.variants) && !chosen.variants.includes(option.value);
  if (byId("variant").selectedOptions[0]?.disabled) byId("variant").value = "standard";
}

/** Fill the list of levels. */
export function fillLevels() {
  byId("level").replaceChildren(...LEVELS.map(([value, text]) => element("option", { value }, text)));
}

/** The level that is wished; "" for none. */
export function wishedLevel() {
  return byId("level-field").hidden ? "" : byId("level").value;
}
