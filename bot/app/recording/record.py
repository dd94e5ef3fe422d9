"""The record of one game: JSON lines, each with `t` (epoch seconds) and `kind`.

| kind | fields | means |
|---|---|---|
| start | game, me, format | the recording begins, or goes on after a restart |
| open | | the game's stream was opened |
| line | text | a line of it, as it came; "" for a keep-alive |
| end | error | it ended; "" for a clean end |
| think | ply, move, info, engine, error | what the engine or a book answered |
| post | path, form | a request was sent, such as move/e2e4 |
| answer | path, status, text | its answer; status 0 for none; path "stream" for a stream that was refused |
| cut | | the record is full: what follows is missing |
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.errors import ConfigurationError

FORMAT = 1
KINDS = ("start", "open", "line", "end", "think", "post", "answer", "cut")


@dataclass(frozen=True)
class Entry:
    """One line of a record."""

    t: float
    kind: str
    fields: dict[str, Any]

    def text(self, key: str) -> str:
        """A field as text, "" where it is missing."""
        return str(self.fields.get(key) or "")

    def number(self, key: str) -> int:
        """A field as a number, 0 where it is none."""
        value = self.fields.get(key)
        return value if isinstance(value, int) else 0


@dataclass(frozen=True)
class Record:
    """A whole record; `me` is the id of our account."""

    game_id: str
    me: str
    entries: tuple[Entry, ...]


def read_record(path: Path) -> Record:
    """Read a record; lines that a crash has cut are left out. Raises ConfigurationError naming file and line."""
    try:
        lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: cannot be read: {error}") from error
    entries = []
    found = [_entry(line) for line in lines]
    for number, (entry, after) in enumerate(zip(found, [*found[1:], None], strict=True), 1):
        if entry is None and after is not None and after.kind != "start":
            raise ConfigurationError(f"{path}:{number}: no line of a record made by `bot88 run --record`")
        if entry is not None:
            entries.append(entry)
    start = entries[0] if entries and entries[0].kind == "start" else None
    if start is None or start.number("format") != FORMAT:
        raise ConfigurationError(f"{path}: no record of this format; make one with `bot88 run --record`")
    return Record(start.text("game"), start.text("me"), tuple(entries))


def _entry(line: str) -> Entry | None:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.get("kind") not in KINDS or not isinstance(data.get("t"), (int, float)):
        return None
    return Entry(float(data.pop("t")), data.pop("kind"), data)
