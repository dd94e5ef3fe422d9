"""The values of the engine's public API: frozen dataclasses of str, int and tuples.

Moves are UCI strings (``e2e4``, ``e7e8q``), times milliseconds, scores centipawns for the side to move. This module
imports no other of the package, so that importing it is cheap.
"""

from dataclasses import dataclass
from typing import Literal

Bound = Literal["exact", "lower", "upper"]

DEFAULT_NETWORK = "default"
NO_NETWORK = "none"
MIN_ELO, MAX_ELO = 1000, 2800
MAX_DEPTH = 127
"""Plies that a search can be asked for."""
MAX_COUNT = 1 << 53
"""Nodes, milliseconds or moves that a search can be asked for; more would overflow below."""
MAX_THREADS = 64
MAX_HASH_MB = 65536
MAX_MULTIPV = 218
MAX_MOVE_OVERHEAD_MS = 10_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends a search; all that are given hold together, the first one reached ends it.

    A zero or None means "no such limit"; with no limit at all the search is infinite. Clocks that ran out may be
    negative. A value out of range raises ValueError, which names the field and the range.
    """

    depth: int = 0
    nodes: int = 0
    movetime_ms: int | None = None
    wtime_ms: int | None = None
    btime_ms: int | None = None
    winc_ms: int = 0
    binc_ms: int = 0
    movestogo: int = 0
    infinite: bool = False
    ponder: bool = False
    mate: int = 0
    searchmoves: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what no search can do."""
        _check("depth", self.depth, 0, MAX_DEPTH)
        for name in ("nodes", "movetime_ms", "winc_ms", "binc_ms", "movestogo", "mate"):
            _check(name, getattr(self, name) or 0, 0, MAX_COUNT)
        for name in ("wtime_ms", "btime_ms"):
            _check(name, getattr(self, name) or 0, -MAX_COUNT, MAX_COUNT)


@dataclass(frozen=True, slots=True)
class Wdl:
    """Win, draw and loss expectation of the side to move, per mille; they add up to 1000."""

    win: int
    draw: int
    loss: int


@dataclass(frozen=True, slots=True)
class SearchInfo:
    """One line of thought: a principal variation with its score and what it cost.

    Exactly one of ``score_cp`` and ``mate`` (in moves, negative when mated) is not None.  ``hashfull`` is per mille.
    """

    depth: int
    seldepth: int
    multipv: int
    score_cp: int | None
    mate: int | None
    bound: Bound
    nodes: int
    nps: int
    hashfull: int
    time_ms: int
    pv: tuple[str, ...]
    wdl: Wdl | None = None


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """Progress of a long search: the root move being searched (None when unknown) and counts so far."""

    depth: int
    current_move: str | None
    nodes: int
    nps: int
    hashfull: int
    time_ms: int


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer: ``best_move`` is None only where no legal move exists; ``info`` is the line it comes from."""

    best_move: str | None
    ponder_move: str | None = None
    info: SearchInfo | None = None


@dataclass(frozen=True, slots=True)
class TermScore:
    """What one group of terms contributes to the static evaluation, White minus Black, in centipawns."""

    name: str
    middlegame_cp: int
    endgame_cp: int


@dataclass(frozen=True, slots=True)
class StaticEvaluation:
    """The static evaluation of a position, without any search.

    ``score_cp`` is seen from the side to move, ``white_cp`` from White. It is the sum of the terms, blended between
    middlegame and endgame by the pieces left and scaled in drawish endgames. ``terms`` is empty where a rule for one
    endgame takes the place of the sum.
    """

    score_cp: int
    white_cp: int
    terms: tuple[TermScore, ...]


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """The engine's settings, as UCI names them.  Out of range raises ValueError, naming it.

    `eval_file`: path of a network, "default" for the one that comes with the engine, "none" for the hand-written terms.
    """

    hash_mb: int = 16
    threads: int = 1
    multipv: int = 1
    chess960: bool = False
    move_overhead_ms: int = 10
    limit_strength: bool = False
    elo: int = 2000
    show_wdl: bool = False
    ponder: bool = False
    eval_file: str = DEFAULT_NETWORK

    def __post_init__(self) -> None:
        """Refuse what no engine can do."""
        _check("hash_mb", self.hash_mb, 1, MAX_HASH_MB)
        _check("threads", self.threads, 1, MAX_THREADS)
        _check("multipv", self.multipv, 1, MAX_MULTIPV)
        _check("move_overhead_ms", self.move_overhead_ms, 0, MAX_MOVE_OVERHEAD_MS)
        _check("elo", self.elo, MIN_ELO, MAX_ELO)


def _check(name: str, value: int, low: int, high: int) -> None:
    """Raise ValueError unless low <= value <= high."""
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value}")
