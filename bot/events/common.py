"""Values that both streams share: players and time controls.

Units: milliseconds in game streams (`*_ms`), seconds in challenges and lists of games (`*_s`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.events.reading import JsonObject, integer, mapping, optional_integer, text

CLOCK = "clock"
CORRESPONDENCE = "correspondence"
UNLIMITED = "unlimited"

#: Lichess writes time controls of bullet games in quarters of a minute: 15 s is a quarter.
_FRACTIONS = {15: "¼", 30: "½", 45: "¾", 90: "1.5"}


@dataclass(frozen=True, slots=True)
class Player:
    """One side of a game or challenge. An AI has no id; an anonymous player has neither id nor name."""

    id: str
    name: str
    title: str = ""
    rating: int | None = None
    ai_level: int | None = None

    @property
    def is_bot(self) -> bool:
        """Whether the account carries the BOT title."""
        return self.title == "BOT"

    @property
    def is_ai(self) -> bool:
        """Whether this is the server's own Stockfish."""
        return self.ai_level is not None

    @property
    def kind(self) -> str:
        """One of "ai", "bot" and "human"."""
        return "ai" if self.is_ai else "bot" if self.is_bot else "human"

    @property
    def label(self) -> str:
        """The player's name for logs and PGN."""
        if self.ai_level is not None:
            return f"AI level {self.ai_level}"
        name = self.name or self.id or "Anonymous"
        return f"{self.title} {name}" if self.title else name


ANONYMOUS = Player(id="", name="")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """`kind` is CLOCK (limit_s, increment_s), CORRESPONDENCE (days_per_turn) or UNLIMITED."""

    kind: str = UNLIMITED
    limit_s: int = 0
    increment_s: int = 0
    days_per_turn: int = 0

    @property
    def estimate_s(self) -> int:
        """Lichess's estimate of one player's time for a whole game: limit + 40 increments."""
        return self.limit_s + 40 * self.increment_s

    def __str__(self) -> str:
        if self.kind == CLOCK:
            minutes = _FRACTIONS.get(self.limit_s, f"{self.limit_s / 60:g}")
            return f"{minutes}+{self.increment_s}"
        return f"{self.days_per_turn} days a turn" if self.kind == CORRESPONDENCE else "unlimited"


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """A line of an unknown type; `raw` is the whole JSON object."""

    kind: str
    raw: Mapping[str, Any]


def parse_player(value: object) -> Player:
    """Return a player from any of the shapes that Lichess uses; anything else is anonymous."""
    data = mapping(value)
    name = text(data, "name") or text(data, "username")
    title = text(data, "title")
    if not title and name.startswith("BOT "):  # the event stream puts the title into `username`
        title, name = "BOT", name[4:]
    level = optional_integer(data, "aiLevel")
    return Player(
        id=text(data, "id").lower() or name.lower() if level is None and "ai" not in data else "",
        name=name,
        title=title,
        rating=optional_integer(data, "rating"),
        ai_level=optional_integer(data, "ai") if level is None else level,
    )


def parse_time_control(value: object) -> TimeControl:
    """Return the `timeControl` of a challenge."""
    data = mapping(value)
    kind = text(data, "type", UNLIMITED)
    if kind == CLOCK:
        return TimeControl(CLOCK, limit_s=integer(data, "limit"), increment_s=integer(data, "increment"))
    if kind == CORRESPONDENCE:
        return TimeControl(CORRESPONDENCE, days_per_turn=integer(data, "daysPerTurn"))
    return TimeControl()


def parse_kind(data: JsonObject) -> str:
    """Return the `type` of a stream line."""
    return text(data, "type")
