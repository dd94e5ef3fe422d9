"""What an entry asks of its engine, and what the engine offers."""

from __future__ import annotations

import os
from collections.abc import Mapping

import chess.engine
import structlog

from bot.engine_pool.protocol import MonitoredUci
from bot.engine_pool.values import OptionValue
from bot.errors import did_you_mean
from bot.settings import TOKEN_VARIABLE, EngineEntry
from bot.settings.document import PREFIX

log = structlog.get_logger(__name__)


def settable(options: Mapping[str, OptionValue]) -> dict[str, str | int | bool | None]:
    """Without those that python-chess sets itself for each search; UCI has no fractions, they become text."""
    return {
        name: str(value) if isinstance(value, float) else value
        for name, value in options.items()
        if name.lower() not in chess.engine.MANAGED_OPTIONS
    }


def offered(
    options: Mapping[str, OptionValue], declared: Mapping[str, chess.engine.Option], engine: str
) -> dict[str, OptionValue]:
    """Without the options that this engine does not declare: those of a rule go to whichever engine serves the game."""
    missing = [name for name in options if name not in declared]
    if missing:
        log.warning("engine_option_unknown", engine=engine, options=missing)
    return {name: value for name, value in options.items() if name in declared}


def as_declared(
    options: Mapping[str, OptionValue], declared: Mapping[str, chess.engine.Option]
) -> dict[str, OptionValue]:
    """Under the names that the engine declares: UCI compares them without case, and each is to be there once."""
    names = {name.lower(): name for name in declared}
    return {names.get(name.lower(), name): value for name, value in options.items()}


def limited_strength(elo: int, declared: Mapping[str, chess.engine.Option]) -> dict[str, OptionValue]:
    """The options with which an engine plays at a strength, or the nearest it can; none where it has no such levels."""
    option = declared.get("UCI_Elo")
    if option is None or "UCI_LimitStrength" not in declared:
        return {}
    least = elo if option.min is None else max(elo, option.min)
    return {"UCI_LimitStrength": True, "UCI_Elo": least if option.max is None else min(least, option.max)}


def environment(entry: EngineEntry) -> dict[str, str]:
    """Return the environment of its processes: ours and the entry's, without our configuration and its secrets."""
    ours = {name: value for name, value in os.environ.items() if name != TOKEN_VARIABLE and not name.startswith(PREFIX)}
    return {**ours, **entry.environment}


def variants(protocol: MonitoredUci) -> list[str]:
    """The variants that the engine offers beside chess, by their UCI names."""
    option = protocol.options.get("UCI_Variant")
    return list(option.var or ()) if option is not None else []


def start_hint(entry: EngineEntry) -> str:
    """What to do about an entry that does not start."""
    return f"try the command by hand: {' '.join(entry.argv)}"


def unknown_options(options: Mapping[str, OptionValue], declared: Mapping[str, chess.engine.Option]) -> str:
    """Say which options the engine lacks, and what to do about it; "" for none. Case does not matter."""
    known = {name.lower() for name in declared}
    missing = [name for name in options if name.lower() not in known]
    if not missing:
        return ""
    hint = did_you_mean(missing[0], declared)
    remedy = f"{hint} Correct" if hint else "correct"
    return (
        f"this engine has no option {', '.join(missing)}; {remedy} or remove it under `options` "
        f"(the engine has: {', '.join(declared)})"
    )
