// Pieces slide from where they were to where they are: any two positions, forwards and backwards.

import { preferences } from "./preferences.js";

const SLIDE_MS = 140;
const MOST_PIECES = 4; // a jump through the game shows no hundred slides

function distance(one, other) {
  const files = one.charCodeAt(0) - other.charCodeAt(0);
  const ranks = Number(one[1]) - Number(other[1]);
  return files * files + ranks * ranks;
}

/** Where each piece that is new on its square has come from, as far as one of its kind has left another square. */
function movedPieces(before, after) {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);
  const left = changed.filter((name) => before[name]);
  const moves = [];
  for (const to of changed.filter((name) => after[name])) {
    const sources = left.filter((name) => before[name] === after[to]);
    sources.sort((one, other) => distance(one, to) - distance(other, to));
    if (!sources.length) continue;
    left.splice(left.indexOf(sources[0]), 1);
    moves.push([sources[0], to]);
  }
  return moves;
}

/** Slide the pictures that already stand on their new squares. */
export function slidePieces(squares, before, after) {
  if (!preferences.animation || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const moves = movedPieces(before.pieces, after.pieces);
  if (moves.length > MOST_PIECES) return;
  for (const [from, to] of moves) {
    const start = squares[from].getBoundingClientRect();
    const end = squares[to].getBoundingClientRect();
    const offset = `translate(${start.left - end.left}px, ${start.top - end.top}px)`;
    const timing = { duration: SLIDE_MS, easing: "ease-out" };
    squares[to].querySelector("img")?.animate([{ transform: offset }, { transform: "none" }], timing);
  }
}
