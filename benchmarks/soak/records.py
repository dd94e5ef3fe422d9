"""Reads what the bot left on the disk: the store, the PGN files, the engines' log."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.soak.evidence import KeptGame, Records, Search

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
