"""A finished game read from its PGN: every move with what is known about it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import chess
import chess.engine
import chess.pgn

from bot.archive.game_record import GameRecord
from bot.errors import BotError

#: Half-moves after which the clocks run on Lichess.
_FREE_PLIES = 2


class UnreadableGameError(BotError):
    """A game has no PGN, or one that cannot be read."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """The `ply`-th half-move of a game, counted from 1, with the position before it as FEN.

    `clock_ms` is the mover's time left after the move, `spent_ms` what the move took of it. None, or an empty source:
    unknown.
    """

    ply: int
    san: str
    uci: str
    is_white: bool
    number: int
    fen: str
    clock_ms: int | None
    spent_ms: int | None
    score: chess.engine.PovScore | None
    depth: int | None
    source: str

    def label(self, space: str = "") -> str:
        """Return the move as on a score sheet: "12.Nf3" or "12...Nf6"."""
        return f"{self.number}{'.' if self.is_white else '...'}{space}{self.san}"


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game with its moves; `headers` are the tags of its PGN, `last` is its last position.

    `unreadable` says why there are no moves, "" if the PGN could be read.
    """

    record: GameRecord
    headers: Mapping[str, str]
    moves: tuple[PlayedMove, ...]
    last: chess.Board
    unreadable: str = ""

    @property
    def game_id(self) -> str:
        """Its id on Lichess."""
        return self.record.game_id

    @property
    def our_side(self) -> chess.Color:
        """The colour that the bot played."""
        return self.record.color == "white"

    @property
    def initial_ms(self) -> int | None:
        """The time on the clocks at the start; None without a clock."""
        return time_control(self.headers.get("TimeControl", ""))[0]

    def is_ours(self, move: PlayedMove) -> bool:
        """Whether the bot made the move."""
        return move.is_white == self.our_side

    def placement(self, ply: int) -> str:
        """Return the pieces after so many half-moves, as at the head of a FEN."""
        return self.moves[ply].fen.split()[0] if ply < len(self.moves) else self.last.board_fen()

    def clock_ms(self, ply: int, *, white: bool) -> int | None:
        """Return what a side's clock showed after so many half-moves; None if that is unknown."""
        shown = [move.clock_ms for move in self.moves[:ply] if move.is_white == white]
        return shown[-1] if shown else self.initial_ms


def read_played(record: GameRecord) -> PlayedGame:
    """Read a game, which has no moves if its PGN cannot be read."""
    try:
        return played_game(record)
    except UnreadableGameError as error:
        return PlayedGame(record, {}, (), chess.Board(), str(error))


def played_game(record: GameRecord) -> PlayedGame:
    """Read a game. Raises UnreadableGameError."""
    game = chess.pgn.read_game(io.StringIO(record.pgn)) if record.pgn else None
    if game is None or game.errors:
        reason = "it has no PGN" if game is None else str(game.errors[0])
        raise UnreadableGameError(f"game {record.game_id} cannot be read: {reason}")
    return PlayedGame(record, dict(game.headers), tuple(_moves(game)), game.end().board())


def _moves(game: chess.pgn.Game) -> Iterator[PlayedMove]:
    initial_ms, increment_ms = time_control(game.headers.get("TimeControl", ""))
    left_ms = {chess.WHITE: initial_ms, chess.BLACK: initial_ms}
    board = game.board()
    for ply, node in enumerate(game.mainline(), 1):
        clock_s = node.clock()
        clock_ms = None if clock_s is None else round(clock_s * 1000)
        before_ms, left_ms[board.turn] = left_ms[board.turn], clock_ms
        spent_ms = None
        if ply > _FREE_PLIES and initial_ms is not None and before_ms is not None and clock_ms is not None:
            spent_ms = max(0, before_ms + increment_ms - clock_ms)
        yield PlayedMove(
            ply=ply,
            san=node.san(),
            uci=board.uci(node.move),
            is_white=board.turn == chess.WHITE,
            number=board.fullmove_number,
            fen=board.fen(),
            clock_ms=clock_ms,
            spent_ms=spent_ms,
            score=node.eval(),
            depth=node.eval_depth(),
            source=node.comment.partition("[%")[0].strip(),
        )
        board.push(node.move)


def time_control(tag: str) -> tuple[int | None, int]:
    """Return initial time and increment in ms from a tag such as "180+2"; None for a game without a clock."""
    initial, plus, increment = tag.partition("+")
    if not plus or not initial.isdecimal() or not increment.isdecimal():
        return None, 0
    return int(initial) * 1000, int(increment) * 1000
