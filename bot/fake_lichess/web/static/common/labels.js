// Names, games and results as people read them.

import { controlText } from "./challenge.js";

const ENDS = {
  mate: "Checkmate",
  resign: "Resignation",
  stalemate: "Stalemate",
  timeout: "The opponent left",
  draw: "Draw",
  outoftime: "Out of time",
  aborted: "Aborted",
  noStart: "Not started",
  variantEnd: "Variant goal reached",
  insufficientMaterialClaim: "Draw by insufficient material",
};

/** Why a game ended, in a word. */
export function endText({ status }) {
  return ENDS[status] || status;
}

/** How a game ended; `player` is the colour of whoever reads it, or null. */
export function resultText({ status, winner }, player) {
  const how = endText({ status });
  if (status === "aborted" || status === "noStart") return "The game was aborted.";
  if (!winner) return status === "draw" ? "½–½ · Draw." : `½–½ · ${how}.`;
  const score = winner === "white" ? "1–0" : "0–1";
  const who = player ? (winner === player ? "you win" : "you lose") : `${winner} wins`;
  return `${score} · ${how}: ${who}.`;
}

/** A player of a game stream or of an export as name, title, rating (with a question mark while it is provisional). */
export function playerLabel(player) {
  if (player.aiLevel) return { name: `Computer level ${player.aiLevel}` };
  const user = player.user || player;
  return { name: user.name || "Anonymous", title: user.title, id: user.id, rating: player.rating && `${player.rating}${player.provisional ? "?" : ""}` };
}

/** A game in one line: time control, variant, rated or casual. `variant` with key and name; clock in seconds. */
export function gameSummary({ clock, daysPerTurn, variant, rated }) {
  return `${controlText(clock?.initial, clock?.increment, daysPerTurn)} · ${variant.name} · ${rated ? "rated" : "casual"}`;
}

/** Who plays whom, in one line. */
export function pairText({ players }) {
  const [white, black] = [players.white, players.black].map((player) => {
    const { name, title } = playerLabel(player);
    return `${title ? `${title} ` : ""}${name}`;
  });
  return `${white} – ${black}`;
}
