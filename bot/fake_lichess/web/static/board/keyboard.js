// The board by keyboard: arrows walk over the squares, Enter or Space chooses, Escape gives up.

import { FILES } from "../common/pieces.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Let the keys act on the square that has the focus. */
export function listenForKeys(board) {
  board.root.addEventListener("keydown", (event) => {
    const name = event.target.closest(".square")?.dataset.square;
    if (!name || event.ctrlKey || event.altKey || event.metaKey) return;
    if (STEPS[event.key]) walk(board, name, STEPS[event.key]);
    else if (event.key === "Enter" || event.key === " ") board.choose(name);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    board.pointer.cancel();
    board.shapes.clear();
    board.select(null);
    board.plan(null);
  });
}

function walk(board, name, [files, ranks]) {
  const side = board.orientation === "white" ? 1 : -1;
  const next = board.squares[`${FILES[FILES.indexOf(name[0]) + side * files]}${Number(name[1]) + side * ranks}`];
  if (!next) return;
  board.focusable(next.dataset.square);
  next.focus();
}
