"""The outcome of a finished game."""

from __future__ import annotations

from enum import StrEnum

from bot.events.game import ONGOING

#: Statuses of games that ended without a result.
_WITHOUT_RESULT = frozenset({"aborted", "noStart", "unknownFinish"})


class Outcome(StrEnum):
    """The outcome of a finished game from our side; a game without a result has none."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"

    @property
    def word(self) -> str:
        """What happened to the game: "won", "drawn" or "lost"."""
        return {Outcome.WIN: "won", Outcome.DRAW: "drawn", Outcome.LOSS: "lost"}[self]


def outcome_of(status: str, winner: str, color: str) -> Outcome | None:
    """Return the outcome for the player of `color` ("white" or "black").

    None for a running game and for one that ended without a result.
    """
    if winner:
        return Outcome.WIN if winner == color else Outcome.LOSS
    return None if status in ONGOING | _WITHOUT_RESULT else Outcome.DRAW
