// Files of the board, and piece letters as in a FEN: capital for White.

import { preferences } from "./preferences.js";

export const FILES = "abcdefgh";

export const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** The side of a piece letter. */
export function colorOf(letter) {
  return letter === letter.toUpperCase() ? "white" : "black";
}

/** The picture of a piece letter, of the set that the reader has chosen. */
export function pieceUrl(letter) {
  return `/board/pieces/${preferences.pieces}/${colorOf(letter)[0]}${letter.toUpperCase()}.svg`;
}
