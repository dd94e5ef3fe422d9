// The running games, with their positions.

import { get, pause } from "../common/api.js";
import { gameSummary, pairText } from "../common/labels.js";
import { element } from "../common/session.js";

const RUNNING_EVERY_MS = 2000;
const byId = (id) => document.getElementById(id);

function gameItem(game, me) {
  const mine = [game.players.white, game.players.black].some((player) => player.user?.id === me);
  const flipped = game.players.black.user?.id === me ? "&flipped" : "";
  const picture = `/web/small-board.svg?fen=${encodeURIComponent(game.lastFen)}&last=${game.lastMove}${flipped}`;
  return element("li", {}, element("a", { href: `/${game.id}` },
    element("img", { src: picture, alt: "" }),
    element("span", { className: "pair-names" }, pairText(game)),
    element("span", { className: "facts" }, gameSummary(game)),
    element("span", { className: "facts" }, mine ? "Your game: play on" : "Watch")));
}

async function showRunning(me) {
  const games = await get("/web/running");
  byId("running").replaceChildren(...games.map((game) => gameItem(game, me)));
  byId("no-games").hidden = games.length > 0;
}

/** Show the running games until the user leaves the page. */
export async function keepShowing(me) {
  for (;;) {
    if (!document.hidden) await showRunning(me).catch(() => {});
    await pause(RUNNING_EVERY_MS);
  }
}
