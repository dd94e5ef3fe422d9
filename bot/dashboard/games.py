"""The running games as frozen values, and the position of each from the server's list of moves.

A game's own board is being worked on by other threads, so positions are built here anew: once when a game is first
seen, then move by move.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import chess
import chess.svg

from bot.events import Player
from bot.events.game import UNLIMITED_MS
from bot.play.game import UnplayableGameError, starting_board
from bot.play.game_loop import GameLoop

COLORS = {
    "square light": "#e9e7dd",
    "square dark": "#7f96ab",
    "square light lastmove": "#f2e08a",
    "square dark lastmove": "#c9b458",
}


@dataclass(frozen=True, slots=True)
class Side:
    """One player of a game; `clock_ms` is None without a clock, and counts down from the snapshot when `running`."""

    name: str
    rating: int | None
    clock_ms: int | None
    running: bool


@dataclass(frozen=True, slots=True)
class GameView:
    """One running game. `score_cp`: of our last search, from our side; `last_move` in SAN, "" before the first."""

    game_id: str
    url: str
    speed: str
    variant: str
    rated: bool
    our_color: str
    white: Side
    black: Side
    fen: str
    ply: int
    last_move: str
    last_uci: str
    score_cp: int | None


class GameViews:
    """Makes the views; used by one thread at a time."""

    def __init__(self, server_url: str) -> None:
        """`server_url`: where the games can be watched."""
        self._server_url = server_url
        self._positions: dict[str, _Position] = {}

    def look(self, loops: Iterable[GameLoop], now_s: float) -> tuple[GameView, ...]:
        """Return the games that have shown their first line; forgets positions of games that are gone."""
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
            self._positions.pop(loop.game_id, None)  # a takeback between two reads: the next look sees one state
            return None
        spent_ms = max(0.0, now_s - game.turn_began_s) * 1000 if len(state.moves) >= 2 else 0.0
        turn = position.board.turn
        clocks = (state.wtime_ms, state.btime_ms) if full.has_clock else (UNLIMITED_MS, UNLIMITED_MS)
        return GameView(
            game_id=loop.game_id,
            url=f"{self._server_url}/{loop.game_id}",
            speed=full.speed,
            variant=full.variant,
            rated=full.rated,
            our_color="white" if our_color == chess.WHITE else "black",
            white=_side(full.white, clocks[0], spent_ms if turn == chess.WHITE else None, len(state.moves)),
            black=_side(full.black, clocks[1], spent_ms if turn == chess.BLACK else None, len(state.moves)),
            fen=position.board.fen(),
            ply=len(state.moves),
            last_move=position.last_san,
            last_uci=state.moves[-1] if state.moves else "",
            score_cp=loop.last_score_cp,
        )

    def _position(self, game_id: str, variant: str, initial_fen: str, moves: tuple[str, ...]) -> _Position:
        position = self._positions.get(game_id)
        if position is None or moves[: len(position.moves)] != position.moves:
            position = _Position(starting_board(variant, initial_fen))
        position.push(moves[len(position.moves) :])
        self._positions[game_id] = position
        return position


class _Position:
    """A board and the moves that led to it."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self.moves: tuple[str, ...] = ()
        self.last_san = ""

    def push(self, moves: tuple[str, ...]) -> None:
        """Play further moves; raises ValueError for one that does not fit."""
        for uci in moves:
            move = self.board.parse_uci(uci)
            number = f"{self.board.fullmove_number}{'.' if self.board.turn == chess.WHITE else '...'} "
            self.last_san = number + self.board.san(move)
            self.board.push(move)
            self.moves += (uci,)


def _side(player: Player, clock_ms: int, spent_ms: float | None, ply: int) -> Side:
    running = spent_ms is not None and ply >= 2 and clock_ms < UNLIMITED_MS
    left_ms = None if clock_ms >= UNLIMITED_MS else max(0, clock_ms - round(spent_ms or 0.0))
    return Side(player.label, player.rating, left_ms, running)


def board_svg(view: GameView) -> str:
    """The position as a picture, seen from our side, with the last move marked."""
    board = chess.Board(None)
    board.set_board_fen(view.fen.split()[0].split("[")[0].replace("~", ""))
    last = None
    if view.last_uci and "@" not in view.last_uci:
        last = chess.Move.from_uci(view.last_uci)
    return chess.svg.board(
        board,
        coordinates=False,
        colors=COLORS,
        lastmove=last,
        orientation=chess.WHITE if view.our_color == "white" else chess.BLACK,
    )
