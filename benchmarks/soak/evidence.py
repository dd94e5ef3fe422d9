"""What a run has seen and what the bot left on the disk, as frozen values: the invariants judge nothing else.

Times are monotonic seconds.
"""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Violation:
    """An invariant that did not hold."""

    invariant: str
    text: str
    game_id: str = ""


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game as the server's record has it; `winner` and `our_color` are "white", "black" or None for a draw."""

    game_id: str
    our_color: str
    variant: str
    status: str
    winner: str | None
    moves: tuple[str, ...]
    our_clock_ms: int
    began_s: float
    ended_s: float
    initial_fen: str = "startpos"

    @property
    def lost(self) -> bool:
        """Whether the bot lost it."""
        return self.winner is not None and self.winner != self.our_color

    @property
    def result(self) -> str:
        """The result as a PGN spells it."""
        if self.status == "aborted":
            return "*"
        return {"white": "1-0", "black": "0-1", None: "1/2-1/2"}[self.winner]

    def is_ours(self, ply: int) -> bool:
        """Whether the bot made the move of a ply, counted from 0."""
        black_begins = self.initial_fen.split()[1:2] == ["b"]
        return (ply % 2 == 0) == ((self.our_color == "white") != black_begins)


@dataclass(frozen=True, slots=True)
class Post:
    """A move that the bot posted. `verdict`: how it stood to the server's record when it was answered.

    played: it is the last move; repeated: a recent move of ours, sent again; over: the game had ended; unserved: a
    fault kept it from the game; misplaced: anything else.
    """

    game_id: str
    uci: str
    at_s: float
    status: int
    fault: str | None
    verdict: str


@dataclass(frozen=True, slots=True)
class Outage:
    """The bot was killed; `ready_s` is None until it is back. `clocks_ms`: its clocks at the kill, by game."""

    killed_s: float
    ready_s: float | None
    clocks_ms: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Stall:
    """The run's own loop, which is nearly idle, continued so many seconds late: the machine was busy elsewhere."""

    at_s: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Sample:
    """The bot's process and its surroundings at one moment; `life` counts its starts.

    `sockets`: the connections to the server; `descriptors`: everything else that is open.
    """

    at_s: float
    life: int
    rss_mib: float
    threads: int
    descriptors: int
    engines: int
    games: int
    sockets: int = 0


@dataclass(frozen=True, slots=True)
class Search:
    """An engine's answer to the position after `ply` moves; `first` is set for the first after `ucinewgame`."""

    pid: int
    at_s: float
    first: bool
    ply: int
    key: int
    move: str


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A row of the store."""

    game_id: str
    status: str
    result: str
    plies: int


@dataclass(frozen=True)
class Records:
    """What the bot left on the disk. `pgn`: result tags by game id, one for each time the game is in a file."""

    rows: tuple[KeptGame, ...] = ()
    unfinished: tuple[str, ...] = ()
    pgn: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def position_key(moves: tuple[str, ...] | list[str], key: int = 0) -> int:
    """A checksum of the moves since the start of a game, or of further moves after those that gave `key`."""
    for uci in moves:
        key = zlib.crc32(f" {uci}".encode(), key)
    return key


_TAG = re.compile(r'^\[(Site|Result) "([^"]*)"\]$', re.MULTILINE)


def read_records(store: Path, pgn_folder: Path) -> Records:
    """Read store and PGN files; what does not exist yet is empty. Raises sqlite3.Error for a damaged store."""
    results: dict[str, list[str]] = defaultdict(list)
    for path in sorted(pgn_folder.rglob("*.pgn")):
        site = ""
        for name, value in _TAG.findall(path.read_text(encoding="utf-8", errors="replace")):
            if name == "Site":
                site = value.rsplit("/", 1)[-1]
            else:
                results[site].append(value)
    rows, unfinished = _read_store(store) if store.exists() else ([], [])
    return Records(tuple(rows), tuple(unfinished), {key: tuple(value) for key, value in results.items()})


def _read_store(store: Path) -> tuple[list[KeptGame], list[str]]:
    with closing(sqlite3.connect(f"{store.resolve().as_uri()}?mode=ro", uri=True, timeout=20)) as connection:
        rows = connection.execute("SELECT game_id, status, outcome, color, plies FROM games").fetchall()
        notes = connection.execute("SELECT game_id FROM unfinished_games").fetchall()
    games = [
        KeptGame(game_id, status, _result(outcome, color), plies) for game_id, status, outcome, color, plies in rows
    ]
    return games, [game_id for (game_id,) in notes]


def _result(outcome: str, color: str) -> str:
    """Return the result as PGN spells it."""
    if outcome in ("", "draw"):
        return "1/2-1/2" if outcome else "*"
    return "1-0" if (outcome == "win") == (color == "white") else "0-1"


def read_searches(log: Path) -> list[Search]:
    """Read the log of benchmarks/soak/engine.py."""
    if not log.exists():
        return []
    found = []
    for line in log.read_text(encoding="ascii").splitlines():
        at_s, pid, kind, ply, key, move = line.split()
        found.append(Search(int(pid), float(at_s), kind == "first", int(ply), int(key), move))
    return found


def outputs(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of everything that the bot wrote."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(folder)), path.read_bytes()
