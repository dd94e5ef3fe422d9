// Taking the game along: FEN, PGN and link, to copy or to download.

import { byId } from "/board/dom.js";
import { setStatus } from "../common/session.js";

/** Copy a field's text; where the browser forbids that, it is at least selected. */
async function copy(field) {
  field.focus();
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    setStatus(byId("message"), "Copied.");
  } catch {
    const done = document.execCommand("copy");
    setStatus(byId("message"), done ? "Copied." : "Press Ctrl+C to copy what is selected.");
  }
}

/** The movetext of a tree, variations in brackets; `numberText(node, forced)` numbers the moves. */
function moveText(tree, numberText) {
  const words = [];
  const write = (from, first) => {
    let forced = first;
    for (let at = from; at; ) {
      const number = numberText(at, forced).replace("…", "...");
      words.push(...(number ? [number] : []), at.san);
      const others = at.parent.children[0] === at ? at.parent.children.slice(1) : [];
      for (const other of others) {
        const begin = words.length;
        write(other, true);
        words[begin] = `(${words[begin]}`;
        words[words.length - 1] += ")";
      }
      forced = others.length > 0;
      at = at.children[0];
    }
  };
  if (tree.root.children.length) write(tree.root.children[0], true);
  return words.join(" ");
}

export class Sharing {
  /** `pgn`: the game as the server exports it. */
  constructor(gameId, pgn) {
    this.gameId = gameId;
    this.pgn = pgn.trim();
    for (const name of ["fen", "pgn", "link"]) byId(`copy-${name}`).addEventListener("click", () => copy(byId(name)));
    byId("download").addEventListener("click", () => this.download());
  }

  /** The reader is at another position, or has changed the tree. */
  show(fen, tree, at, orientation, numberText) {
    byId("fen").value = fen;
    const side = orientation === "black" ? "?black" : "";
    let main = at;
    while (!main.main) main = main.parent;
    byId("link").value = `${location.origin}/${this.gameId}/analysis${side}#${main.ply}`;
    byId("pgn").value = tree.hasVariations() ? this.withVariations(tree, numberText) : this.pgn;
  }

  withVariations(tree, numberText) {
    const [head, moves = ""] = this.pgn.split("\n\n");
    const result = moves.trim().split(/\s+/).at(-1) || "*";
    return `${head}\n\n${moveText(tree, numberText)} ${result}`.trim();
  }

  download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${byId("pgn").value}\n`], { type: "application/x-chess-pgn" }));
    link.download = `${this.gameId}.pgn`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}
