// The two rows beside the board: name, pieces taken, pieces in hand, clock.

import { playerLabel } from "../common/labels.js";
import { NAMES, pieceUrl } from "../common/pieces.js";
import { element } from "../common/session.js";

const byId = (id) => document.getElementById(id);

/** The rows by colour, as the board is turned now. */
export function rows(board) {
  const below = board.orientation;
  return { [below]: byId("bottom"), [below === "white" ? "black" : "white"]: byId("top") };
}

/** Write a player's name into a row. */
export function showName(row, player) {
  const { name, title, rating } = playerLabel(player);
  row.querySelector(".name").replaceChildren(
    ...(title ? [element("span", { className: "title" }, title)] : []), name,
    ...(rating ? [" ", element("small", {}, `(${rating})`)] : []));
}

/** What the side has taken, and by how much it is ahead. */
export function showTaken(row, color, material) {
  const place = row.querySelector(".captured");
  const letters = material ? [...material[color]] : [];
  const lead = material ? material.lead * (color === "white" ? 1 : -1) : 0;
  const pictures = letters.map((letter, index) => {
    const enemy = color === "white" ? letter : letter.toUpperCase();
    return element("img", { src: pieceUrl(enemy), alt: "", className: letter === letters[index - 1] ? "same" : "" });
  });
  const words = Object.entries(NAMES).map(([letter, name]) => [letters.filter((one) => one === letter).length, name]).filter(([count]) => count);
  place.replaceChildren(...pictures, ...(lead > 0 ? [element("b", {}, `+${lead}`)] : []));
  place.role = "img";
  place.ariaLabel = words.length ? `taken: ${words.map(([count, name]) => `${count} ${name}${count > 1 ? "s" : ""}`).join(", ")}${lead > 0 ? `; ahead by ${lead}` : ""}` : "nothing taken";
}

/** The pieces in hand of crazyhouse, and the checks left of three-check. */
export function showPocket(row, color, board) {
  const checks = board.position?.checksLeft;
  const pocket = board.position?.pockets?.[color] || {};
  const pieces = Object.entries(pocket).filter(([, count]) => count > 0).map(([letter, count]) => {
    const picture = element("img", { src: pieceUrl(color === "white" ? letter : letter.toLowerCase()), alt: "" });
    const made = element("button", { type: "button", ariaLabel: `${letter} in hand: ${count}` }, picture, element("b", {}, String(count)));
    const mine = (board.movable || board.plannable) === color;
    made.setAttribute("aria-pressed", board.selected === `${letter}@` && mine);
    made.addEventListener("click", () => mine && board.select(`${letter}@`));
    return made;
  });
  row.querySelector(".pocket").replaceChildren(...pieces, ...(checks ? [element("small", { className: "faint" }, `${checks[color]} checks to go`)] : []));
}
