"""A store of 100,000 games: start, a rule, a refresh of the dashboard, `games`, `stats` and a backup.

Run `python -m benchmarks.store [GAMES]`; it prints the fastest of twenty times, and for the last four one time
with the processor's share of it, which other work on the machine changes less.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bot.archive.backup import back_up
from bot.archive.listing import games_json, games_table
from bot.archive.statistics import statistics, statistics_table
from bot.archive.store import Store, read_games
from tests.helpers.archive_load import fastest_ms, fill, refresh_ms, rule_ms


def main() -> None:
    """Fill a store and print the times in milliseconds."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.sqlite3")
        fill(path, games)
        print(f"{games} games, {path.stat().st_size / 1e6:.0f} MB")
        _print("start", fastest_ms(lambda: Store(path).close()))
        _print("a rule", rule_ms(path))
        _print("dashboard refresh", refresh_ms(path))
        _time("games", lambda: games_table(read_games(path), 80))
        _time("games --json", lambda: games_json(read_games(path)))
        _time("stats", lambda: statistics_table(statistics(read_games(path))))
        _time("backup", lambda: back_up(path, None, Path(folder, "backup.zip")))


def _time(name: str, act: Callable[[], object]) -> None:
    """Print the time of one run."""
    begun_s, begun_cpu_s = time.perf_counter(), time.process_time()
    act()
    _print(name, (time.perf_counter() - begun_s) * 1000, (time.process_time() - begun_cpu_s) * 1000)


def _print(name: str, took_ms: float, cpu_ms: float | None = None) -> None:
    cpu = "" if cpu_ms is None else f", {cpu_ms:.0f} ms of processor time"
    print(f"{name:18}{took_ms:9.1f} ms{cpu}", flush=True)


if __name__ == "__main__":
    main()
