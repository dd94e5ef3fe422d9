// One game: the stream of a player or of a spectator, drawn.

import { get, persist, position, post, stream } from "../common/api.js";
import { takeLevel } from "../common/challenge.js";
import { Actions } from "./actions.js";
import { announce } from "./announcer.js";
import { Board } from "/board/board.js";
import { byId } from "/board/dom.js";
import { setUpDrawing } from "/board/input.js";
import { EnginePanel } from "../analysis/engine_panel.js";
import { Clocks } from "./clock.js";
import { showEnding, showGone } from "./ending.js";
import { MoveList } from "./move_list.js";
import { PastClocks } from "./past_clocks.js";
import { rows, showPlayer } from "./players.js";
import { setStatus, setUpTheme, signIn } from "../common/session.js";
import { play } from "../common/sounds.js";
import { setUpSettings } from "../common/settings_dialog.js";
import { playersChat, spectatorsChat } from "./chat.js";
import { watch } from "./spectator.js";
import { gameSummary, pairText, playerLabel, resultText } from "../common/labels.js";

const id = location.pathname.slice(1, 9);
const FAREWELL_MS = 120_000;
const board = new Board(byId("board"), {
  onMove: send,
  onRefused: () => showMessage(board.movable ? "That move is not legal." : "That piece never goes there.", true),
  onPremove: (squares) => showMessage(squares ? `Planned: ${squares.join(" to ").replace("@", "")}.` : "The plan is cancelled."),
});
const clocks = new Clocks({}, onLowTime);
const moveList = new MoveList(showPly);
const pastClocks = new PastClocks(id);
const actions = new Actions(showMessage);
let engine = null; // for spectators, and for everybody after the end
let chat = null;
let game = null; // what never changes, and `state`: what the server said last
let present = null; // the current position, with its legal moves
let site = null;
let me = null;
let isGone = false;
let drawn = 0; // counts states, so that an older one never overtakes a newer one

function showMessage(text, bad = false) {
  setStatus(byId("message"), text, bad);
}

function showPlayers() {
  const places = rows(board);
  for (const [color, row] of Object.entries(places)) {
    showPlayer(row, game[color], color, board);
    row.classList.toggle("away", color !== game.color && actions.gone !== null);
  }
  clocks.put(Object.fromEntries(Object.entries(places).map(([color, row]) => [color, row.querySelector(".clock")])));
}

/** The clocks of the position that is shown; who plays keeps an eye on his own time wherever he looks. */
async function showClocks() {
  const { state } = game;
  const ply = moveList.shownPly;
  const plays = game.color && state.status === "started";
  if (state.wtime === undefined || (!game.clock && !game.daysPerTurn)) {
    clocks.set(null, null);
  } else if (ply === null || plays) {
    const runs = state.status === "started" && state.moves.length >= 2;
    clocks.set({ white: state.wtime, black: state.btime }, runs ? present.turn : null, state.since);
  } else {
    const past = await pastClocks.at(ply, present.firstTurn);
    if (ply === moveList.shownPly) clocks.set(past, null);
  }
}

/** A clock has come down to its last seconds. */
function onLowTime(color) {
  if (color !== game.color) return;
  play("lowTime");
  byId("urgent").textContent = "Ten seconds left.";
}

function draw() {
  const playing = game.color && game.state.status === "started" && moveList.shownPly === null;
  const myTurn = present.turn === game.color;
  board.show(present, playing && myTurn ? game.color : null, playing && !myTurn ? game.color : null);
  showPlayers();
  consult(game.state.moves);
}

/** Let the engine look at a position, where it may. */
function consult(moves) {
  engine?.look({ gameId: id, variant: game.variant.key, initialFen: game.initialFen, moves });
}

function offerEngine(on) {
  if (engine || !site.engine) return;
  engine = new EnginePanel(board);
  engine.offer(on);
}

async function showPly(ply) {
  if (!present) return;
  if (ply === null) {
    draw();
    showClocks();
    return;
  }
  const past = await position(game.variant.key, game.initialFen, game.state.moves.slice(0, ply));
  if (moveList.shownPly !== ply) return;
  board.show({ ...past, targets: {} }, null);
  showPlayers();
  showClocks();
  consult(game.state.moves.slice(0, ply));
}

