"""A store of 100,000 games: start, a rule, a refresh of the dashboard, `games`, `stats` and a backup.

Run `python -m benchmarks.store [GAMES]`; it prints the fastest of twenty times, and for the last four one time
with the processor's share of it, which other work on the machine changes less.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bot.archive.backup import back_up
from bot.archive.listing import games_json, games_table
from bot.archive.statistics import statistics, statistics_table
from bot.archive.store import Store, read_games
from tests.helpers.archive_load import fastest_ms, fill, refresh_ms, rule_ms

Time = tuple[float, float | None]
"""Milliseconds by the wall clock and, where it was measured once, of the processor."""


def measure(games: int) -> Iterator[tuple[str, Time]]:
    """Fill a store and time what reads it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.sqlite3")
        fill(path, games)
        yield "start", (fastest_ms(lambda: Store(path).close()), None)
        yield "a rule", (rule_ms(path), None)
        yield "dashboard refresh", (refresh_ms(path), None)
        yield "games", _time(lambda: games_table(read_games(path), 80))
        yield "games --json", _time(lambda: games_json(read_games(path)))
        yield "stats", _time(lambda: statistics_table(statistics(read_games(path))))
        yield "backup", _time(lambda: back_up(path, None, Path(folder, "backup.zip")))


def _time(act: Callable[[], object]) -> Time:
    """Return the time of one run."""
    begun_s, begun_cpu_s = time.perf_counter(), time.process_time()
    act()
    return (time.perf_counter() - begun_s) * 1000, (time.process_time() - begun_cpu_s) * 1000


def main() -> None:
    """Print the times in milliseconds."""
    for name, (took_ms, cpu_ms) in measure(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000):
        cpu = "" if cpu_ms is None else f", {cpu_ms:.0f} ms of processor time"
        print(f"{name:18}{took_ms:9.1f} ms{cpu}", flush=True)


if __name__ == "__main__":
    main()
