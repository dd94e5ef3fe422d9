"""What goes into the pool and what comes out of it: requirements, answers, snapshots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import chess

from bot.engine_pool.info import EngineInfo, parse_info
from bot.errors import EngineError, EngineProtocolError

OptionValue = str | int | float | bool | None


class IllegalMove(EngineProtocolError):  # noqa: N818 -- the name says what happened, as in bot.errors
    """The engine's move is illegal in the position or no move at all, or the engine says that it has none."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a game asks of its engine.

    `names`: entries that may serve it, any entry when empty; `in_order`: the names are in order of preference (else
    games spread over them by load), the next one serves when one is full or fails; `options`: set for this game on top
    of the entry's own, as far as the engine has them; `variant`: as python-chess spells it for UCI ("chess",
    "crazyhouse", ...); `chess960`: castling in that notation; `elo`: the strength to play at, as near as an engine with
    `UCI_LimitStrength` can, None for all it has.
    """

    names: tuple[str, ...] = ()
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    variant: str = "chess"
    chess960: bool = False
    in_order: bool = False
    elo: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of one search.

    `move` is legal, and None exactly when `error` says why no engine, the fallback included, could give one.
    `elapsed_ms`: from the call of `play` to the callback; `replaced`: how many processes failed on the way.
    `source`: what gave the move instead of an engine, such as "book"; `wdl`: what a tablebase among these says of the
    position for the side to move (2 win, 1 win but for the fifty-move rule, 0 draw, -1, -2).
    """

    move: chess.Move | None
    ponder: chess.Move | None = None
    info_line: str = ""
    engine: str = ""
    elapsed_ms: float = 0.0
    replaced: int = 0
    error: EngineError | None = None
    source: str = ""
    wdl: int | None = None

    @property
    def info(self) -> EngineInfo:
        """Depth, score and variation as the engine last reported them; parsed anew at each call."""
        return parse_info(self.info_line)


@dataclass(frozen=True, slots=True)
class EntrySnapshot:
    """One entry as the dashboard shows it.

    `leased`: games served; `idle`, `starting`: processes now; `replaced`: processes that failed since the pool's start.
    """

    name: str
    slots: int
    leased: int
    idle: int
    starting: int
    replaced: int
    pids: tuple[int, ...]
    last_error: str = ""
