"""What goes into the pool and what comes out of it: entries, requirements, answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import chess

from bot.engine_pool.info import EngineInfo, parse_info
from bot.errors import EngineBabbles, EngineError

OptionValue = str | int | float | bool | None


class IllegalMove(EngineBabbles):
    """The engine's move is illegal in the position, is no move at all, or it claims to have none."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a game asks of its engine.

    `names`: entries that may serve it, any entry when empty; `options`: set for this game on top of the entry's own;
    `variant`: as python-chess spells it for UCI ("chess", "crazyhouse", ...); `chess960`: castling in that notation.
    """

    names: tuple[str, ...] = ()
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    variant: str = "chess"
    chess960: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of one thought.

    `move` is legal, and None exactly when `error` tells why no engine could give one (the caller resigns).
    `elapsed_ms`: from the call of `play` to the callback; `replaced`: how many processes were used up on the way.
    """

    move: chess.Move | None
    ponder: chess.Move | None = None
    info_line: str = ""
    engine: str = ""
    elapsed_ms: float = 0.0
    replaced: int = 0
    error: EngineError | None = None

    @property
    def info(self) -> EngineInfo:
        """The engine's last word on depth, score and variation; read anew at each call."""
        return parse_info(self.info_line)


@dataclass(frozen=True, slots=True)
class EntrySnapshot:
    """One entry as the dashboard shows it; all counts are processes, `replaced` since the pool's start."""

    name: str
    slots: int
    lent: int
    idle: int
    starting: int
    replaced: int
    pids: tuple[int, ...]
    last_error: str = ""
