"""A game as tests and summaries look at it."""

from __future__ import annotations

from dataclasses import dataclass

import chess

from .world.server_game import Game
from .world.variants import COLOR_NAMES


@dataclass(frozen=True)
class GameReport:
    """A game as it stands: moves in UCI, times in milliseconds, colours as words; `ended_at_s` is monotonic."""

    id: str
    white: str
    black: str
    variant: str
    initial_fen: str
    fen: str
    moves: tuple[str, ...]
    status: str
    winner: str | None
    white_ms: int
    black_ms: int
    clocks_ms: tuple[int, ...]
    chat: tuple[tuple[str, str, str], ...]
    rated: bool
    speed: str
    rematch_id: str | None
    ended_at_s: float | None = None

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.status != "started"


def report_of(game: Game, now_ms: float) -> GameReport:
    """Return a snapshot of a game."""
    return GameReport(
        id=game.id,
        white=game.players[chess.WHITE].name,
        black=game.players[chess.BLACK].name,
        variant=game.spec.variant.key,
        initial_fen=game.spec.initial_fen or "startpos",
        fen=game.board.fen(),
        moves=tuple(game.moves),
        status=game.status,
        winner=None if game.winner is None else COLOR_NAMES[game.winner],
        white_ms=game.clock.remaining_ms(chess.WHITE, now_ms),
        black_ms=game.clock.remaining_ms(chess.BLACK, now_ms),
        clocks_ms=tuple(game.clock.history_ms()),
        chat=tuple((line.username, line.text, line.room) for line in game.chat.lines),
        rated=game.spec.rated,
        speed=game.spec.speed,
        rematch_id=game.rematch_id,
        ended_at_s=None if game.ended_at_ms is None else game.ended_at_ms / 1000,
    )
