// The two rows beside the board: name, pieces taken, pieces in hand, clock.

import { playerLabel } from "../common/labels.js";
import { showTaken } from "/board/captured.js";
import { byId, element } from "/board/dom.js";
import { pieceUrl } from "/board/pieces.js";

/** The rows by colour, as the board is turned now. */
export function rows(board) {
  const below = board.orientation;
  return { [below]: byId("bottom"), [below === "white" ? "black" : "white"]: byId("top") };
}

/** Show a player in a row: name, what the side has taken, what it holds in hand. */
export function showPlayer(row, player, color, board) {
  showName(row, player);
  showTaken(row.querySelector(".captured"), color, board.position?.material);
  showPocket(row, color, board);
}

function showName(row, player) {
  const { name, title, rating } = playerLabel(player);
  row.querySelector(".name").replaceChildren(
    ...(title ? [element("span", { className: "title" }, title)] : []), name,
    ...(rating ? [" ", element("small", {}, `(${rating})`)] : []));
}

/** The pieces in hand of crazyhouse, and the checks left of three-check. */
function showPocket(row, color, board) {
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
