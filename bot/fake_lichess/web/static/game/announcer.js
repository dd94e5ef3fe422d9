// Announces events of the game: to screen readers, by sounds, and in the line of messages.

import { byId } from "/board/dom.js";
import { play, playMove } from "../common/sounds.js";

/** Tell the difference between two states; `before` is null for the first one. Gives words for the player, or "". */
export function announce(game, before, state, present) {
  const moved = before !== null && state.moves.length > before.moves.length;
  const over = state.status !== "started";
  if (moved) playMove(present);
  if (over && before?.status === "started") play("end");
  const mover = present.turn === "white" ? "black" : "white";
  if (moved && mover !== game.color) {
    byId("spoken").textContent = `${mover === "white" ? "White" : "Black"}: ${present.spoken}.`;
  }
  return over || before === null ? "" : offersThatFaded(game, before, state);
}

function offersThatFaded(game, before, state) {
  const mine = game.color === "white" ? "w" : "b";
  const other = game.color === "white" ? "b" : "w";
  if (!game.color) return "";
  if (before[`${mine}draw`] && !state[`${mine}draw`]) return "Your draw offer was not taken. ";
  if (before[`${other}draw`] && !state[`${other}draw`]) return "The draw offer is gone. ";
  if (before[`${mine}takeback`] && !state[`${mine}takeback`] && state.moves.length >= before.moves.length) return "No takeback. ";
  return "";
}
