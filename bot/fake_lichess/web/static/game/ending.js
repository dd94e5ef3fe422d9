// The end of a game, in one place: result, reason, ratings, opening, and what may follow.

import { get } from "../common/api.js";
import { byId, element, whenReleased } from "/board/dom.js";
import { endText, playerLabel } from "../common/labels.js";

function headline({ status, winner }, player) {
  if (status === "aborted" || status === "noStart") return "Game aborted";
  if (!winner) return "Draw";
  if (player) return winner === player ? "You win" : "You lose";
  return winner === "white" ? "White wins" : "Black wins";
}

/** The rating of a player before and after a rated game. */
function ratingLine(player) {
  const { rating, ratingDiff } = player;
  if (rating === undefined || ratingDiff === undefined) return null;
  const change = `${ratingDiff < 0 ? "−" : "+"}${Math.abs(ratingDiff)}`;
  return element("p", { className: "rating" }, `${playerLabel(player).name}: ${rating} → ${rating + ratingDiff} `,
    element("b", { className: ratingDiff < 0 ? "down" : "up" }, `(${change})`));
}

/** Show how a game ended; `color`: that of the reader, or null. */
export async function showEnding(id, state, color, opening) {
  const { players } = await get(`/web/facts/${id}`).catch(() => ({ players: {} }));
  await whenReleased();
  const card = byId("ending");
  const lines = Object.values(players).map(ratingLine).filter(Boolean);
  card.replaceChildren(
    element("h2", {}, headline(state, color)),
    element("p", { className: "reason" }, endText(state)),
    ...lines,
    ...(opening ? [element("p", { className: "faint" }, `${opening.eco} ${opening.name}`)] : []),
    byId("actions"));
  card.hidden = false;
}

/** The server does not know the game any more: say so, stop everything, lead to the lobby. */
export function showGone() {
  document.body.classList.add("gone");
  for (const button of document.querySelectorAll("main button, #text")) button.disabled = true;
  const card = byId("ending");
  card.replaceChildren(element("h2", {}, "This game no longer exists"),
    element("p", {}, "The server has forgotten it."),
    element("a", { className: "button primary", href: "/" }, "To the lobby"));
  card.hidden = false;
  byId("actions").replaceChildren();
  byId("offers").replaceChildren();
}
