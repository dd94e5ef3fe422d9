// Whom one may play, a card each: strength, what it plays, its levels.

import { byId, element } from "/board/dom.js";

const LEVELS = [["", "Its own level"], ["800", "800, beginner"], ["1200", "Level 1200"], ["1600", "1600, club player"], ["2000", "Level 2000"], ["2400", "2400, master"], ["full", "Full strength"]];
const COMPUTER_LEVELS = [1, 2, 3, 4, 5, 6, 7, 8].map((level) => [String(level), `Level ${level} of 8`]);
const COMPUTER = { kind: "computer", id: "ai", name: "Computer", about: "Played by this server" };
let opponents = [];

function radioOf(id) {
  return [...document.querySelectorAll("input[name=opponent]")].find(({ value }) => value === id);
}

function levelList({ id, name }, levels) {
  const list = element("select", { id: `level-${id}`, ariaLabel: `Level of ${name}` }, ...levels.map(([value, text]) => element("option", { value }, text)));
  list.addEventListener("input", () => {
    radioOf(id).checked = true;
  });
  return list;
}

function card(one, variants) {
  const { id, kind, title, name, rating, about, online, levels } = one;
  const played = variants.filter(({ key }) => !one.variants || one.variants.includes(key)).map((variant) => variant.name);
  const plays = kind !== "person" && (played.length === variants.length ? "Every variant" : played.join(", "));
  const facts = [about, plays, kind === "bot" && !online && "Offline"].filter(Boolean);
  const choices = kind === "computer" ? COMPUTER_LEVELS : levels ? LEVELS : null;
  return element("div", { className: "opponent" },
    element("label", {}, element("input", { type: "radio", name: "opponent", value: id }),
      element("span", { className: "name" }, ...(title ? [element("span", { className: "title" }, title), " "] : []), name),
      rating ? element("span", { className: "strength" }, `about ${rating}`) : null,
      ...facts.map((fact) => element("span", { className: "fact" }, fact))),
    choices && levelList(one, choices));
}

/** Show a card for everybody but the reader; those that are online come first, and one is chosen. */
export function showOpponents(site, kept) {
  const bots = [...site.opponents].sort((one, other) => Number(other.online) - Number(one.online));
  const people = site.people.filter((one) => one.id !== site.person?.id).map((one) => ({ ...one, kind: "person" }));
  opponents = [...bots, COMPUTER, ...people];
  byId("machines").replaceChildren(...[...bots, COMPUTER].map((one) => card(one, site.variants)));
  byId("people").replaceChildren(...people.map((one) => card(one, site.variants)));
  const chosen = radioOf(kept.opponent) ?? radioOf(opponents[0].id);
  chosen.checked = true;
  const level = byId(`level-${chosen.value}`);
  if (level && [...level.options].some(({ value }) => value === kept.level)) level.value = kept.level;
}

/** The opponent that is chosen, with the level that is wished, "" for none. */
export function chosenOpponent() {
  const { value } = document.querySelector("input[name=opponent]:checked");
  const chosen = opponents.find(({ id }) => id === value);
  return { ...chosen, level: byId(`level-${value}`)?.value ?? "" };
}

/** Offer only the variants that the opponent plays. */
export function offerVariants({ variants }) {
  const { options } = byId("variant");
  for (const option of options) option.disabled = Boolean(variants) && !variants.includes(option.value);
  if (byId("variant").selectedOptions[0]?.disabled) byId("variant").selectedIndex = [...options].findIndex(({ disabled }) => !disabled);
}
