"""The latest error in the log, for the pages."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

LONGEST = 300  # characters of an error's text


@dataclass(frozen=True, slots=True)
class LoggedError:
    """`event`: the name of the log line; `text`: its error, if it has one; `at_s`: epoch seconds."""

    event: str
    text: str
    at_s: float


class LastError(logging.Handler):
    """Keeps the latest line of level error.

    Our own lines come here without the token; of other libraries' lines only the name of the logger is kept.
    """

    def __init__(self) -> None:
        """Start without an error."""
        super().__init__(logging.ERROR)
        self.latest: LoggedError | None = None

    def install(self) -> None:
        """Listen from now on."""
        logging.getLogger().addHandler(self)

    def remove(self) -> None:
        """Listen no more."""
        logging.getLogger().removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line; our own are mappings, those of other libraries texts."""
        if isinstance(record.msg, Mapping):
            event, text = str(record.msg.get("event", "")), str(record.msg.get("error", ""))
        else:
            event, text = record.name, "see the log"
        self.latest = LoggedError(event, text[:LONGEST], record.created)
