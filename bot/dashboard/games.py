"""The running games as frozen values: positions from the server's moves, and what our searches found.

Other threads change a game's own board, so positions are built here again: once when a game is first seen, then move
by move.
"""

from __future__ import annotations

import functools
import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import chess
from chess.engine import PovScore, Score

from bot.board import Material, checked_king, last_squares, materials
from bot.engine_pool.values import Answer
from bot.events.account import CLOCK, TimeControl
from bot.events.game import UNLIMITED_MS, Player
from bot.play.game import UnplayableGameError, starting_board
from bot.play.game_loop import GameLoop
from bot.play.observer import GameObserver

MOST_GAMES = 200  # whose answers are kept; the oldest are dropped
MOST_PARSED = 16_384  # answers: those of 200 games of 80 moves
LONGEST_VARIATION = 8  # plies of a variation that are shown


@dataclass(frozen=True, slots=True)
class SearchedMove:
    """What was found for one move; the score is from our side.

    `ply`: plies played before the move; `pv`: the variation in UCI; `source`: what chose the move instead of an
    engine, "". `variation` is the start of `pv` in SAN with numbers, of the last search only.
    """

    ply: int
    score: Score | None = None
    depth: int | None = None
    nodes: int | None = None
    nps: int | None = None
    time_ms: float = 0.0
    pv: tuple[str, ...] = ()
    source: str = ""
    variation: str = ""


class SearchNotes(GameObserver):
    """The answers of the latest games. No lock: each change is one step for other threads."""

    def __init__(self) -> None:
        """Start empty."""
        self._games: OrderedDict[str, dict[int, Answer]] = OrderedDict()

    def answered(self, game_id: str, ply: int, answer: Answer) -> None:
        """Keep an answer, in place of those of moves that were taken back."""
        if answer.move is None:
            return
        before = self._games.pop(game_id, {})
        self._games[game_id] = {at: one for at, one in before.items() if at < ply} | {ply: answer}
        while len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)

    def of(self, game_id: str) -> tuple[SearchedMove, ...]:
        """Return the notes of a game by ply."""
        return tuple(note_of(ply, answer) for ply, answer in self._games.get(game_id, {}).items())


@functools.lru_cache(maxsize=MOST_PARSED)
def note_of(ply: int, answer: Answer) -> SearchedMove:
    """Return what an answer says, which is parsed once."""
    info = answer.info
    nps = info.nps
    if nps is None and info.nodes is not None and answer.elapsed_ms >= 1:
        nps = round(info.nodes / answer.elapsed_ms * 1000)
    return SearchedMove(
        ply=ply,
        score=info.score,
        depth=info.depth,
        nodes=info.nodes,
        nps=nps,
        time_ms=answer.elapsed_ms,
        pv=info.pv,
        source=answer.source,
    )


@dataclass(frozen=True, slots=True)
class Side:
    """One player of a game; `clock_ms` is None without a clock, and counts down from the snapshot when `running`."""

    name: str
    rating: int | None
    clock_ms: int | None
    running: bool


@dataclass(frozen=True, slots=True)
class GameView:
    """One running game. `score` is that of our last search; `last_move` in SAN, "" before the first.

    `position`: what the board shows, see bot/board/static/view.js.
    `san`: all moves; `first_ply`: what the first of them counts as, 0 for White's first move of a game from the start;
    `scores`: those of our searches, each with the number of half-moves after which it holds.
    """

    game_id: str
    url: str
    clock: str
    speed: str
    variant: str
    rated: bool
    our_color: str
    white: Side
    black: Side
    position: Mapping[str, str]
    ply: int
    last_move: str
    last_uci: str
    score: PovScore | None
    san: tuple[str, ...] = ()
    first_ply: int = 0
    scores: tuple[tuple[int, PovScore], ...] = ()
    search: SearchedMove | None = None

    @property
    def our_side(self) -> chess.Color:
        """The colour that we play."""
        return self.our_color == "white"


