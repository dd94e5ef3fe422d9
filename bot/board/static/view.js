// A board that only shows: <chess-board fen="…" last="e2 e4" check="e8" best="g1f3" side="black" material="{…}">, inside
// an element of class "seat" with a place of class "captured" for each colour and a button of class "flip".

import { Board } from "./board.js";
import { showTaken } from "./captured.js";
import { FILES } from "./pieces.js";
import { paint } from "./preferences.js";

/** The letters of a FEN's pieces by square. */
function piecesOf(fen) {
  const pieces = {};
  fen.split(/[ [_]/)[0].replaceAll("~", "").split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) file += Number(letter);
      else pieces[`${FILES[file++]}${8 - index}`] = letter;
    }
  });
  return pieces;
}

class ChessBoard extends HTMLElement {
  static observedAttributes = ["fen", "last", "check", "best", "side", "material", "data-flipped"];

  connectedCallback() {
    this.board ??= new Board(this, { still: this.closest("a") !== null });
    this.draw();
  }

  /** Several attributes change together: draw once they all have. */
  attributeChangedCallback() {
    if (!this.board || this.pending) return;
    this.pending = true;
    queueMicrotask(() => {
      this.pending = false;
      this.draw();
    });
  }

  draw() {
    const text = (name) => this.getAttribute(name) || "";
    const flipped = "flipped" in this.dataset;
    this.board.turnTo((text("side") === "black") === flipped ? "white" : "black");
    const last = text("last").split(" ");
    this.board.show({ fen: text("fen"), pieces: piecesOf(text("fen")), last, check: text("check"), targets: {} }, null);
    this.board.shapes.showBest(text("best").split(" ").filter(Boolean));
    const material = JSON.parse(text("material") || "null");
    for (const place of this.closest(".seat")?.querySelectorAll(".captured") ?? []) showTaken(place, place.dataset.color, material);
  }
}

addEventListener("click", (event) => {
  const board = event.target.closest?.(".flip")?.closest(".seat").querySelector("chess-board");
  board?.toggleAttribute("data-flipped");
});
paint();
customElements.define("chess-board", ChessBoard);
