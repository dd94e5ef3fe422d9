"""Which engines there are, and which game gets which."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, Strict, field_validator, model_validator

from bot.settings.conditions import GameConditions
from bot.settings.conduct import Elo
from bot.settings.types import Closed, Count, FilePath, Flag, Names, Number, Positive, Seconds, Share, Text, Variants

#: In a command, the interpreter that runs the bot.
PYTHON = "{python}"
#: The engine that comes with the bot. `-P`: do not search the current folder, which may contain another copy.
OWN_ENGINE = (PYTHON, "-P", "-m", "engine88")
#: What speaks UCI for an engine written as a Python class.
PYTHON_ENGINE = (PYTHON, "-P", "-m", "bot.engine_pool.python_engine", "{file}")
#: Options for which the bot computes "auto", in lower case.
AUTO_OPTIONS = frozenset({"hash", "threads"})

OptionValue = Flag | Number | Annotated[float, Strict()] | Text
Options = dict[str, OptionValue]


def _words(value: object) -> object:
    """Accept a command written as one line."""
    return shlex.split(value) if isinstance(value, str) else value


class EngineEntry(Closed):
    """A way to get engine processes: a command, here or on another machine. Games spread over the entries."""

    name: Annotated[Text, Field(min_length=1)] = "engine88"
    """Its name in rules and logs."""
    command: Annotated[tuple[Text, ...], BeforeValidator(_words), Field(min_length=1)] = OWN_ENGINE
    """A list of words, or one line. `{python}` is the interpreter that runs the bot."""
    python: FilePath | None = Field(default=None, examples=["my_engine.py"])
    """Instead of `command`: FILE or FILE:CLASS with an engine written as a Python class (docs/your-engine.md)."""
    options: Options = Field(default_factory=dict, examples=[{"Hash": 64, "Threads": "auto"}])
    """UCI options by name. `Hash` and `Threads` may be `auto`: a share of this machine's memory and processors."""
    slots: Positive = 2
    """Games that this entry serves at once."""
    spares: Count = 1
    """Warm processes kept besides those in use."""
    remote: Flag = False
    """`true`: the command talks to another machine."""
    working_dir: FilePath | None = Field(default=None, examples=["../engines"])
    """Folder in which the process starts."""
    environment: dict[str, Text] = Field(default_factory=dict)
    """Environment variables of the process, besides the bot's own without those of its configuration."""
    start_timeout_s: Seconds = 300.0
    """How long a start may take, and again the first search; engine88 compiles at its very first start."""
    variants: Variants = ("standard", "chess960", "fromPosition")
    """Variants that the engine plays."""

    @model_validator(mode="before")
    @classmethod
    def _defaults_of_a_class(cls, entry: object) -> object:
        """Name a Python engine after its file. It plays Chess960 only where the entry lists it."""
        if not isinstance(entry, dict) or not isinstance(entry.get("python"), (str, Path)):
            return entry
        if tuple(entry.get("command", PYTHON_ENGINE)) != PYTHON_ENGINE:
            raise ValueError("give either `command` or `python`, not both")
        stem = Path(entry["python"]).name.partition(".")[0]
        defaults = {"name": stem, "command": PYTHON_ENGINE, "variants": ["standard", "fromPosition"]}
        return defaults | entry

    @model_validator(mode="after")
    def _auto_is_for_this_machine(self) -> Self:
        auto = [name for name, value in self.options.items() if value == "auto" and name.lower() in AUTO_OPTIONS]
        if self.remote and auto:
            raise ValueError(f"option {auto[0]}: `auto` measures this machine; give a number for a remote engine")
        return self

    @property
    def argv(self) -> tuple[str, ...]:
        """The command to run, with the interpreter filled in."""
        words = [word.replace(PYTHON, sys.executable) for word in self.command]
        return tuple(words if self.python is None else (word.replace("{file}", str(self.python)) for word in words))


class EngineRule(GameConditions):
    """Which game gets which engine: the first rule whose conditions all hold. Without one, all engines may serve."""

    engines: Names = Field(default=(), examples=[["engine88"]])
    """Names of entries in order of preference; empty: all, by load."""
    options: Options = Field(default_factory=dict, examples=[{"Hash": 256}])
    """UCI options for these games, over those of the entry."""
    level: Elo | Text | None = Field(default=None, examples=[1800])
    """Play at this Elo (100 to 4000), at a level of `conduct.levels.names`, or, with `opponent`, at their rating."""
    depth: Positive | None = Field(default=None, examples=[20])
    """Greatest depth of a search."""
    nodes: Positive | None = Field(default=None, examples=[1_000_000])
    """Most nodes of a search."""
    move_time_s: Seconds | None = Field(default=None, examples=[5])
    """Longest time for a move."""
    min_move_share: Share | None = Field(default=None, examples=[0.02])
    """`clock.min_move_share` for these games."""
    ponder: Flag | None = Field(default=None, examples=[False])
    """`clock.ponder` or `correspondence.ponder` for these games."""

    @field_validator("move_time_s")
    @classmethod
    def _not_zero(cls, value: float | None) -> float | None:
        if value == 0:
            raise ValueError("must be more than 0")
        return value


class ClockSettings(Closed):
    """Thinking time in games with a clock."""

    ponder: Flag = False
    """Think on the opponent's time; uses a processor core per game."""
    min_overhead_ms: Count = 30
    """What a move costs besides thinking, until it has been measured."""
    max_move_s: Seconds | None = Field(default=None, examples=[60])
    """Longest time for a move."""
    min_move_share: Share = 0.0
    """Least part of our clock for a move, 0 to 0.05, at most 10 seconds; 0.025 is lichess-bot's fake thinking time."""


class CorrespondenceSettings(Closed):
    """Games with days per move, or without limit."""

    think_s: Annotated[Seconds, Field(gt=0)] = 30.0
    """Time for a move."""
    ponder: Flag = False
    """Continue thinking while waiting."""
    disconnect_after_s: Seconds = 150.0
    """Leave a game if the opponent has not moved for this long."""
    check_in_every_s: Annotated[Seconds, Field(gt=0, le=60)] = 60.0
    """How often games that were left are checked, besides the events that announce moves; at most 60."""
