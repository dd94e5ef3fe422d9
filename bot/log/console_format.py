"""How a line looks on the console: short enough for a terminal of a hundred columns."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from structlog.dev import (
    Column,
    ConsoleRenderer,
    KeyValueColumnFormatter,
    LogLevelColumnFormatter,
    plain_traceback,
)

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
    """Leave out the year, the parts of a second and, on lines at level info, level and module; a processor."""
    if isinstance(event.get("timestamp"), str):
        event["timestamp"] = event["timestamp"][5:19].replace("T", " ")
    if event.get("level") == "info":
        del event["level"]
        event.pop("logger", None)
    return event


def _shown(value: object) -> str:
    return value if isinstance(value, str) else repr(value)
