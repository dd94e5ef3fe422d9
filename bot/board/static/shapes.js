// Arrows and circles over the board: the reader's own, and the engine's best move.

import { svgElement } from "./dom.js";
import { FILES } from "./pieces.js";

const HEAD = 0.34; // length of an arrow's head, in squares
const TAIL = 0.2; // an arrow begins a little off the centre

/** Colour by the keys that are held, as on other boards. */
export function colorBy({ shiftKey, ctrlKey, altKey }) {
  const second = shiftKey || ctrlKey;
  if (second && altKey) return "yellow";
  return second ? "red" : altKey ? "blue" : "green";
}

export class Shapes {
  constructor(board) {
    this.board = board;
    this.own = []; // {from, to, color}; a circle where both squares are the same
    this.best = [];
    this.begun = null; // the first square of an arrow that is drawn by keyboard
    this.svg = svgElement("svg", { viewBox: "0 0 8 8", class: "shapes", "aria-hidden": "true" });
    board.root.append(this.svg);
  }

  /** Draw a shape, or wipe the same one away. */
  toggle(shape) {
    const same = this.own.filter(({ from, to }) => from === shape.from && to === shape.to);
    this.own = this.own.filter((one) => !same.includes(one));
    if (same[0]?.color !== shape.color) this.own.push(shape);
    this.render();
  }

  /** A square was chosen by keyboard: the first begins an arrow, the second ends it. */
  pick(name) {
    if (this.begun) this.toggle({ from: this.begun, to: name, color: "green" });
    this.begun = this.begun ? null : name;
    this.render();
  }

  clear() {
    this.begun = null;
    this.own = [];
    this.render();
  }

  /** Show moves (UCI) as the engine's, the best first. */
  showBest(moves) {
    this.best = moves.filter((uci) => !uci.includes("@")).map((uci) => ({ from: uci.slice(0, 2), to: uci.slice(2, 4), color: "best" }));
    this.render();
  }

  render(preview = null) {
    const begun = this.begun ? [{ from: this.begun, to: this.begun, color: "green" }] : [];
    const all = [...this.best, ...this.own, ...begun, ...(preview ? [preview] : [])];
    this.svg.replaceChildren(...all.map((shape) => (shape.from === shape.to ? this.circle(shape) : this.arrow(shape))));
  }

  centre(name) {
    const file = FILES.indexOf(name[0]) + 0.5;
    const rank = Number(name[1]) - 0.5;
    return this.board.orientation === "white" ? [file, 8 - rank] : [8 - file, rank];
  }

  circle({ from, color }) {
    const [cx, cy] = this.centre(from);
    const made = svgElement("circle", { cx, cy, r: 0.45, class: `shape ${color}` });
    made.dataset.shape = from;
    return made;
  }

  arrow({ from, to, color }) {
    const [x1, y1] = this.centre(from);
    const [x2, y2] = this.centre(to);
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [nx, ny] = [-dy, dx]; // across
    const neck = [x2 - dx * HEAD, y2 - dy * HEAD];
    const points = [
      [x1 + dx * TAIL + nx * 0.07, y1 + dy * TAIL + ny * 0.07],
      [neck[0] + nx * 0.07, neck[1] + ny * 0.07],
      [neck[0] + nx * 0.2, neck[1] + ny * 0.2],
      [x2, y2],
      [neck[0] - nx * 0.2, neck[1] - ny * 0.2],
      [neck[0] - nx * 0.07, neck[1] - ny * 0.07],
      [x1 + dx * TAIL - nx * 0.07, y1 + dy * TAIL - ny * 0.07],
    ];
    const made = svgElement("polygon", { points: points.map((point) => point.map((one) => one.toFixed(3)).join(",")).join(" "), class: `shape ${color}` });
    made.dataset.shape = `${from}${to}`;
    return made;
  }
}
