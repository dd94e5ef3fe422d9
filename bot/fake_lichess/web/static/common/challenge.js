// Challenging: the form's fields, the challenge on its way, the answer.

import { post, stream } from "./api.js";
import { declineReason } from "./events.js";

/** Send a challenge and follow it: calls `onStatus(text)`; gives the game's id, or throws with the reason.
 *  Aborting `signal` cancels the challenge and throws an AbortError. */
export async function challenge(opponent, fields, onStatus, signal) {
  if (opponent.kind === "computer") return (await post("/api/challenge/ai", { ...fields, level: opponent.level })).id;
  let id = null;
  const cancel = () => id && post(`/api/challenge/${id}/cancel`).catch(() => {});
  signal.addEventListener("abort", cancel);
  const path = `/api/challenge/${encodeURIComponent(opponent.id)}`;
  for await (const line of stream("POST", path, { ...fields, keepAliveStream: "true" })) {
    if (!line) continue;
    if (line.id) {
      id = line.id;
      if (signal.aborted) cancel();
      onStatus(`Waiting for ${opponent.name}…`);
    } else if (line.done === "accepted") {
      return id;
    } else if (line.done === "declined") {
      const reason = await declineReason(id);
      throw new Error(`${opponent.name} declines${reason ? `: ${reason}` : "."}`);
    } else if (line.done && signal.aborted) {
      throw new DOMException("The challenge was cancelled.", "AbortError");
    } else if (line.done) {
      throw new Error("The challenge was withdrawn.");
    }
  }
  throw new Error("The connection broke before the challenge was answered.");
}

/** The form for the same game again, with colours changed. */
export function rematchFields(game) {
  const fields = {
    variant: game.variant.key,
    rated: String(game.rated),
    color: game.color === "white" ? "black" : "white",
  };
  if (game.clock) {
    fields["clock.limit"] = game.clock.initial / 1000;
    fields["clock.increment"] = game.clock.increment / 1000;
  } else if (game.daysPerTurn) {
    fields.days = game.daysPerTurn;
  }
  if (game.variant.key === "fromPosition") fields.fen = game.initialFen;
  return fields;
}

/** A time control in words, from a challenge or a list of games (seconds). */
export function controlText(limit, increment, days) {
  if (limit !== undefined && limit !== null) {
    const minutes = limit / 60;
    const text = minutes === 0.25 ? "¼" : minutes === 0.5 ? "½" : minutes === 0.75 ? "¾" : String(+minutes.toFixed(2));
    return `${text}+${increment}`;
  }
  return days ? `${days} day${days === 1 ? "" : "s"} a move` : "unlimited";
}

const LEVEL = "level";

/** Remember the level at which the opponent of the next game should play; "" for its own. */
export function wishLevel(level) {
  sessionStorage.setItem(LEVEL, level);
}

/** The level wished for the game that has just begun, once; "" for none. */
export function takeLevel() {
  const level = sessionStorage.getItem(LEVEL) || "";
  sessionStorage.removeItem(LEVEL);
  return level;
}
