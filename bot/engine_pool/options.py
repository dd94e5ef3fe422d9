"""Small questions about an entry and about the options that its engine offers."""

from __future__ import annotations

import os
from collections.abc import Mapping

import chess.engine

from bot.engine_pool.protocol import WatchedUci
from bot.engine_pool.values import OptionValue
from bot.settings import EngineEntry


def settable(options: Mapping[str, OptionValue]) -> dict[str, str | int | bool | None]:
    """Without those that python-chess sets by itself for each search; UCI knows no fractions but as text."""
    return {
        name: str(value) if isinstance(value, float) else value
        for name, value in options.items()
        if name.lower() not in chess.engine.MANAGED_OPTIONS
    }


def environment(entry: EngineEntry) -> dict[str, str] | None:
    """The environment of its processes; None for just ours."""
    return {**os.environ, **entry.environment} if entry.environment else None


def variants(protocol: WatchedUci) -> list[str]:
    """The variants that the engine offers beside chess, by their UCI names."""
    option = protocol.options.get("UCI_Variant")
    return list(option.var or ()) if option is not None else []


def hint(entry: EngineEntry) -> str:
    """What to do about an entry that does not start."""
    return f"try the command by hand: {' '.join(entry.argv)}"
