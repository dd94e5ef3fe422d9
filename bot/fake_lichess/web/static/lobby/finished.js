// The finished games, chosen by filters; each leads to its analysis.

import { get } from "../common/api.js";
import { gameSummary, pairText, resultText } from "../common/labels.js";
import { element, setStatus } from "../common/session.js";

const byId = (id) => document.getElementById(id);
let page = 0;
let asked = 0;

function item(game) {
  const picture = `/web/small-board.svg?fen=${encodeURIComponent(game.lastFen)}&last=${game.lastMove}`;
  const moves = Math.ceil(game.plies / 2);
  return element("li", {}, element("a", { href: `/${game.id}/analysis` },
    element("img", { src: picture, alt: "", loading: "lazy" }),
    element("span", { className: "pair-names" }, pairText(game)),
    element("span", { className: "facts" }, gameSummary(game)),
    element("span", { className: "facts" }, `${resultText(game, null)} ${moves} move${moves === 1 ? "" : "s"}`)));
}

async function load() {
  const number = ++asked;
  const query = new URLSearchParams([...new FormData(byId("filters"))].filter(([, value]) => value));
  query.set("page", page);
  const { games, more } = await get(`/web/finished?${query}`);
  if (number !== asked) return;
  if (page === 0) byId("finished").replaceChildren();
  byId("finished").append(...games.map(item));
  byId("more").hidden = !more;
  const none = byId("finished").children.length === 0;
  setStatus(byId("no-finished"), none ? "No finished game fits." : "");
}

/** "The player won" needs a player. */
function tidyFilters() {
  const { player, result } = byId("filters").elements;
  for (const option of result.options) {
    if (option.value === "win" || option.value === "loss") option.disabled = !player.value;
  }
  if (result.selectedOptions[0].disabled) result.value = "";
}

/** Fill the filters and show the newest games. */
export async function showFinished({ people, opponents, variants }) {
  const { player, variant } = byId("filters").elements;
  player.append(...[...people, ...opponents].map(({ id, name }) => element("option", { value: id }, name)));
  variant.append(...variants.map(({ key, name }) => element("option", { value: key }, name)));
  byId("filters").addEventListener("change", () => {
    page = 0;
    tidyFilters();
    load();
  });
  byId("more").addEventListener("click", () => {
    page += 1;
    load();
  });
  tidyFilters();
  await load();
}
