"""Which engines there are, and which game gets which."""

from __future__ import annotations

import shlex
import sys
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, Strict, field_validator, model_validator

from bot.settings.base import (
    Closed,
    Count,
    FilePath,
    Flag,
    Names,
    Number,
    Positive,
    Seconds,
    Share,
    Text,
    Variants,
)
from bot.settings.conditions import GameConditions
from bot.settings.conduct.levels import Elo

#: In a command, the interpreter that runs the bot.
PYTHON = "{python}"

#: The engine that comes with the bot. `-P`: the current folder is not searched, where another copy of it may lie.
OWN_ENGINE = (PYTHON, "-P", "-m", "engine88")

#: Options for which "auto" is computed by the bot, in lower case.
AUTO_OPTIONS = frozenset({"hash", "threads"})

OptionValue = Flag | Number | Annotated[float, Strict()] | Text
Options = dict[str, OptionValue]


def _words(value: object) -> object:
    """A command may be written as one line."""
    return shlex.split(value) if isinstance(value, str) else value


class EngineEntry(Closed):
    """One way to get engine processes: a command, here or on another machine.

    The options `Hash` and `Threads` may be "auto": this entry's share of this machine's memory and processors.
    """

    name: Annotated[Text, Field(min_length=1)] = "engine88"
    command: Annotated[tuple[Text, ...], BeforeValidator(_words), Field(min_length=1)] = OWN_ENGINE
    options: Options = Field(default_factory=dict)
    slots: Positive = 2
    spares: Count = 1
    remote: Flag = False
    working_dir: FilePath | None = None
    environment: dict[str, Text] = Field(default_factory=dict)
    start_timeout_s: Seconds = 300.0
    variants: Variants = ("standard", "chess960", "fromPosition")

    @model_validator(mode="after")
    def _auto_is_for_this_machine(self) -> Self:
        auto = [name for name, value in self.options.items() if value == "auto" and name.lower() in AUTO_OPTIONS]
        if self.remote and auto:
            raise ValueError(f"option {auto[0]}: `auto` measures this machine; give a number for a remote engine")
        return self

    @property
    def argv(self) -> tuple[str, ...]:
        """The command to run, with the interpreter filled in."""
        return tuple(word.replace(PYTHON, sys.executable) for word in self.command)


class EngineRule(GameConditions):
    """The first rule whose every condition holds chooses the engine; a condition left out always holds.

    `level`: an Elo, one of `conduct.levels.names`, or "opponent" for the opponent's rating; `ponder` and
    `min_move_share`: None for what `clock` and `correspondence` say.
    """

    engines: Names = ()
    options: Options = Field(default_factory=dict)
    level: Elo | Text | None = None
    depth: Positive | None = None
    nodes: Positive | None = None
    move_time_s: Seconds | None = None
    min_move_share: Share | None = None
    ponder: Flag | None = None

    @field_validator("move_time_s")
    @classmethod
    def _not_zero(cls, value: float | None) -> float | None:
        if value == 0:
            raise ValueError("must be more than 0")
        return value


__all__ = ["PYTHON", "EngineEntry", "EngineRule", "OptionValue", "Options"]
