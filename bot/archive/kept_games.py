"""The finished games in the store, read beside a bot that may be running: nothing is written, migrated or locked."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.archive.game_record import COLUMNS, GameRecord, record_of
from bot.archive.store_schema import MIGRATIONS
from bot.errors import StoreError

_QUERY = (
    f"SELECT pgn, {', '.join(COLUMNS)} FROM games WHERE ended_s > ? AND (? = '' OR opponent_id = ?)"
    " AND (? = '' OR game_id = ?) AND status NOT IN ('created', 'started') ORDER BY ended_s, game_id"
)


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A finished game and its PGN, "" where it was not kept."""

    record: GameRecord
    pgn: str

    @property
    def outcome(self) -> str:
        """What it was for us, as GameRecord has it."""
        return self.record.outcome

    @property
    def my_rating(self) -> int | None:
        """Our rating at the start; the PGN knows it of games kept before schema 4. None where there was none."""
        return self.record.my_rating or self._elo("White" if self.record.color == "white" else "Black")

    @property
    def opponent_rating(self) -> int | None:
        """The opponent's rating at the start, as ours."""
        return self.record.opponent_rating or self._elo("Black" if self.record.color == "white" else "White")

    @property
    def opponent_kind(self) -> str:
        """The kind of opponent, in the words of the settings."""
        return "bot" if self.record.opponent_is_bot else "human"

    def _elo(self, side: str) -> int | None:
        found = re.search(rf'^\[{side}Elo "([0-9]{{1,4}})"\]', self.pgn, re.MULTILINE)
        return int(found[1]) if found else None


def kept_games(path: Path, since_s: float = 0.0, opponent_id: str = "", game_id: str = "") -> list[KeptGame]:
    """Return the games that ended after `since_s` (epoch seconds), oldest first; of one opponent when named.

    `game_id`: that game alone.

    Raises StoreError when the file is missing, or no store of this version.
    """
    if not path.is_file():
        raise StoreError(f"{path}: there is no such file; the first `bot88 run` makes it")
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            ((version,),) = connection.execute("PRAGMA user_version").fetchall()
            if 0 < version < len(MIGRATIONS):
                raise StoreError(f"{path}: is of an older version of bot88; the next `bot88 run` brings it up to date")
            rows = connection.execute(_QUERY, (since_s, opponent_id, opponent_id, game_id, game_id)).fetchall()
    except sqlite3.Error as error:
        raise StoreError(f"{path}: cannot be read as a store of this version: {error}") from error
    return [KeptGame(_record(row[1:], path), str(row[0])) for row in rows]


def _record(row: tuple[object, ...], path: Path) -> GameRecord:
    try:
        return record_of(row)
    except ValueError as error:
        raise StoreError(f"{path}: the record of game {row[0]} is damaged; delete it with sqlite3") from error
