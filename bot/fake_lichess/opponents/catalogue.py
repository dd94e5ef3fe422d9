"""Opponents by name, for accounts in the configuration and for the computer's levels."""

from __future__ import annotations

from bot.fake_lichess.config import FakeConfig
from bot.fake_lichess.opponents.base import Mover, Opponent
from bot.fake_lichess.opponents.movers import pick_greedy, pick_random

LEVEL_OF_GREEDY = 3


def opponent_named(text: str, config: FakeConfig) -> Opponent:
    """Build an opponent: random, greedy. Raises ValueError."""
    if text == "random":
        return Mover(pick_random, config.opponent_delay_s)
    if text == "greedy":
        return Mover(pick_greedy, config.opponent_delay_s)
    raise ValueError(f"unknown opponent {text!r}: use random, greedy, scripted:FILE or engine:COMMAND")


def computer(config: FakeConfig, level: int) -> Opponent:
    """The computer at a level 1-8: without an engine, random moves up to level 2, greedy ones above."""
    return opponent_named("random" if level < LEVEL_OF_GREEDY else "greedy", config)
