// The pieces that a side has taken.

import { element } from "./dom.js";
import { NAMES, pieceUrl } from "./pieces.js";

/** Show in a place what a side has taken, and by how many pawns it is ahead. */
export function showTaken(place, color, material) {
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
