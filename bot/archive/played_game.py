"""A kept game, read from its PGN: every move with what is known about it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import chess
import chess.pgn

from bot.archive.kept_games import KeptGame
from bot.errors import BotError

#: Half-moves after which the clocks run on Lichess.
_FREE_PLIES = 2


class UnreadableGameError(BotError):
    """A kept game has no PGN, or one that cannot be read."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """The `ply`-th half-move of a game, counted from 1, with the position before it as FEN.

    Scores are from White's side, `mate_in` negative where Black mates; `clock_ms` is the mover's time left after the
    move, `spent_ms` what the move took of it. None, or "" for the source: not known.
    """

    ply: int
    san: str
    uci: str
    is_white: bool
    number: int
    fen: str
    clock_ms: int | None
    spent_ms: int | None
    score_cp: int | None
    mate_in: int | None
    depth: int | None
    source: str


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game with its moves; `headers` are the tags of its PGN, `last` is its last position."""

    kept: KeptGame
    headers: Mapping[str, str]
    moves: tuple[PlayedMove, ...]
    last: chess.Board

    @property
    def game_id(self) -> str:
        """Its id on Lichess."""
        return self.kept.record.game_id

    def is_ours(self, move: PlayedMove) -> bool:
        """Whether the bot made the move."""
        return move.is_white == (self.kept.record.color == "white")


def played_game(kept: KeptGame) -> PlayedGame:
    """Read a game. Raises UnreadableGameError."""
    game = chess.pgn.read_game(io.StringIO(kept.pgn)) if kept.pgn else None
    if game is None or game.errors:
        reason = "it has no PGN" if game is None else str(game.errors[0])
        raise UnreadableGameError(f"game {kept.record.game_id} cannot be read: {reason}")
    return PlayedGame(kept, dict(game.headers), tuple(_moves(game)), game.end().board())


def _moves(game: chess.pgn.Game) -> Iterator[PlayedMove]:
    initial_ms, increment_ms = time_control(game.headers.get("TimeControl", ""))
    left_ms = {chess.WHITE: initial_ms, chess.BLACK: initial_ms}
    board = game.board()
    for ply, node in enumerate(game.mainline(), 1):
        clock_s, evaluation = node.clock(), node.eval()
        clock_ms = None if clock_s is None else round(clock_s * 1000)
        before_ms, left_ms[board.turn] = left_ms[board.turn], clock_ms
        spent_ms = None
        if ply > _FREE_PLIES and initial_ms is not None and before_ms is not None and clock_ms is not None:
            spent_ms = max(0, before_ms + increment_ms - clock_ms)
        score = evaluation.white() if evaluation is not None else None
        yield PlayedMove(
            ply=ply,
            san=node.san(),
            uci=board.uci(node.move),
            is_white=board.turn == chess.WHITE,
            number=board.fullmove_number,
            fen=board.fen(),
            clock_ms=clock_ms,
            spent_ms=spent_ms,
            score_cp=None if score is None else score.score(),
            mate_in=None if score is None else score.mate(),
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
