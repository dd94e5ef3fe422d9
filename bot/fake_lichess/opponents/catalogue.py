"""Opponents by name, for accounts in the configuration and for the computer's levels."""

from __future__ import annotations

import re

from bot.fake_lichess.config import FakeConfig
from bot.fake_lichess.opponents.base import Mover, Opponent
from bot.fake_lichess.opponents.movers import pick_greedy, pick_random
from bot.fake_lichess.opponents.script import Script, ScriptedOpponent, load_script
from bot.fake_lichess.opponents.uci import UciOpponent

LEVEL_OF_GREEDY = 3
DEFAULT_LEVEL = 5
_ENGINE = re.compile(r"engine([1-8])?:(.*)", re.DOTALL)


def opponent_named(text: str, config: FakeConfig) -> Opponent:
    """Build an opponent: random, greedy, scripted:FILE, engine:COMMAND or engine1: to engine8:COMMAND.

    Raises ValueError (ConfigError for a bad script).
    """
    if text == "random":
        return Mover(pick_random, config.opponent_delay_s)
    if text == "greedy":
        return Mover(pick_greedy, config.opponent_delay_s)
    if text.startswith("scripted:"):
        return ScriptedOpponent(load_script(text.removeprefix("scripted:")))
    engine = _ENGINE.fullmatch(text)
    if engine:
        return UciOpponent(engine[2], int(engine[1] or DEFAULT_LEVEL))
    raise ValueError(
        f"unknown opponent {text!r}: use random, greedy, scripted:FILE or engine:COMMAND (engine1: to engine8:)"
    )


def scripted(script: Script) -> Opponent:
    """An opponent from a script in memory."""
    return ScriptedOpponent(script)


def computer(config: FakeConfig, level: int) -> Opponent:
    """The computer at a level 1-8: without an engine, random moves up to level 2, greedy ones above."""
    if config.ai_engine:
        return UciOpponent(config.ai_engine, level)
    return opponent_named("random" if level < LEVEL_OF_GREEDY else "greedy", config)
