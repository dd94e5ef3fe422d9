"""A store of 100,000 games: start, a rule, a refresh of the dashboard, `games`, `stats` and a backup.

Run `python -m benchmarks.store [GAMES]`; it prints the fastest of five times, and one time for the last three.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bot.archive.backup import back_up
from bot.archive.statistics import statistics, statistics_table
from bot.archive.store import Store, read_games
from bot.archive.tables import games_table
from tests.helpers.archive_load import fastest_ms, fill, refresh_ms, rule_ms


def main() -> None:
    """Fill a store and print the times in milliseconds."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.sqlite3")
        fill(path, games)
        print(f"{games} games, {path.stat().st_size / 1e6:.0f} MB")
        found: dict[str, float] = {
            "start": fastest_ms(lambda: Store(path).close()),
            "a rule": rule_ms(path),
            "dashboard refresh": refresh_ms(path),
            "games": once_ms(lambda: games_table(read_games(path), 80)),
            "stats": once_ms(lambda: statistics_table(statistics(read_games(path)))),
            "backup": once_ms(lambda: back_up(path, None, Path(folder, "backup.zip"))),
        }
    for name, took_ms in found.items():
        print(f"{name:18}{took_ms:9.1f} ms")


def once_ms(act: Callable[[], object]) -> float:
    """The time of one run."""
    begun_s = time.perf_counter()
    act()
    return (time.perf_counter() - begun_s) * 1000


if __name__ == "__main__":
    main()
