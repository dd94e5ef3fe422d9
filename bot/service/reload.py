"""Reload the configuration: what may change while the bot runs, and what needs a restart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog
from pydantic import BaseModel

from bot.errors import ConfigurationError
from bot.settings import Settings

log = structlog.get_logger(__name__)

#: Sections that are read again for each challenge or game; the others are built in at the start.
RELOADED = ("challenges", "conduct", "clock", "rules")


def reloadable(running: Settings, wanted: Settings) -> tuple[str, ...]:
    """Return the sections that can be reloaded: rules only with the same engines, which they name."""
    return tuple(name for name in RELOADED if name != "rules" or running.engines == wanted.engines)


@dataclass(frozen=True)
class ReloadOutcome:
    """The reloaded sections and the keys that need a restart; `error` if the old configuration stays."""

    taken: tuple[str, ...] = ()
    restart: tuple[str, ...] = ()
    error: str = ""

    def __str__(self) -> str:
        if self.error:
            return f"the configuration was not reloaded: {self.error}"
        taken = f"taken over: {', '.join(self.taken)}" if self.taken else "nothing has changed that can be taken over"
        return taken + (f"; needs a restart: {', '.join(self.restart)}" if self.restart else "")


def read_again(read_settings: Callable[[], Settings]) -> Settings | ReloadOutcome:
    """Return the new configuration, or the outcome if it cannot be read."""
    try:
        return read_settings()
    except ConfigurationError as error:
        log.error("configuration_not_reloaded", error=str(error), remedy="correct it and reload again")
        return ReloadOutcome(error=str(error))
    except Exception as error:  # a fault of ours in reading must not end the games
        log.exception("configuration_not_reloaded")
        return ReloadOutcome(error=f"{type(error).__name__}, see the log")


def merged(running: Settings, wanted: Settings) -> Settings:
    """Return the running settings with those sections of `wanted` that can be reloaded."""
    return running.model_copy(update={name: getattr(wanted, name) for name in reloadable(running, wanted)})


def changed(running: Settings, wanted: Settings) -> tuple[str, ...]:
    """Return the sections that can be reloaded and differ."""
    return tuple(name for name in reloadable(running, wanted) if getattr(running, name) != getattr(wanted, name))


def needs_restart(running: Settings, wanted: Settings) -> tuple[str, ...]:
    """Return the keys that differ and take effect at the next start only, such as "lichess.url"; never a value."""
    names = []
    taken = reloadable(running, wanted)
    for section in type(running).model_fields:
        old, new = getattr(running, section), getattr(wanted, section)
        if section in taken or old == new:
            continue
        if isinstance(old, BaseModel):
            keys = type(old).model_fields
            names += [f"{section}.{key}" for key in keys if getattr(old, key) != getattr(new, key)]
        else:
            names.append(section)
    return tuple(names)
