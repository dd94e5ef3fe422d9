"""Which lines are wanted: one level for all, others by module, a finer one for listeners in the program."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
#: Libraries whose lines below a warning concern nobody, unless `by_module` names them.
_CHATTY = ("urllib3", "berserk", "chess.engine", "asyncio", "uvicorn")


@dataclass(frozen=True)
class Levels:
    """`everywhere`: for console and file; `by_module`: other levels by dotted name, for what lies below it too.

    `heard`: the level down to which lines reach handlers of others, such as the dashboard's; "": as for the console.
    """

    everywhere: str = "info"
    by_module: Mapping[str, str] = field(default_factory=dict)
    heard: str = ""

    @property
    def least(self) -> int:
        """The level below which no line is made at all."""
        return min(LEVELS[level] for level in (self.everywhere, *self.by_module.values(), self.heard) if level)

    def set_loggers(self) -> None:
        """Let each logger make the lines that somebody wants; what is less is left to `shown`."""
        root = min(LEVELS[self.everywhere], LEVELS[self.heard or self.everywhere])
        logging.getLogger().setLevel(root)
        for name in _CHATTY:
            logging.getLogger(name).setLevel(max(root, logging.WARNING))
        for name, level in self.by_module.items():
            logging.getLogger(name).setLevel(min(LEVELS[level], root))

    def shown(self, record: logging.LogRecord) -> bool:
        """Whether console and file show a line; a filter of their handlers."""
        name = record.name
        while name:
            if name in self.by_module:
                return record.levelno >= LEVELS[self.by_module[name]]
            name = name.rpartition(".")[0]
        return record.levelno >= LEVELS[self.everywhere]
