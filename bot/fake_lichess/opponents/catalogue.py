"""Opponents by name, for accounts in the configuration and for the computer's levels."""

from __future__ import annotations

import re
import shlex
import shutil

from ..config import ConfigError, FakeConfig
from ..world.opponent import Opponent
from .script import Script, ScriptedOpponent, load_script
from .uci import LEVELS, UciOpponent, level_at

LEVEL_OF_GREEDY = 3
DEFAULT_LEVEL = 5
_ENGINE = re.compile(r"(?:engine([1-8])?|elo(\d{3,4})):(.*)", re.DOTALL)


def check_program(what: str, command: str) -> None:
    """Raise ConfigError if the program of a command is missing."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ConfigError(f"{what}: {error} in the command {command!r}") from error
    if not words or shutil.which(words[0]) is None:
        program = words[0] if words else ""
        raise ConfigError(f"{what}: program {program!r} not found; install the engine or give its full path")


class Catalogue:
    """Makes the built-in opponents with the delays and engines of a configuration."""

    def __init__(self, config: FakeConfig) -> None:
        """Raise ConfigError for a missing engine."""
        if config.ai_engine:
            check_program("ai_engine", config.ai_engine)
        self._config = config

    def named(self, text: str) -> Opponent:
        """Build an opponent: random, greedy, scripted:FILE or engine:COMMAND.

        engine1: to engine8: are levels, elo1200: is one by Elo.
        Raises ValueError (ConfigError for a bad script or a missing engine).
        """
        if text in ("random", "greedy"):
            delay_s = self._config.opponent_delay_s
            return ScriptedOpponent(Script.model_validate({"then": text, "think_s": delay_s, "draw": "ignore"}))
        if text.startswith("scripted:"):
            return ScriptedOpponent(load_script(text.removeprefix("scripted:")))
        engine = _ENGINE.fullmatch(text)
        if engine and engine[3].strip():
            check_program(text, engine[3])
            level = level_at(int(engine[2])) if engine[2] else LEVELS[int(engine[1] or DEFAULT_LEVEL)]
            return UciOpponent(engine[3], level)
        raise ValueError(
            f"unknown opponent {text!r}: use random, greedy, scripted:FILE or engine:COMMAND (engine1: to engine8:, "
            "elo1200: for a level by Elo)"
        )

    def computer(self, level: int) -> Opponent:
        """Return the computer at a level from 1 to 8. Without an engine it is random up to level 2 and greedy above."""
        if self._config.ai_engine:
            return UciOpponent(self._config.ai_engine, LEVELS[level])
        return self.named("random" if level < LEVEL_OF_GREEDY else "greedy")
