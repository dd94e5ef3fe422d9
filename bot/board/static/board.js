// The board: 64 buttons over a picture, pieces as pictures. Moves by dragging, by two clicks, or by keyboard; while the
// opponent thinks, the same gestures plan a move ahead.

import { FILES, NAMES, colorOf, pieceUrl } from "./pieces.js";
import { element } from "./dom.js";
import { slidePieces } from "./animation.js";
import { Pointer, listenForKeys } from "./input.js";
import { choosePiece } from "./promotion.js";
import { Shapes } from "./shapes.js";

/** A letter or number at the rim: drawn by the style sheet, for the square's own name says it already. */
function coordinate(kind, text) {
  const mark = element("span", { className: `coordinate ${kind}`, ariaHidden: "true" });
  mark.dataset.text = text;
  return mark;
}

export class Board {
  /** `onMove(uci)`: a legal move was made; `onRefused()`: a piece was put where it may not go;
   *  `onPremove(squares)`: a move was planned ahead (two squares), or given up (null). Without `onMove` the board only
   *  shows; with `still` it does not let the reader draw either. */
  constructor(root, { onMove = null, onRefused, onPremove = () => {}, still = false } = {}) {
    this.root = root;
    Object.assign(this, { onMove, onRefused, onPremove });
    this.orientation = "white";
    this.position = null;
    this.movable = null; // the colour that may be moved here, or null
    this.plannable = null; // the colour that may plan a move ahead, or null
    this.selected = null; // a square, or "P@" for a piece from the pocket
    this.premove = null; // the two squares of the move that is planned
    this.squares = {};
    for (let rank = 8; rank >= 1; rank--) for (const file of FILES) this.addSquare(file, rank);
    this.drawing = false; // whether choosing squares draws instead of moving
    this.shapes = new Shapes(this);
    if (!still) this.pointer = new Pointer(this);
    if (onMove) listenForKeys(this);
    addEventListener("preferences", () => this.position && this.repaint());
    this.turnTo("white");
  }

  addSquare(file, rank) {
    const name = `${file}${rank}`;
    const dark = (FILES.indexOf(file) + rank) % 2 === 1;
    const button = element(this.onMove ? "button" : "span", { className: `square ${dark ? "dark" : "light"}` });
    button.dataset.square = name;
    if (this.onMove) {
      Object.assign(button, { type: "button", tabIndex: -1 });
      button.addEventListener("click", (event) => event.detail === 0 && this.choose(name));
    }
    this.squares[name] = button;
    this.root.append(button);
  }

  /** Show the board from this side. */
  turnTo(color) {
    this.orientation = color;
    const white = color === "white";
    for (const [name, button] of Object.entries(this.squares)) {
      const file = FILES.indexOf(name[0]);
      const rank = Number(name[1]);
      const column = white ? file + 1 : 8 - file;
      const row = white ? 9 - rank : rank;
      button.style.gridColumn = column;
      button.style.gridRow = row;
      button.querySelectorAll(".coordinate").forEach((old) => old.remove());
      if (row === 8) button.append(coordinate("file", name[0]));
      if (column === 1) button.append(coordinate("rank", name[1]));
    }
    this.shapes.render();
    if (this.onMove) this.focusable(white ? "e2" : "e7");
  }

  /** Let squares draw arrows and circles (for fingers and keys), or move pieces again. */
  setDrawing(on) {
    this.drawing = on;
    this.select(null);
    this.root.classList.toggle("drawing", on);
  }

  focusable(name) {
    for (const button of Object.values(this.squares)) button.tabIndex = -1;
    this.squares[name].tabIndex = 0;
  }

  /** Show a position; `movable`: the colour whose pieces may be moved now, `plannable`: the one that may plan ahead. */
  show(position, movable, plannable = null) {
    const before = this.position;
    const same = before && before.fen === position.fen && this.movable === movable && this.plannable === plannable;
    this.position = position;
    this.movable = movable;
    this.plannable = plannable;
    if (!same) this.select(null); // a piece that is being chosen stays chosen when only the clocks have changed
    this.repaint();
    if (before && before.fen !== position.fen) this.shapes.clear();
    if (before && before.fen !== position.fen && !this.dropped) slidePieces(this.squares, before, position);
    this.dropped = false;
  }

