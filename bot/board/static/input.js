// Hands on the board. Pressing selects, dragging carries a piece, the right button draws. By keyboard, arrows walk over
// the squares, Enter or Space chooses, Escape gives up.

import { element } from "./dom.js";
import { FILES } from "./pieces.js";
import { colorBy } from "./shapes.js";

const DRAG_FROM_PX = 5;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Pointer {
  constructor(board) {
    this.board = board;
    this.drag = null;
    this.stroke = null; // an arrow or circle that is being drawn
    board.root.addEventListener("contextmenu", (event) => event.preventDefault());
    board.root.addEventListener("mousedown", (event) => this.keepFocus(event));
    board.root.addEventListener("pointerdown", (event) => this.press(event));
    addEventListener("pointermove", (event) => this.move(event));
    addEventListener("pointerup", (event) => this.release(event));
    addEventListener("pointercancel", () => this.cancel());
  }

  /** The mouse leaves the keyboard's focus alone, so that the arrow keys go on stepping through the game. */
  keepFocus(event) {
    event.preventDefault();
    document.activeElement?.closest("input, textarea, button")?.blur();
  }

  press(event) {
    const { board } = this;
    const name = event.target.closest(".square")?.dataset.square;
    if (!name) return;
    if (event.button === 2 || (event.button === 0 && board.drawing)) {
      this.cancel();
      if (board.premove) board.plan(null);
      else this.stroke = { from: name, to: name, color: colorBy(event) };
      return;
    }
    if (event.button !== 0) return;
    board.shapes.clear();
    if (!board.movable && !board.plannable) return;
    const again = board.selected === name;
    if (!board.isMine(name) || board.targetsOf(board.selected).includes(name)) {
      board.choose(name);
      return;
    }
    board.select(name);
    this.drag = { name, again, x: event.clientX, y: event.clientY, picture: null, over: null };
  }

  move(event) {
    const { drag, stroke } = this;
    if (stroke) {
      stroke.to = this.squareAt(event)?.dataset.square || stroke.from;
      this.board.shapes.render(stroke);
    }
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
    const button = this.board.squares[drag.name];
    const source = button.querySelector("img")?.src;
    if (!source) {
      this.cancel(); // the piece was taken while it was held
      return;
    }
    const picture = element("img", { src: source, alt: "", className: "carried" });
    picture.style.setProperty("--size", button.getBoundingClientRect().width);
    document.body.append(picture);
    button.classList.add("dragging");
    drag.picture = picture;
  }

  squareAt(event) {
    return document.elementsFromPoint(event.clientX, event.clientY).find((found) => found.matches(".square") && this.board.root.contains(found)) || null;
  }

  release(event) {
    const { board, drag, stroke } = this;
    this.stroke = null;
    if (stroke) board.shapes.toggle({ ...stroke, to: this.squareAt(event)?.dataset.square || stroke.from });
    if (!drag) return;
    const target = this.squareAt(event)?.dataset.square;
    const dragged = Boolean(drag.picture);
    this.cancel();
    if (!dragged) {
      if (drag.again) board.select(null);
    } else if (target && target !== drag.name) {
      board.dropped = true;
      if (!board.tryMove(drag.name, target)) {
        board.dropped = false;
        board.select(null);
        board.refuse(target);
      }
    }
  }

  cancel() {
    this.stroke = null;
    this.drag?.picture?.remove();
    this.drag?.over?.classList.remove("over");
    if (this.drag) this.board.squares[this.drag.name].classList.remove("dragging");
    this.drag = null;
  }
}

/** Let the keys act on the square that has the focus. */
export function listenForKeys(board) {
  board.root.addEventListener("keydown", (event) => {
    const name = event.target.closest(".square")?.dataset.square;
    if (!name || event.ctrlKey || event.altKey || event.metaKey) return;
    if (STEPS[event.key]) walk(board, name, STEPS[event.key]);
    else if (event.key === "Enter" || event.key === " ") board.choose(name);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    board.pointer.cancel();
    board.shapes.clear();
    board.select(null);
    board.plan(null);
  });
}

function walk(board, name, [files, ranks]) {
  const side = board.orientation === "white" ? 1 : -1;
  const next = board.squares[`${FILES[FILES.indexOf(name[0]) + side * files]}${Number(name[1]) + side * ranks}`];
  if (!next) return;
  board.focusable(next.dataset.square);
  next.focus();
}

/** Let a button switch between moving and drawing, for fingers and keys; Escape goes back to moving. */
export function setUpDrawing(board, button) {
  const turn = (on) => {
    board.setDrawing(on);
    button.setAttribute("aria-pressed", on);
  };
  button.addEventListener("click", () => turn(!board.drawing));
  addEventListener("keydown", (event) => event.key === "Escape" && board.drawing && turn(false));
}
