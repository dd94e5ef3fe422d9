"""What a move source is queried with, and what it returns."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import chess

from bot.settings import Facts

UNKNOWN = Facts()
NO_MOVE = chess.Move.null()  # false in a condition


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A position in which we are to move.

    `facts`: the game's, which conditions are held against; `remaining_ms`: our clock, None when no clock runs;
    `move_time_ms`: all the time this move may take, None when only the clock limits it; `chosen`: how many moves of
    this game came from each source; `me`: our id. `board` carries the game's moves (repetitions matter to tablebases)
    and must not be changed by a source.
    """

    board: chess.Board
    facts: Facts = UNKNOWN
    remaining_ms: int | None = None
    move_time_ms: int | None = None
    game_id: str = ""
    me: str = ""
    chosen: Mapping[str, int] = field(default_factory=dict)

    @property
    def variant(self) -> str:
        """The game's variant, as Lichess spells it."""
        return self.facts.variant


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move and where it comes from; NO_MOVE where a source knows the result alone, and the engine is to choose.

    `wdl`: what a tablebase knows for the side to move: 2 win, 1 win but for the fifty-move rule, 0 draw, -1, -2;
    None from sources that do not know.
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
        """Tell whether a query makes sense; takes next to no time."""

    def choose(self, request: MoveRequest, timeout_s: float, /) -> Choice | None:
        """Return what it knows, or None when it does not know the position. May raise anything; the caller goes on."""

    def close(self) -> None:
        """Close the files, where there are any; the source is not queried again."""


def close_files(lock: threading.Lock, close: Callable[[], object], limit_s: float) -> None:
    """Close a source's files under its lock; where a query hangs in them for as long as one may take, leave them."""
    if lock.acquire(timeout=limit_s):
        try:
            close()
        finally:
            lock.release()


def repeats(board: chess.Board, move: chess.Move) -> bool:
    """Tell whether the position after the move was on the board before."""
    after = board.copy()
    after.push(move)
    return after.is_repetition(2)
