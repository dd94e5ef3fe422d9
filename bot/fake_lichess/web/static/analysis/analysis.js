// Looking at a game afterwards: stepping, evaluations, own variations.

import { ApiError, evaluation, get, getText, position } from "../common/api.js";
import { Board } from "/board/board.js";
import { clockText } from "/board/clock_text.js";
import { setUpDrawing } from "/board/input.js";
import { gameSummary, pairText, resultText } from "../common/labels.js";
import { byId, element } from "/board/dom.js";
import { setStatus, setUpTheme, signIn } from "../common/session.js";
import { setUpSettings } from "../common/settings_dialog.js";
import { playMove } from "../common/sounds.js";
import { clocksAt } from "../game/past_clocks.js";
import { rows, showPlayer } from "../game/players.js";
import { Chart } from "./chart.js";
import { EnginePanel } from "./engine_panel.js";
import { accuracy, judge, lossOf, whiteChances } from "./scores.js";
import { Sharing } from "./sharing.js";
import { Tree } from "./tree.js";
import { TreeView } from "./tree_view.js";

const CHART_MS = 100;
const id = location.pathname.slice(1, 9);
const board = new Board(byId("board"), { onMove: (uci) => go(tree.play(current, uci)), onRefused: () => setStatus(byId("message"), "That move is not legal.", true) });
byId("board").addEventListener("select", () => game && board.position && showPlayers());
const engine = new EnginePanel(board, keepScore);
let game = null;
let tree = null;
let view = null;
let chart = null;
let sharing = null;
let current = null;
let shownPly = null;

function showPlayers() {
  for (const [color, row] of Object.entries(rows(board))) {
    showPlayer(row, game.players[color], color, board);
    row.querySelector(".clock").textContent = pastClock(color);
  }
}

/** The clock of a side when the position shown arose, in a game with clocks. */
function pastClock(color) {
  const left = clocksAt(game, current.ply, view.firstPly % 2 === 0 ? "white" : "black");
  return left ? clockText(left[color]) : "";
}

/** Show the position of a node. */
async function go(at) {
  const changed = !view.buttons.has(at) && at.parent;
  current = at;
  const moves = tree.path(at);
  const found = await position(game.variant.key, game.initialFen, moves);
  if (current !== at) return;
  at.san ||= found.sans.at(-1) || "";
  board.show(found, found.turn);
  if (at.ply === (shownPly ?? at.ply) + 1) playMove(found);
  shownPly = at.ply;
  if (changed) view.show(tree, at, resultText(game, null));
  else view.mark(at);
  chart.mark(Math.min(at.ply, tree.mainline.length - 1));
  if (at.main) history.replaceState(null, "", `#${at.ply}`);
  byId("remove").disabled = at.main;
  setStatus(byId("message"), at.san ? `${view.numberText(at, true)} ${at.san}${at.main ? "" : " (your variation)"}` : "Start of the game");
  sharing.show(found.fen, tree, at, board.orientation, (one, forced) => view.numberText(one, forced));
  byId("spoken").textContent = found.spoken;
  byId("opening").textContent = found.opening ? `${found.opening.eco} ${found.opening.name}` : "";
  showPlayers();
  engine.look({ gameId: id, variant: game.variant.key, initialFen: game.initialFen, moves });
}

function step(how) {
  const next = {
    first: tree.root,
    back: current.parent,
    forth: current.children[0],
    last: tree.end(current),
  }[how];
  if (next && next !== current) go(next);
}

function keepScore(moves, score) {
  const at = tree.find(moves);
  if (!at) return;
  at.score = score;
  if (at.main) chart.set(at.ply, whiteChances(score));
}

/** Evaluate the whole game once, ply by ply, and judge the moves. */
async function evaluateGame() {
  const moves = game.uci;
  showJudgements();
  for (let ply = 0; ply <= moves.length; ply++) {
    const at = tree.mainline[ply];
    const { score } = await evaluation(id, game.variant.key, game.initialFen, moves.slice(0, ply), CHART_MS, 1);
    at.score ||= score;
    chart.set(ply, whiteChances(at.score));
    if (ply === 0) continue;
    at.loss = lossOf(at.parent.score, at.score, moverOf(at));
    at.judgement = judge(at.loss);
    view.judge(at);
    showJudgements();
  }
}

