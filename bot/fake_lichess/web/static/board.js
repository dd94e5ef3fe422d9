// The board: 64 buttons over a picture, pieces as pictures. Moves by dragging, by two clicks, or by keyboard.

import { NAMES, colorOf, pieceUrl } from "./pieces.js";
import { choosePiece } from "./promotion.js";
import { element } from "./session.js";

const FILES = "abcdefgh";
const DRAG_FROM_PX = 5;
const SLIDE_MS = 140;

export class Board {
  /** `onMove(uci)`: a legal move was made; `onRefused()`: a piece was put where it may not go. */
  constructor(root, onMove, onRefused) {
    this.root = root;
    this.onMove = onMove;
    this.onRefused = onRefused;
    this.orientation = "white";
    this.position = null;
    this.movable = null; // the colour that may be moved here, or null
    this.selected = null; // a square, or "P@" for a piece from the pocket
    this.drag = null;
    this.squares = {};
    for (let rank = 8; rank >= 1; rank--) for (const file of FILES) this.addSquare(file, rank);
    this.root.addEventListener("pointerdown", (event) => this.press(event));
    this.root.addEventListener("keydown", (event) => this.key(event));
    addEventListener("pointermove", (event) => this.move(event));
    addEventListener("pointerup", (event) => this.release(event));
    addEventListener("pointercancel", () => this.cancelDrag());
    this.turnTo("white");
  }

