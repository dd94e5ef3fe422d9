"""Which engines there are, and which game gets which."""

from __future__ import annotations

import shlex
import sys
from typing import Annotated

from pydantic import BeforeValidator, Field, Strict, field_validator

from bot.settings.base import (
    Closed,
    Color,
    Count,
    FilePath,
    Flag,
    Mode,
    Names,
    Number,
    OpponentKinds,
    Positive,
    Seconds,
    Speeds,
    Text,
    Variants,
)

#: In a command, the interpreter that runs the bot.
PYTHON = "{python}"

OptionValue = Flag | Number | Annotated[float, Strict()] | Text
Options = dict[str, OptionValue]


def _words(value: object) -> object:
    """A command may be written as one line."""
    return shlex.split(value) if isinstance(value, str) else value


class EngineEntry(Closed):
    """One way to get engine processes: a command, here or on another machine."""

    name: Annotated[Text, Field(min_length=1)] = "engine88"
    command: Annotated[tuple[Text, ...], BeforeValidator(_words), Field(min_length=1)] = (PYTHON, "-m", "engine88")
    options: Options = Field(default_factory=dict)
    slots: Positive = 2
    spares: Count = 1
    remote: Flag = False
    working_dir: FilePath | None = None
    environment: dict[str, Text] = Field(default_factory=dict)
    start_timeout_s: Seconds = 300.0
    variants: Variants = ("standard", "chess960", "fromPosition")

    @property
    def argv(self) -> tuple[str, ...]:
        """The command to run, with the interpreter filled in."""
        return tuple(word.replace(PYTHON, sys.executable) for word in self.command)


class EngineRule(Closed):
    """The first rule whose every condition holds chooses the engine; a condition left out always holds."""

    engines: Names = ()
    variants: Variants | None = None
    speeds: Speeds | None = None
    mode: Mode | None = None
    color: Color | None = None
    opponents: OpponentKinds | None = None
    options: Options = Field(default_factory=dict)
    depth: Positive | None = None
    nodes: Positive | None = None
    move_time_s: Seconds | None = None

    @field_validator("move_time_s")
    @classmethod
    def _not_zero(cls, value: float | None) -> float | None:
        if value == 0:
            raise ValueError("must be more than 0")
        return value


__all__ = ["PYTHON", "EngineEntry", "EngineRule", "OptionValue", "Options"]