/** Who made the move that leads to a node. */
function moverOf(at) {
  return (view.firstPly + at.ply) % 2 === 1 ? "white" : "black";
}

/** Show accuracy and the counts of bad moves, by player, of the moves evaluated so far. */
function showJudgements() {
  const moves = tree.mainline.filter(({ loss }) => loss !== null);
  const row = (title, value) => element("tr", {}, element("th", { scope: "row" }, title),
    ...["white", "black"].map((color) => element("td", {}, value(moves.filter((at) => moverOf(at) === color)))));
  const count = (name) => (ours) => String(ours.filter((at) => at.judgement?.name === name).length);
  const percent = (ours) => (ours.length ? `${Math.round(accuracy(ours.map(({ loss }) => loss)))} %` : "–");
  byId("judgements").replaceChildren(row("Accuracy", percent), row("Inaccuracies", count("inaccuracy")), row("Mistakes", count("mistake")), row("Blunders", count("blunder")));
  byId("judgement-table").hidden = false;
}

function turnBoard() {
  board.turnTo(board.orientation === "white" ? "black" : "white");
  go(current);
}

function removeVariation() {
  if (current.main) return;
  const left = tree.remove(current);
  current = left;
  view.show(tree, left, resultText(game, null));
  go(left);
}

const KEYS = { ArrowLeft: () => step("back"), ArrowRight: () => step("forth"), Home: () => step("first"), End: () => step("last"), f: turnBoard, Delete: removeVariation };

function listenToReader() {
  for (const how of ["first", "back", "forth", "last"]) byId(how).addEventListener("click", () => step(how));
  byId("flip").addEventListener("click", turnBoard);
  byId("remove").addEventListener("click", removeVariation);
  setUpDrawing(board, byId("draw-shapes"));
  addEventListener("hashchange", () => go(tree.mainline[plyOfAddress()]));
  addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, select, .board, dialog") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
  });
}

function plyOfAddress() {
  const last = tree.mainline.length - 1;
  const wanted = location.hash.slice(1);
  return /^\d+$/.test(wanted) ? Math.min(Number(wanted), last) : last;
}

async function start() {
  setUpTheme(byId("theme"));
  setUpSettings(byId("settings"));
  const site = await signIn();
  game = await get(`/web/facts/${id}`);
  const seated = [game.players.white, game.players.black].some((player) => player.user && player.user.id === site.person?.id);
  if (!game.finished && seated) {
    location.replace(`/${id}`);
    return;
  }
  byId("summary").textContent = gameSummary(game);
  byId("to-game").href = `/${id}`;
  byId("heading").textContent = `${pairText(game)}: analysis`;
  document.title = `${pairText(game)} · analysis`;
  const whole = await position(game.variant.key, game.initialFen, game.uci);
  tree = new Tree(game.uci, whole.sans);
  view = new TreeView(byId("moves"), 2 * (whole.firstNumber - 1) + (whole.firstTurn === "black" ? 1 : 0), go);
  chart = new Chart(byId("chart"), game.uci.length, (ply) => go(tree.mainline[ply]));
  sharing = new Sharing(id, await getText(`/game/export/${id}`));
  const mine = seated && game.players.black.user?.id === site.person.id;
  if (new URLSearchParams(location.search).has("black") || mine) board.turnTo("black");
  listenToReader();
  document.querySelector("main").inert = false;
  current = tree.mainline[plyOfAddress()];
  view.show(tree, current, resultText(game, null));
  if (site.engine) engine.offer(true);
  await go(current);
  if (site.engine) await evaluateGame().catch(onEvaluationError);
  byId("chart-card").dataset.done = "true";
}

/** Without an engine that knows the game the panel says why, and there is no chart. */
function onEvaluationError(error) {
  if (!(error instanceof ApiError || error instanceof TypeError)) throw error;
  byId("chart-card").hidden = true;
}

start();
