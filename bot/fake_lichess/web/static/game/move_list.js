// The list of moves, and stepping back through the game.

import { byId, element, keepInSight } from "/board/dom.js";

export class MoveList {
  /** `onPly(ply)`: show the position after so many plies; null: the current one. */
  constructor(onPly) {
    this.onPly = onPly;
    this.plies = 0;
    this.shownPly = null;
    this.staysInHistory = false; // whether new moves leave the reader where he is
    byId("first").addEventListener("click", () => this.showPly(0));
    byId("back").addEventListener("click", () => this.showPly(this.shown() - 1));
    byId("forth").addEventListener("click", () => this.showPly(this.shown() + 1));
    byId("last").addEventListener("click", () => this.showPly(null));
    addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.mark()).observe(byId("moves"));
  }

  /** The ply that is shown. */
  shown() {
    return this.shownPly ?? this.plies;
  }

  showPly(ply) {
    this.shownPly = ply === null || ply >= this.plies ? null : Math.max(0, ply);
    this.mark();
    this.onPly(this.shownPly);
  }

  key(event) {
    if (event.target.closest("input, select, textarea, .board") || event.ctrlKey || event.altKey || event.metaKey) return;
    const step = { ArrowLeft: this.shown() - 1, ArrowRight: this.shown() + 1, Home: 0, End: null }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.showPly(step);
  }

  /** Show these moves; `firstNumber`, `firstTurn`: of the game's first position. */
  show({ sans, firstNumber, firstTurn }, result) {
    if (sans.length < this.plies || (sans.length > this.plies && !this.staysInHistory)) this.shownPly = null;
    this.plies = sans.length;
    const items = [];
    const offset = firstTurn === "black" ? 1 : 0;
    if (offset && sans.length) items.push(this.number(firstNumber), element("li", { ariaHidden: "true" }, "…"));
    sans.forEach((san, index) => {
      const half = index + offset;
      if (half % 2 === 0) items.push(this.number(firstNumber + half / 2));
      const button = element("button", { type: "button" }, san);
      button.dataset.ply = index + 1;
      button.addEventListener("click", () => this.showPly(index + 1));
      items.push(element("li", {}, button));
    });
    if (result) items.push(element("li", { className: "result" }, result));
    byId("moves").replaceChildren(...items);
    this.mark();
  }

  number(value) {
    return element("li", { className: "number" }, `${value}.`);
  }

  mark() {
    const list = byId("moves");
    for (const button of list.querySelectorAll("button")) {
      const current = Number(button.dataset.ply) === this.shown();
      button.setAttribute("aria-current", current);
      if (current) keepInSight(list, button);
    }
    if (this.shownPly === null) list.scrollTop = list.scrollHeight;
  }
}
