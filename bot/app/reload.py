"""What SIGHUP may change while the bot runs, and what it may not. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel

from bot.settings import Settings

#: Sections that are read anew for each challenge or each game; all others are built into what runs.
RELOADED = ("challenges", "conduct", "clock")


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


def merged(running: Settings, wanted: Settings) -> Settings:
    """Return the running settings with the sections of `wanted` that can be taken over without a restart."""
    return running.model_copy(update={name: getattr(wanted, name) for name in RELOADED})


def changed(running: Settings, wanted: Settings) -> tuple[str, ...]:
    """Return the sections that will be taken over and differ."""
    return tuple(name for name in RELOADED if getattr(running, name) != getattr(wanted, name))


def needs_restart(running: Settings, wanted: Settings) -> tuple[str, ...]:
    """Return the keys that differ and take effect at the next start only, such as "lichess.url"; never a value."""
    names = []
    for section in type(running).model_fields:
        old, new = getattr(running, section), getattr(wanted, section)
        if section in RELOADED or old == new:
            continue
        if isinstance(old, BaseModel) and isinstance(new, BaseModel):
            keys = type(old).model_fields
            names += [f"{section}.{key}" for key in keys if getattr(old, key) != getattr(new, key)]
        else:
            names.append(section)
    return tuple(names)