class GameViews:
    """Builds the views; used by one thread at a time."""

    def __init__(self, server_url: str, notes: SearchNotes | None = None) -> None:
        """`server_url`: the server with the games' pages; `notes`: results of their searches."""
        self._server_url = server_url
        self._notes = notes if notes is not None else SearchNotes()
        self._positions: dict[str, _Position] = {}

    def look(self, loops: Iterable[GameLoop], now_s: float) -> tuple[GameView, ...]:
        """Return the games whose first line has arrived; forget the positions of games that have ended."""
        loops = tuple(loops)
        known = {loop.game_id for loop in loops}
        self._positions = {key: position for key, position in self._positions.items() if key in known}
        views = (self._view(loop, now_s) for loop in loops)
        return tuple(view for view in views if view is not None)

    def _view(self, loop: GameLoop, now_s: float) -> GameView | None:
        game = loop.game
        if game is None:
            return None
        full, state, our_color = game.full, game.state, game.my_color  # frozen values, replaced and never changed
        try:
            position = self._position(loop.game_id, full.variant, full.initial_fen, state.moves)
        except (UnplayableGameError, ValueError):
            self._positions.pop(loop.game_id, None)  # a takeback between two reads; the next look is consistent
            return None
        spent_ms = max(0.0, now_s - game.clocks_told_s) * 1000 if len(state.moves) >= 2 else 0.0
        turn = position.board.turn
        notes = [note for note in self._notes.of(loop.game_id) if note.ply < len(state.moves)]
        clocks = (state.wtime_ms, state.btime_ms) if full.has_clock else (UNLIMITED_MS, UNLIMITED_MS)
        return GameView(
            game_id=loop.game_id,
            url=f"{self._server_url}/{loop.game_id}",
            clock=clock_words(full.initial_ms, full.increment_ms),
            speed=full.speed,
            variant=full.variant,
            rated=full.rated,
            our_color="white" if our_color == chess.WHITE else "black",
            white=_side(full.white, clocks[0], spent_ms if turn == chess.WHITE else None, len(state.moves)),
            black=_side(full.black, clocks[1], spent_ms if turn == chess.BLACK else None, len(state.moves)),
            position=position.shown(our_color),
            ply=len(state.moves),
            last_move=position.last_san,
            last_uci=state.moves[-1] if state.moves else "",
            score=None if loop.last_score is None else PovScore(loop.last_score, our_color),
            san=tuple(position.san),
            first_ply=position.first_ply,
            scores=tuple((note.ply + 1, PovScore(note.score, our_color)) for note in notes if note.score is not None),
            search=position.last_search(notes[-1]) if notes else None,
        )

    def _position(self, game_id: str, variant: str, initial_fen: str, moves: tuple[str, ...]) -> _Position:
        position = self._positions.get(game_id)
        if position is None or moves[: len(position.moves)] != position.moves:
            position = _Position(starting_board(variant, initial_fen))
        position.push(moves[len(position.moves) :])
        self._positions[game_id] = position
        return position


def variation_text(board: chess.Board, pv: Iterable[str]) -> str:
    """Return a variation in SAN with numbers, such as "12... Nf6 13. e3", up to the first illegal move."""
    line: list[chess.Move] = []
    ahead = board.copy(stack=False)
    for uci in pv:
        try:
            move = ahead.push_uci(uci)
        except ValueError:
            break
        if not move or len(line) == LONGEST_VARIATION:  # a null move is taken, but has no notation
            break
        line.append(move)
    return board.variation_san(line).replace("...", "... ", 1) if line else ""


class _Position:
    """A board and the moves that led to it."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self.first_ply = board.ply()
        self.moves: tuple[str, ...] = ()
        self.san: list[str] = []
        self.last_san = ""
        self._search: tuple[SearchedMove, SearchedMove] | None = None
        self._shown: tuple[int, Mapping[str, str]] = -1, {}

    def push(self, moves: tuple[str, ...]) -> None:
        """Play further moves; raises ValueError for an illegal one."""
        for uci in moves:
            move = self.board.parse_uci(uci)
            number = f"{self.board.fullmove_number}{'.' if self.board.turn == chess.WHITE else '...'} "
            self.san.append(self.board.san(move))
            self.last_san = number + self.san[-1]
            self.board.push(move)
            self.moves += (uci,)

    def shown(self, side: chess.Color) -> Mapping[str, str]:
        """Return what the board shows, from one side; computed once per position."""
        if self._shown[0] != len(self.moves):
            self._shown = len(self.moves), board_position(self.board, side, materials(self.board)[-1])
        return self._shown[1]

    def last_search(self, note: SearchedMove) -> SearchedMove:
        """Return a note with its variation in SAN; computed once per note."""
        if self._search is None or self._search[0] is not note:
            board = self.board.copy()
            while len(board.move_stack) > note.ply:
                board.pop()
            self._search = note, replace(note, variation=variation_text(board, note.pv))
        return self._search[1]


def _side(player: Player, clock_ms: int, spent_ms: float | None, ply: int) -> Side:
    running = spent_ms is not None and ply >= 2 and clock_ms < UNLIMITED_MS
    left_ms = None if clock_ms >= UNLIMITED_MS else max(0, clock_ms - round(spent_ms or 0.0))
    return Side(player.label, player.rating, left_ms, running)


def board_position(board: chess.Board, side: chess.Color, material: Material | None) -> dict[str, str]:
    """Return the attributes of a board with this position, seen from one side."""
    return {
        "fen": board.fen(),
        "last": " ".join(last_squares(board)),
        "check": checked_king(board) or "",
        "side": chess.COLOR_NAMES[side],
        "material": json.dumps(material),
    }


def clock_words(initial_ms: int | None, increment_ms: int | None) -> str:
    """Return a clock as players write it, such as "2+0"; "" for none."""
    if initial_ms is None:
        return ""
    return str(TimeControl(CLOCK, limit_s=initial_ms // 1000, increment_s=(increment_ms or 0) // 1000))


def score_json(score: object) -> dict[str, int | None]:
    """Return a score from our side for JSON; for `json.dumps`, to which scores are unknown. Raises TypeError."""
    if isinstance(score, PovScore):
        score = score.relative
    if not isinstance(score, Score):
        raise TypeError(f"{type(score).__name__} has no JSON form")
    return {"cp": score.score(), "mate": score.mate()}
