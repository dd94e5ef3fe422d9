"""Reading the configuration again: what it may change while the bot runs, and what it may not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog
from pydantic import BaseModel

from bot.errors import ConfigurationError
from bot.settings import Settings

log = structlog.get_logger(__name__)

#: Sections that are read anew for each challenge or each game; all others are built into what runs.
RELOADED = ("challenges", "user_lists", "conduct", "clock", "rules")


def reloadable(running: Settings, wanted: Settings) -> tuple[str, ...]:
    """Return the sections that may be taken over; rules name engines, and other engines need a restart."""
    return tuple(name for name in RELOADED if name != "rules" or running.engines == wanted.engines)


@dataclass(frozen=True)
class ReloadOutcome:
    """The sections taken over, the keys that need a restart; `error` where the old configuration was kept instead."""

    taken: tuple[str, ...] = ()
    restart: tuple[str, ...] = ()
    error: str = ""

    def __str__(self) -> str:
        if self.error:
            return f"the configuration was not reloaded: {self.error}"
        taken = f"taken over: {', '.join(self.taken)}" if self.taken else "nothing has changed that can be taken over"
        return taken + (f"; needs a restart: {', '.join(self.restart)}" if self.restart else "")


def read_again(read_settings: Callable[[], Settings]) -> Settings | ReloadOutcome:
    """Return the configuration as it is now, or the outcome where it cannot be read."""
    try:
        return read_settings()
    except ConfigurationError as error:
        log.error("configuration_not_reloaded", error=str(error), remedy="correct it and reload again")
        return ReloadOutcome(error=str(error))
    except Exception as error:  # a fault of ours in reading must not end the games
        log.exception("configuration_not_reloaded")
        return ReloadOutcome(error=f"{type(error).__name__}, see the log")


def merged(running: Settings, wanted: Settings) -> Settings:
    """Return the running settings with the sections of `wanted` that can be taken over without a restart."""
    return running.model_copy(update={name: getattr(wanted, name) for name in reloadable(running, wanted)})


def changed(running: Settings, wanted: Settings) -> tuple[str, ...]:
    """Return the sections that will be taken over and differ."""
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
