// The choice of a piece when a pawn promotes.

import { pieceUrl } from "./pieces.js";
import { element } from "./dom.js";

const ORDER = "qnrbk";
const NAMES = { q: "Queen", n: "Knight", r: "Rook", b: "Bishop", k: "King" };

/** Ask which of the moves (UCI with the piece at the end) is meant; null when the choice is given up. */
export function choosePiece(board, square, moves) {
  const white = square[1] === "8";
  const sorted = [...moves].sort((one, other) => ORDER.indexOf(one.at(-1)) - ORDER.indexOf(other.at(-1)));
  return new Promise((resolve) => {
    const before = document.activeElement;
    const list = element("div");
    const overlay = element("div", { className: "promotion", role: "dialog", ariaLabel: "Promote to" }, list);
    const done = (uci) => {
      overlay.remove();
      removeEventListener("keydown", onKey);
      if (before?.dataset?.square) board.squares[square].focus(); // played by keyboard
      resolve(uci);
    };
    const onKey = (event) => event.key === "Escape" && done(null); // wherever the focus is
    addEventListener("keydown", onKey);
    for (const uci of sorted) {
      const letter = uci.at(-1);
      const url = pieceUrl(white ? letter.toUpperCase() : letter);
      const button = element("button", { type: "button", ariaLabel: NAMES[letter] }, element("img", { src: url, alt: "" }));
      button.addEventListener("click", (event) => {
        event.stopPropagation();
        done(uci);
      });
      list.append(button);
    }
    const file = "abcdefgh".indexOf(square[0]);
    list.style.left = `${(board.orientation === "white" ? file : 7 - file) * 12.5}%`;
    list.style[white === (board.orientation === "white") ? "top" : "bottom"] = "0";
    overlay.addEventListener("pointerdown", (event) => event.stopPropagation());
    overlay.addEventListener("click", () => done(null));
    board.root.append(overlay);
    list.firstChild.focus();
  });
}
