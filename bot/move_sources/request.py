"""The question to a move source and its answer."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import chess

from bot.settings import Facts

NO_MOVE = chess.Move.null()  # false in a condition


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A position in which we are to move.

    `facts`: the game's, which conditions match on; `remaining_ms`: our clock, None when no clock runs; `move_time_ms`:
    all the time this move may take, None when only the clock limits it; `me`: our id; `misses`: how often in a row
    each source did not know a position of the game. `board` carries the game's moves, because tablebases consider
    repetitions. Sources must not change it.
    """

    board: chess.Board
    facts: Facts = field(default_factory=Facts)
    remaining_ms: int | None = None
    move_time_ms: int | None = None
    game_id: str = ""
    me: str = ""
    misses: Counter[str] = field(default_factory=Counter)

    @property
    def variant(self) -> str:
        """The game's variant, as Lichess spells it."""
        return self.facts.variant


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move and its source; NO_MOVE if a tablebase knows only the result and the engine must choose.

    `wdl`: the result by tablebase for the side to move: 2 win, 1 win but for the fifty-move rule, 0 draw, -1, -2.
    """

    move: chess.Move
    source: str
    wdl: int | None = None


class MoveSource(Protocol):
    """Something that may know a move.

    `online`: shares the time budget of the online sources; `limit_s`: how long one query may take.
    """

    name: str
    online: bool
    limit_s: float

    def applies(self, request: MoveRequest) -> bool:
        """Return whether a query makes sense, without delay."""

    def choose(self, request: MoveRequest, timeout_s: float, /) -> Choice | None:
        """Return the choice, None for an unknown position. May raise anything; the caller continues."""

    def close(self) -> None:
        """Close the files; the source is not queried again."""


def close_files(lock: threading.Lock, close: Callable[[], object], limit_s: float) -> None:
    """Close a source's files under its lock, or leave them open if a query hangs in them."""
    if lock.acquire(timeout=limit_s):
        try:
            close()
        finally:
            lock.release()
