// The evaluation over the game: White's chances ply by ply, drawn as the answers come.

import { svgElement } from "/board/dom.js";

export class Chart {
  /** `onPly(ply)`: the reader points at a ply. */
  constructor(root, plies, onPly) {
    this.plies = Math.max(1, plies);
    this.chances = new Map();
    this.svg = svgElement("svg", { viewBox: `0 0 ${this.plies} 100`, preserveAspectRatio: "none", role: "img", "aria-label": "White's chances over the game" });
    this.area = svgElement("path", { class: "area" });
    this.cursor = svgElement("line", { y1: 0, y2: 100, class: "cursor" });
    this.svg.append(this.area, svgElement("line", { x1: 0, x2: this.plies, y1: 50, y2: 50, class: "middle" }), this.cursor);
    this.svg.addEventListener("click", (event) => {
      const { left, width } = this.svg.getBoundingClientRect();
      onPly(Math.round(((event.clientX - left) / width) * this.plies));
    });
    root.replaceChildren(this.svg);
  }

  /** A ply's score has come. */
  set(ply, chances) {
    this.chances.set(ply, chances);
    const points = [...this.chances].sort(([one], [other]) => one - other);
    const line = points.map(([at, value]) => `L${at} ${(100 - value).toFixed(1)}`).join("");
    this.area.setAttribute("d", `M${points[0][0]} 100${line}L${points.at(-1)[0]} 100Z`);
    this.svg.dataset.points = points.length;
  }

  /** Where the reader is. */
  mark(ply) {
    this.cursor.setAttribute("x1", ply);
    this.cursor.setAttribute("x2", ply);
  }
}
