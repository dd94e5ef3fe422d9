"""The record of a finished game, and the reader of its table."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from bot.events.game import Outcome


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game of ours.

    `opponent` is the name with its title, `opponent_id` is empty for the server's AI and for anonymous players.
    `begun_s` and `ended_s` are epoch seconds, of the server's clock if it sent them. Ratings are those at the start,
    None where there was none. `pgn` is read only on request and empty for a game that could not be written as PGN.
    """

    game_id: str
    opponent_id: str
    opponent: str
    opponent_is_bot: bool
    color: str
    variant: str
    speed: str
    rated: bool
    status: str
    outcome: Outcome | None
    plies: int
    begun_s: float
    ended_s: float
    my_rating: int | None = None
    opponent_rating: int | None = None
    eco: str = ""
    opening: str = ""
    pgn: str = field(default="", repr=False)

    @property
    def opponent_kind(self) -> str:
        """The kind of opponent, in the words of the settings."""
        return "bot" if self.opponent_is_bot else "human"

    @property
    def perf(self) -> str:
        """What the rating is for: the speed or the variant; empty for a game from a set-up position."""
        return {"standard": self.speed, "fromPosition": ""}.get(self.variant, self.variant)

    @property
    def facts(self) -> dict[str, Any]:
        """All fields but the PGN, for JSON."""
        return {name: getattr(self, name) for name in COLUMNS}

    @property
    def row(self) -> tuple[Any, ...]:
        """The values of the table's columns."""
        values = self.facts
        return (*(values[name] or "" if name == "outcome" else values[name] for name in COLUMNS),)


COLUMNS = tuple(one.name for one in fields(GameRecord) if one.name != "pgn")
_SELECT = ", ".join(f"games.{name}" for name in COLUMNS)


def select_games(
    connection: sqlite3.Connection,
    *,
    since_s: float = 0.0,
    opponent_id: str = "",
    game_id: str = "",
    newest: int = 0,
    with_pgn: bool = False,
) -> list[GameRecord]:
    """Return the games that ended after `since_s` (epoch seconds), oldest first.

    `opponent_id` and `game_id` select games, `newest` limits their number (0: no limit). Raises sqlite3.Error, and
    ValueError for a damaged row.
    """
    conditions, values = ["ended_s > ?"], [since_s, opponent_id, game_id]
    conditions += [f"games.{name} = ?" for name, value in (("opponent_id", opponent_id), ("game_id", game_id)) if value]
    pgn, join = ("COALESCE(pgn, '')", "LEFT JOIN pgns USING (game_id)") if with_pgn else ("''", "")
    rows = connection.execute(
        f"SELECT {_SELECT}, {pgn} FROM games {join} WHERE {' AND '.join(conditions)}"
        " ORDER BY ended_s DESC, games.game_id DESC LIMIT ?",
        (*(value for value in values if value != ""), newest or -1),
    )
    return list(_records(rows))[::-1]


def _records(rows: sqlite3.Cursor) -> Iterator[GameRecord]:
    outcome, *flags = map(COLUMNS.index, ("outcome", "opponent_is_bot", "rated"))
    for row in rows:
        values = list(row)
        values[outcome] = Outcome(values[outcome]) if values[outcome] else None
        for place in flags:
            values[place] = bool(values[place])
        yield GameRecord(*values)