  repaint() {
    for (const [name, button] of Object.entries(this.squares)) this.paint(name, button);
  }

  paint(name, button) {
    const { pieces, last, check } = this.position;
    const letter = pieces[name];
    const picture = button.querySelector("img");
    if (!letter) picture?.remove();
    else if (!picture) button.prepend(element("img", { src: pieceUrl(letter), alt: "", draggable: false }));
    else if (!picture.src.endsWith(pieceUrl(letter))) picture.src = pieceUrl(letter);
    const planned = this.premove?.includes(name);
    button.classList.toggle("last", last.includes(name));
    button.classList.toggle("check", check === name);
    button.classList.toggle("mine", this.isMine(name));
    button.classList.toggle("planned", Boolean(planned));
    if (!this.onMove) return; // a board that only shows is described as a whole
    const piece = letter ? `${name}, ${colorOf(letter)} ${NAMES[letter.toLowerCase()]}` : name;
    button.ariaLabel = planned ? `${piece}, planned move` : piece;
  }

  isMine(name) {
    const letter = this.position?.pieces[name];
    return Boolean(letter) && colorOf(letter) === (this.movable || this.plannable);
  }

  /** The squares that a piece may go to now, or plan to go to. */
  targetsOf(name) {
    if (!name) return [];
    return this.movable ? Object.keys(this.position.targets[name] || {}) : this.position.premoves[name] || [];
  }

  /** Mark a square (or a piece of the pocket, "N@") and where it may go; null for none. */
  select(name) {
    this.selected = name;
    const targets = new Set(this.position && (this.movable || this.plannable) ? this.targetsOf(name) : []);
    for (const [square, button] of Object.entries(this.squares)) {
      button.classList.toggle("selected", square === name);
      button.classList.toggle("target", targets.has(square));
      button.classList.toggle("ahead", targets.has(square) && !this.movable);
      button.classList.toggle("taken", targets.has(square) && Boolean(this.position.pieces[square]));
    }
    this.root.dispatchEvent(new CustomEvent("select", { detail: name }));
  }

  /** A square was clicked, or chosen with the keyboard. */
  choose(name) {
    if (this.drawing) {
      this.shapes.pick(name);
      return;
    }
    if (!this.movable && !this.plannable) return;
    if (this.selected && this.selected !== name && this.tryMove(this.selected, name)) return;
    if (this.isMine(name) && this.selected !== name) {
      this.select(name);
      return;
    }
    const refused = this.selected && this.selected !== name;
    this.select(null);
    if (refused) this.refuse(name);
    this.plan(null);
  }

  /** Make a move, or plan it; whether it could be. */
  tryMove(from, to) {
    if (!this.targetsOf(from).includes(to)) return false;
    if (!this.movable) {
      this.select(null);
      this.plan([from, to]);
      return true;
    }
    const moves = this.position.targets[from][to];
    if (moves.length === 1) this.play(moves[0]);
    else choosePiece(this, to, moves).then((uci) => (uci ? this.play(uci) : this.select(null)));
    return true;
  }

  play(uci) {
    this.select(null);
    this.onMove(uci);
  }

  /** Plan a move ahead: two squares, or null to give the plan up. */
  plan(squares) {
    if (!this.premove && !squares) return;
    this.premove = squares;
    if (this.position) this.repaint();
    this.onPremove(squares);
  }

  /** The planned move in UCI where it is legal in this position, a pawn becoming a queen; the plan is used up. */
  takePremove(position) {
    if (!this.premove) return null;
    const [from, to] = this.premove;
    this.premove = null;
    const moves = position.targets[from]?.[to] || [];
    return moves.find((uci) => uci.endsWith("q")) || moves[0] || null;
  }

  refuse(name) {
    const button = this.squares[name];
    button.classList.remove("refused");
    button.getBoundingClientRect(); // restarts the animation
    button.classList.add("refused");
    button.addEventListener("animationend", () => button.classList.remove("refused"), { once: true });
    this.onRefused();
  }
}
