// Scores of the engine, from White's view, as people read and draw them.

/** "+1.3", "−0.5", "#3" or "#−2"; the result where the game is over. */
export function scoreText({ cp, mate, winner }) {
  if (winner) return winner === "white" ? "1–0" : "0–1";
  if (mate !== undefined) return `#${String(mate).replace("-", "−")}`;
  const pawns = (Math.abs(cp) / 100).toFixed(1);
  return `${cp < -4 ? "−" : cp > 4 ? "+" : ""}${pawns}`;
}

/** White's chances from 0 to 100: the curve that Lichess publishes. */
export function whiteChances({ cp, mate, winner }) {
  if (winner) return winner === "white" ? 100 : 0;
  if (mate !== undefined) return mate > 0 ? 100 : 0;
  const bounded = Math.max(-1000, Math.min(1000, cp));
  return 100 / (1 + Math.exp(-0.00368208 * bounded));
}

const JUDGEMENTS = [
  { loss: 15, glyph: "??", name: "blunder" },
  { loss: 10, glyph: "?", name: "mistake" },
  { loss: 5, glyph: "?!", name: "inaccuracy" },
];

/** What a move cost of the mover's chances, from the scores before and after it; 0 for one that cost nothing. */
export function lossOf(before, after, mover) {
  const change = whiteChances(before) - whiteChances(after);
  return Math.max(0, mover === "white" ? change : -change);
}

/** How bad a move with this loss was; null for one that was not. */
export function judge(loss) {
  return JUDGEMENTS.find((one) => loss >= one.loss) || null;
}

/** The accuracy in percent of moves with these losses, by the formula that Lichess publishes for a move. */
export function accuracy(losses) {
  const each = losses.map((loss) => Math.max(0, Math.min(100, 103.1668 * Math.exp(-0.04354 * loss) - 3.1669)));
  return each.length ? each.reduce((sum, one) => sum + one, 0) / each.length : null;
}
