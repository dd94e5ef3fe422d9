// A game between others, from the spectators' stream: positions and last moves become the same values that players get.

import { stream } from "../common/api.js";

function millis(seconds) {
  return seconds * 1000;
}

/** Follow a game: calls `onGame(head)` and `onState(state)` until its end. `facts` has the clocks as they are now. */
export async function watch(id, { wtime, btime }, onGame, onState) {
  let moves = [];
  let head = null;
  let first = true;
  let shown = "";
  for await (const line of stream("GET", `/api/stream/game/${id}`)) {
    if (!line) continue;
    if (line.id) {
      head = line;
      if (first) onGame(head);
      first = false;
      if (head.status.name !== "started") onState({ wtime, btime, ...stateOf(head, moves, {}) });
    } else {
      // The same position again is news of the clocks only.
      if (line.fen !== shown) moves = line.lm ? [...moves, line.lm] : [];
      shown = line.fen;
      // Positions of the past come at once: draw only the one that the head names and every later one.
      if (moves.length >= head.turns) onState({ wtime, btime, ...stateOf(head, moves, line) });
    }
  }
}

function stateOf(head, moves, { wc, bc }) {
  const clocks = wc === undefined ? {} : { wtime: millis(wc), btime: millis(bc) };
  return { moves, status: head.status.name, winner: head.winner, ...clocks };
}
