"""A finished game to be stepped through, as frozen values; scores from our side."""

from __future__ import annotations

from dataclasses import dataclass

from bot.dashboard.charts import ScorePoint


@dataclass(frozen=True, slots=True)
class ReplayMove:
    """One move and the position after it.

    `placement`: the pieces, as at the head of a FEN; `clock_ms`: the mover's time left after the move, `spent_ms` what
    it took; `source`: what chose the move, "" where that is not known.
    """

    ply: int
    number: int
    is_white: bool
    san: str
    uci: str
    placement: str
    clock_ms: int | None = None
    spent_ms: int | None = None
    score: ScorePoint | None = None
    depth: int | None = None
    source: str = ""

    @property
    def label(self) -> str:
        """The move as on a score sheet: "12. Nf3", "12... Nf6"."""
        return f"{self.number}{'.' if self.is_white else '...'} {self.san}"


@dataclass(frozen=True, slots=True)
class Replay:
    """`white`, `black`: names with titles and ratings; `outcome`: as KeptGame has it; `start`: the pieces at the start.

    `unreadable`: why there are no moves, "" where the game could be read.
    """

    game_id: str
    url: str
    white: str
    black: str
    our_color: str
    outcome: str
    status: str
    terms: str
    opening: str
    ended_s: float
    start: str
    initial_ms: int | None
    moves: tuple[ReplayMove, ...]
    pgn: str
    unreadable: str = ""

    @property
    def scores(self) -> tuple[ScorePoint, ...]:
        """The points of the chart."""
        return tuple(move.score for move in self.moves if move.score is not None)

    def placement(self, ply: int) -> str:
        """The pieces after so many plies."""
        return self.moves[ply - 1].placement if ply else self.start

    def last_uci(self, ply: int) -> str:
        """The move that led to the position after so many plies, "" at the start."""
        return self.moves[ply - 1].uci if ply else ""

    def clock_ms(self, ply: int, *, white: bool) -> int | None:
        """What a side's clock showed after so many plies; None where that is not known."""
        for move in reversed(self.moves[:ply]):
            if move.is_white == white:
                return move.clock_ms
        return self.initial_ms