/** A new state of the game: the server's, or our own move before the server has confirmed it. */
async function show(state) {
  const number = ++drawn;
  state.since ??= performance.now();
  const next = await position(game.variant.key, game.initialFen, state.moves);
  if (number !== drawn) return;
  const before = game.state;
  if (state.moves.length < (game.state?.moves.length ?? 0)) board.premove = null; // a takeback
  game.state = state;
  present = next;
  const planned = present.turn === game.color ? board.takePremove(present) : null;
  if (state.status !== "started") board.premove = null;
  const over = state.status !== "started";
  const result = over ? resultText(state, game.color) : "";
  moveList.show(present, result);
  if (moveList.shownPly === null) draw();
  showClocks();
  const news = announce(game, before, state, present);
  if (over) showMessage(result);
  else if (!game.color) showMessage(`${present.turn === "white" ? "White" : "Black"} to move.`);
  else showMessage(`${news}${present.turn === game.color ? "Your turn." : "Waiting for your opponent."}`);
  if (over && before?.status !== state.status) await showEnding(id, state, game.color, present.opening);
  if (over) offerEngine(false);
  if (game.color) actions.show(game);
  if (planned) send(planned);
  document.title = `${!over && present.turn === game.color ? "● " : ""}${playerLabel(game.white).name} – ${playerLabel(game.black).name}`;
}

async function send(uci) {
  const before = game.state;
  const after = { ...before, ...clocks.now(), since: undefined, moves: [...before.moves, uci] };
  show(after);
  try {
    await post(`/api/board/game/${id}/move/${uci}`);
  } catch (error) {
    board.premove = null;
    await show(before);
    showMessage(error.message, true);
  }
}

function begin(facts) {
  const again = game !== null;
  game = { ...facts, state: game?.state ?? null };
  if (again) return;
  if (game.color === "black") board.turnTo("black");
  byId("summary").textContent = gameSummary({ ...game, clock: game.clock && { initial: game.clock.initial / 1000, increment: game.clock.increment / 1000 } });
  byId("heading").textContent = pairText({ players: game });
  showPlayers();
}

function stateOf(line) {
  return { ...line, moves: line.moves.split(" ").filter(Boolean) };
}

async function onLine(line) {
  if (line.type === "gameFull") {
    const color = line.white.id === me.id ? "white" : "black";
    const { id: opponentId, name } = playerLabel(color === "white" ? line.black : line.white);
    const opponent = line[color === "white" ? "black" : "white"];
    const kind = opponent.aiLevel ? "computer" : "user";
    begin({ ...line, color, opponent: opponentId || opponent.aiLevel ? { id: opponentId, name, kind, level: opponent.aiLevel } : null });
    await show(stateOf(line.state));
  } else if (line.type === "gameState") {
    await show(stateOf(line));
  } else if (line.type === "chatLine") {
    chat.onLine(line);
  } else if (line.type === "opponentGone") {
    actions.gone = line.gone ? line.claimWinInSeconds ?? null : null;
    actions.show(game);
    showPlayers();
  }
}

async function followAsPlayer() {
  await chat.catchUp();
  for await (const line of stream("GET", `/api/board/game/stream/${id}`)) if (line) await onLine(line);
}

async function followAsSpectator() {
  const facts = await get(`/web/facts/${id}`);
  const shared = { variant: null, clock: facts.clock && { initial: facts.clock.initial * 1000, increment: facts.clock.increment * 1000 }, daysPerTurn: facts.daysPerTurn };
  const onGame = (head) => begin({ ...shared, ...head, white: head.players.white, black: head.players.black, color: null });
  await watch(id, facts, onGame, show);
}

function isOver() {
  return isGone || (game?.state && game.state.status !== "started");
}

/** The stream broke, or the server was restarted and does not know the game any more. */
function onBroken(status) {
  isGone = status === 404;
  showMessage(isGone ? "This game no longer exists." : "The connection broke; trying again…", true);
  if (!isGone) return;
  clocks.set(null, null);
  if (board.position) board.show({ ...board.position, targets: {} }, null);
  showGone();
}

async function start() {
  setUpTheme(byId("theme"));
  setUpSettings(byId("settings"));
  byId("flip").addEventListener("click", flip);
  setUpDrawing(board, byId("draw-shapes"));
  addEventListener("keydown", (event) => event.key === "f" && !event.target.closest("input") && !event.ctrlKey && !event.metaKey && flip());
  byId("board").addEventListener("select", () => game && board.position && showPlayers());
  site = await signIn();
  me = site.person;
  const facts = await get(`/web/facts/${id}`);
  const seated = me && [facts.players.white, facts.players.black].some((player) => player.user?.id === me.id);
  if (!seated) {
    moveList.staysInHistory = true;
    offerEngine(false);
    spectatorsChat(id, me !== null).follow();
    document.querySelector("main").inert = false;
    await persist(followAsSpectator, isOver, onBroken);
    return;
  }
  chat = playersChat(id);
  document.querySelector("main").inert = false;
  const level = takeLevel();
  if (level && !facts.uci.length) await chat.say(`!level ${level}`);
  await persist(followAsPlayer, isOver, onBroken);
  if (isGone) return;
  chat.follow(FAREWELL_MS); // the stream ends with the game
  if (game.opponent && game.opponent.kind !== "computer") await actions.listen(me.id).catch(() => {});
}

function flip() {
  board.turnTo(board.orientation === "white" ? "black" : "white");
  if (game) showPlayers();
}

start();