  addSquare(file, rank) {
    const name = `${file}${rank}`;
    const dark = (FILES.indexOf(file) + rank) % 2 === 1;
    const button = element("button", { type: "button", className: `square ${dark ? "dark" : "light"}`, tabIndex: -1 });
    button.dataset.square = name;
    button.addEventListener("click", (event) => event.detail === 0 && this.choose(name));
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
      if (row === 8) button.append(element("span", { className: "coordinate file", ariaHidden: "true" }, name[0]));
      if (column === 1) button.append(element("span", { className: "coordinate rank", ariaHidden: "true" }, name[1]));
    }
    this.focusable(white ? "e2" : "e7");
  }

  focusable(name) {
    for (const button of Object.values(this.squares)) button.tabIndex = -1;
    this.squares[name].tabIndex = 0;
  }

  /** Show a position; `movable`: the colour whose pieces may be moved now, or null. */
  show(position, movable) {
    const before = this.position;
    this.position = position;
    this.movable = movable;
    this.select(null);
    for (const [name, button] of Object.entries(this.squares)) this.paint(name, button);
    if (before && position.last.length === 2 && before.fen !== position.fen && !this.dropped) this.slide(position.last);
    this.dropped = false;
  }

  paint(name, button) {
    const { pieces, last, check } = this.position;
    const letter = pieces[name];
    const picture = button.querySelector("img");
    if (!letter) picture?.remove();
    else if (!picture) button.prepend(element("img", { src: pieceUrl(letter), alt: "", draggable: false }));
    else if (!picture.src.endsWith(pieceUrl(letter))) picture.src = pieceUrl(letter);
    button.classList.toggle("last", last.includes(name));
    button.classList.toggle("check", check === name);
    button.classList.toggle("mine", Boolean(letter) && colorOf(letter) === this.movable);
    button.ariaLabel = letter ? `${name}, ${colorOf(letter)} ${NAMES[letter.toLowerCase()]}` : name;
  }

  slide([from, to]) {
    const picture = this.squares[to].querySelector("img");
    if (!picture || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const start = this.squares[from].getBoundingClientRect();
    const end = this.squares[to].getBoundingClientRect();
    const offset = `translate(${start.left - end.left}px, ${start.top - end.top}px)`;
    picture.animate([{ transform: offset }, { transform: "none" }], { duration: SLIDE_MS, easing: "ease-out" });
  }

  isMine(name) {
    const letter = this.position?.pieces[name];
    return Boolean(letter) && colorOf(letter) === this.movable;
  }

  /** Mark a square (or a piece of the pocket, "N@") and where it may go; null for none. */
  select(name) {
    this.selected = name;
    const targets = (name && this.position.targets[name]) || {};
    for (const [square, button] of Object.entries(this.squares)) {
      button.classList.toggle("selected", square === name);
      button.classList.toggle("target", square in targets);
      button.classList.toggle("taken", square in targets && Boolean(this.position.pieces[square]));
    }
    this.root.dispatchEvent(new CustomEvent("select", { detail: name }));
  }

  /** A square was clicked, or chosen with the keyboard. */
  choose(name) {
    if (!this.movable) return;
    if (this.selected && this.selected !== name && this.tryMove(this.selected, name)) return;
    if (this.isMine(name) && this.selected !== name) this.select(name);
    else {
      const refused = this.selected && this.selected !== name;
      this.select(null);
      if (refused) this.refuse(name);
    }
  }

  tryMove(from, to) {
    const moves = this.position.targets[from]?.[to];
    if (!moves) return false;
    if (moves.length === 1) this.play(moves[0]);
    else choosePiece(this, to, moves).then((uci) => (uci ? this.play(uci) : this.select(null)));
    return true;
  }

  play(uci) {
    this.select(null);
    this.onMove(uci);
  }

  refuse(name) {
    const button = this.squares[name];
    button.classList.remove("refused");
    button.getBoundingClientRect(); // so that the animation starts anew
    button.classList.add("refused");
    button.addEventListener("animationend", () => button.classList.remove("refused"), { once: true });
    this.onRefused();
  }

  // ---- dragging

  press(event) {
    const name = event.target.closest(".square")?.dataset.square;
    if (!name || event.button !== 0 || !this.movable) return;
    const again = this.selected === name;
    if (!this.isMine(name) || this.position.targets[this.selected]?.[name]) {
      this.choose(name);
      return;
    }
    this.select(name);
    this.drag = { name, again, x: event.clientX, y: event.clientY, picture: null, over: null };
  }

  move(event) {
    const drag = this.drag;
    if (!drag) return;
    if (!drag.picture && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG_FROM_PX) this.lift(drag);
    if (!drag.picture) return;
    drag.picture.style.left = `${event.clientX}px`;
    drag.picture.style.top = `${event.clientY}px`;
    drag.over?.classList.remove("over");
    drag.over = this.squareAt(event);
    if (drag.over?.classList.contains("target")) drag.over.classList.add("over");
  }

  lift(drag) {
    const button = this.squares[drag.name];
    const picture = element("img", { src: button.querySelector("img").src, alt: "", className: "carried" });
    picture.style.setProperty("--size", button.getBoundingClientRect().width);
    document.body.append(picture);
    button.classList.add("dragging");
    drag.picture = picture;
  }

  squareAt(event) {
    return document.elementsFromPoint(event.clientX, event.clientY).find((found) => found.matches(".square")) || null;
  }

  release(event) {
    const drag = this.drag;
    if (!drag) return;
    const target = this.squareAt(event)?.dataset.square;
    const dragged = Boolean(drag.picture);
    this.cancelDrag();
    if (!dragged) {
      if (drag.again) this.select(null);
    } else if (target && target !== drag.name) {
      this.dropped = true;
      if (!this.tryMove(drag.name, target)) {
        this.dropped = false;
        this.select(null);
        this.refuse(target);
      }
    }
  }

  cancelDrag() {
    this.drag?.picture?.remove();
    this.drag?.over?.classList.remove("over");
    if (this.drag) this.squares[this.drag.name].classList.remove("dragging");
    this.drag = null;
  }

  // ---- keyboard

  key(event) {
    const name = event.target.closest(".square")?.dataset.square;
    if (!name) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (steps) {
      const side = this.orientation === "white" ? 1 : -1;
      const file = FILES[FILES.indexOf(name[0]) + side * steps[0]];
      const next = this.squares[`${file}${Number(name[1]) + side * steps[1]}`];
      if (next) {
        this.focusable(next.dataset.square);
        next.focus();
      }
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(name);
    } else if (event.key === "Escape") {
      this.select(null);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
