"""One row of the table of finished games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

LATEST_S = 253_402_300_799.0  # the end of the year 9999, after which no calendar of Python goes
_OUTCOMES = {("1-0", "white"): "win", ("0-1", "black"): "win", ("1-0", "black"): "loss", ("0-1", "white"): "loss"}


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game; `result` is "1-0", "0-1", "1/2-1/2" or "*", `ended_s` epoch seconds.

    The ratings are those at the start of the game, None where there was none; `eco` and `opening` are empty where the
    opening has no name, and in the records of bot88 before schema 4.
    """

    game_id: str
    opponent_id: str
    opponent_is_bot: bool
    color: str
    variant: str
    speed: str
    rated: bool
    status: str
    result: str
    plies: int
    ended_s: float
    my_rating: int | None = None
    opponent_rating: int | None = None
    eco: str = ""
    opening: str = ""

    @property
    def outcome(self) -> str:
        """What it was for us: "win", "draw", "loss", or "" for a game without a result."""
        if self.result == "1/2-1/2":
            return "draw"
        return _OUTCOMES.get((self.result, self.color), "")


COLUMNS = tuple(field.name for field in fields(GameRecord))


def record_of(row: Sequence[object]) -> GameRecord:
    """Return the record of a row with COLUMNS in order. Raises ValueError for one that is damaged."""
    game_id, opponent_id, is_bot, color, variant, speed, rated, status, result, plies, ended_s, *rest = row
    mine, theirs, eco, opening = rest
    if not isinstance(plies, int) or not isinstance(ended_s, (int, float)) or not 0 <= ended_s <= LATEST_S:
        raise ValueError(f"plies {plies!r}, ended {ended_s!r}")
    return GameRecord(
        str(game_id), str(opponent_id), bool(is_bot), str(color), str(variant), str(speed), bool(rated), str(status),
        str(result), plies, float(ended_s), _rating(mine), _rating(theirs), str(eco), str(opening),
    )  # fmt: skip


def _rating(value: object) -> int | None:
    return value if isinstance(value, int) else None
