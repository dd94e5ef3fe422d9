// The engine beside the board: a bar, the best lines, and arrows for their first moves.

import { ApiError, evaluation } from "../common/api.js";
import { byId, element } from "/board/dom.js";
import { scoreText, whiteChances } from "./scores.js";

const THINK_MS = [300, 500, 800, 1200, 1600, 2000]; // one search after the other, each deeper
const LINES = 3;

export class EnginePanel {
  /** `onScore(moves, score)`: a position was evaluated. */
  constructor(board, onScore = () => {}) {
    this.board = board;
    this.onScore = onScore;
    this.on = false;
    this.asked = 0;
    this.answered = false; // the first answer may take long: an engine may have to compile itself
    byId("engine").addEventListener("click", () => this.turn(!this.on));
  }

  /** Let the reader switch it on; `on`: it is from the start. */
  offer(on) {
    byId("engine-card").hidden = false;
    this.turn(on);
  }

  turn(on) {
    this.on = on;
    byId("engine").setAttribute("aria-pressed", on);
    if (!on) this.clear("");
    else if (this.fields) this.look(this.fields);
  }

  clear(text) {
    byId("lines-of-play").replaceChildren();
    byId("score").textContent = text;
    byId("eval-bar").hidden = true;
    this.board.shapes.showBest([]);
  }

  /** Evaluate this position, unless another one is looked at before the answer comes. */
  async look(fields) {
    this.fields = fields;
    const number = ++this.asked;
    if (!this.on) return;
    this.board.shapes.showBest([]);
    byId("score").textContent = this.answered ? "…" : "The engine is starting…";
    try {
      for (const millis of THINK_MS) {
        const found = await evaluation(fields.gameId, fields.variant, fields.initialFen, fields.moves, millis, LINES);
        if (number !== this.asked || !this.on) return;
        this.answered = true;
        this.show(found, millis < THINK_MS.at(-1) && found.depth > 0);
        this.onScore(fields.moves, found.score);
        if (!found.depth) return; // the game is over here
      }
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof TypeError)) throw error;
      if (number === this.asked) this.clear(error.message);
    }
  }

  /** `thinking`: a deeper search follows. */
  show({ score, depth, lines }, thinking) {
    const bar = byId("eval-bar");
    bar.hidden = false;
    const chances = whiteChances(score);
    bar.style.setProperty("--white", `${chances}%`);
    bar.classList.toggle("turned", this.board.orientation === "black");
    bar.setAttribute("aria-valuenow", Math.round(chances));
    bar.setAttribute("aria-valuetext", scoreText(score));
    byId("score").textContent = `${scoreText(score)}${depth ? ` · depth ${depth}` : ""}${thinking ? ", deeper…" : ""}`;
    byId("lines-of-play").replaceChildren(...lines.map((line) => element("li", {}, element("b", {}, scoreText(line.score)), ` ${line.text}`)));
    this.board.shapes.showBest(lines.slice(0, 1).flatMap((line) => line.moves));
  }
}
