"""The latest lines of the log and the latest error, for the pages."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from bot.events.reading import clean
from bot.log import Redactor
from bot.play.game_log import MOVE

LINES = 50
LONGEST_VALUE = 160  # characters
LONGEST = 300  # characters of an error's text
#: Fields that are shown elsewhere, or not at all.
_NO_FIELDS = ("event", "level", "logger", "timestamp", "game_id", "exception", "stack")

#: Number, epoch seconds, level, name of the logger, message.
_Record = tuple[int, float, str, str, object]


@dataclass(frozen=True, slots=True)
class LogLine:
    """`number` grows from line to line; `at_s`: epoch seconds; `fields`: the rest as "name=value name=value"."""

    number: int
    at_s: float
    level: str
    event: str
    game_id: str
    fields: str


@dataclass(frozen=True, slots=True)
class LoggedError:
    """`event`: the name of the log line; `text`: its error, if it has one; `at_s`: epoch seconds."""

    event: str
    text: str
    at_s: float


class LogTail(logging.Handler):
    """Keeps the latest lines. Logging only appends a reference to a ring; lines become text when they are read.

    Our own lines arrive without the token, and all secrets are removed once more; of other libraries' lines only the
    name of the logger is kept. `last_error` is the latest line of level error.
    """

    def __init__(self, *secrets: str) -> None:
        """Start empty."""
        super().__init__()
        self.last_error: LoggedError | None = None
        self._records: deque[_Record] = deque(maxlen=LINES)
        self._redact = Redactor(*secrets)
        self._seen = 0

    def install(self) -> None:
        """Start to listen."""
        logging.getLogger().addHandler(self)

    def remove(self) -> None:
        """Stop listening."""
        logging.getLogger().removeHandler(self)

    def handle(self, record: logging.LogRecord) -> bool:
        """Like logging's own, without its lock: a ring needs none, and a game may be waiting."""
        self.emit(record)
        return True

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line, except those of single moves, which the boards show.

        Two simultaneous lines may get the same number, which only pages see.
        """
        if isinstance(record.msg, Mapping) and record.msg.get("event") == MOVE:
            return
        self._seen += 1
        self._records.append((self._seen, record.created, record.levelname, record.name, record.msg))
        if record.levelno >= logging.ERROR:
            own = record.msg if isinstance(record.msg, Mapping) else {"event": record.name, "error": "see the log"}
            text = str(own.get("error", ""))[:LONGEST]
            self.last_error = LoggedError(str(own.get("event", "")), text, record.created)

    def lines(self) -> tuple[LogLine, ...]:
        """Return the latest lines, oldest first."""
        return tuple(self._line(record) for record in self._records.copy())

    def _line(self, record: _Record) -> LogLine:
        number, at_s, level, name, message = record
        if not isinstance(message, Mapping):
            return LogLine(number, at_s, level.lower(), clean(name), "", "see the log")
        found = self._redact(None, "", dict(message))
        fields = [f"{key}={_short(value)}" for key, value in found.items() if key not in _NO_FIELDS]
        if isinstance(found.get("exception"), str) and found["exception"].strip():
            fields.append(f"exception={_short(found['exception'].strip().splitlines()[-1])}")
        event, game_id = _short(found.get("event", "")), _short(found.get("game_id", ""))
        return LogLine(number, at_s, level.lower(), event, game_id, " ".join(fields))


def _short(value: object) -> str:
    text = clean(str(value))
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"
