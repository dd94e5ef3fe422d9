// The games that are being played, with their positions.

import { getLines, pause, stream } from "../common/api.js";
import { gameSummary, pairText } from "../common/labels.js";
import { element } from "../common/session.js";

const RUNNING_EVERY_MS = 2000;
const byId = (id) => document.getElementById(id);
const gamePositions = new Map();

function gameItem(game, fen, me, names) {
  const mine = [game.players.white, game.players.black].some((player) => player.user?.id === me);
  const flipped = game.players.black.user?.id === me ? "&flipped" : "";
  const picture = `/web/small-board.svg?fen=${encodeURIComponent(fen.fen)}&last=${fen.lastMove}${flipped}`;
  return element("li", {}, element("a", { href: `/${game.id}` },
    element("img", { src: picture, alt: "" }),
    element("span", { className: "pair-names" }, pairText(game)),
    element("span", { className: "facts" }, gameSummary({ ...game, variant: { name: names.get(game.variant) } })),
    element("span", { className: "facts" }, mine ? "Your game: play on" : "Watch")));
}

/** A running game's position: the head of its spectators' stream, read again when a move has been made. */
async function currentPosition({ id, lastMoveAt }) {
  const known = gamePositions.get(id);
  if (known?.lastMoveAt === lastMoveAt) return known;
  for await (const line of stream("GET", `/api/stream/game/${id}`)) {
    if (!line) continue;
    gamePositions.set(id, { ...line, lastMoveAt });
    break;
  }
  return gamePositions.get(id) || { fen: "8/8/8/8/8/8/8/8", lastMove: "" };
}

async function showRunning(me, names) {
  const games = await getLines("/api/tv/best?nb=12");
  const positions = await Promise.all(games.map(currentPosition));
  byId("running").replaceChildren(...games.map((game, index) => gameItem(game, positions[index], me, names)));
  byId("no-games").hidden = games.length > 0;
}

/** Show the running games until the page is left; `names`: of the variants, by key. */
export async function keepShowing(me, names) {
  for (;;) {
    if (!document.hidden) await showRunning(me, names).catch(() => {});
    await pause(RUNNING_EVERY_MS);
  }
}
