"""The console as a destination of the log: standard error or its replacement, and how a line looks there."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import MutableMapping
from typing import Any

from structlog.dev import (
    Column,
    ConsoleRenderer,
    KeyValueColumnFormatter,
    LogLevelColumnFormatter,
    plain_traceback,
)


class StandardError:
    """Looks up `sys.stderr` at each write, because a live display may have replaced it.

    The real one is written by its file descriptor. A thread that blocks inside Python's buffered writer would hold its
    lock, and the interpreter cannot end while somebody does.
    """

    name = "standard error"

    def write(self, text: str) -> None:
        """Write the lines, unless standard error was closed before the program started."""
        stream = sys.stderr
        if stream is None:
            return
        real = sys.__stderr__
        if real is None or stream is not real:
            stream.write(text)
            stream.flush()
        else:
            write_all(real.fileno(), text.encode(real.encoding, "backslashreplace"))

    def close(self) -> None:
        """Do nothing: standard error is the process's."""


def reserve_standard_streams() -> None:
    """Open the null device in place of standard streams that were closed before the program began.

    Else the next file that is opened, the store for example, gets the number of standard error, and whatever a library
    or a child process prints is written into it.
    """
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            taken = os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
            os.set_inheritable(taken, True)  # for child processes it is standard error too


def is_terminal() -> bool:
    """Return whether standard error is a terminal, which shows colours."""
    return sys.stderr is not None and sys.stderr.isatty()


def write_all(fd: int, data: bytes) -> None:
    """Write all of it by file descriptor; may block. Raises OSError."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(fd, view) :]
        except BlockingIOError:  # somebody who shares the terminal made it non-blocking
            select.select([], [fd], [])


#: Shown as their values alone, in this order, before the fields that are shown as key=value.
_VALUES_ALONE = ("game_id", "challenge_id", "event", "san")
_DIM, _CYAN, _BRIGHT, _RESET = "\x1b[2m", "\x1b[36m", "\x1b[1m", "\x1b[0m"


def console_renderer(*, colors: bool) -> ConsoleRenderer:
    """Return the last processor: `11-22 17:54:36 abcdefgh move 12.Nf3 score=+0.34 depth=14`."""
    dim, cyan, bright, reset = (_DIM, _CYAN, _BRIGHT, _RESET) if colors else ("", "", "", "")
    levels = ConsoleRenderer.get_default_level_styles(colors)

    def value_alone(style: str) -> KeyValueColumnFormatter:
        return KeyValueColumnFormatter(None, style, reset, _shown)

    columns = [
        Column("timestamp", value_alone(dim)),
        Column("level", LogLevelColumnFormatter(levels, reset, width=0)),
        *(Column(key, value_alone(bright)) for key in _VALUES_ALONE),
        Column("", KeyValueColumnFormatter(cyan, "", reset, _shown)),
    ]
    return ConsoleRenderer(columns=columns, sort_keys=False, exception_formatter=plain_traceback)


def shorten(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Shorten the time and, at level info, omit level and module; a structlog processor."""
    if isinstance(event.get("timestamp"), str):
        event["timestamp"] = event["timestamp"][5:19].replace("T", " ")
    if event.get("level") == "info":
        del event["level"]
        event.pop("logger", None)
    return event


def _shown(value: object) -> str:
    return value if isinstance(value, str) else repr(value)
