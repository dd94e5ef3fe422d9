"""A day in the life of the bot: minutes that look like Lichess, with everything that it tells held against the truth.

    python -m benchmarks.day --minutes 30 --seed 1 --out /tmp/day

The folder gets the log, what commands answered (`said.txt`), pictures of the dashboard (`screens`), the chat, the
last metrics, store and PGN, and `day.txt`, the account of the day. Status 0: everything held; 1: something did not.
"""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from benchmarks.day.runner import DayRun, Options
from benchmarks.day.summary import account_of


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.day", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1, help="of the timetable and of all opponents")
    parser.add_argument("--games-at-once", type=int, default=5)
    parser.add_argument("--small-engine", action="store_true", help="an engine that starts at once, not engine88")
    parser.add_argument("--no-pictures", action="store_true", help="leave the browser out")
    parser.add_argument("--out", type=Path, required=True, help="a new folder for everything that the day leaves")
    options = parser.parse_args(words)
    if options.minutes <= 0 or options.games_at_once < 1:
        parser.error("--minutes is above 0, --games-at-once at least 1")
    if options.out.exists() and any(options.out.iterdir()):
        parser.error(f"--out {options.out}: holds a day already; name another folder")
    return options


def main(words: list[str] | None = None) -> int:
    """Live through a day; gives the exit status."""
    parsed = arguments(words)
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    options = Options(
        parsed.minutes, parsed.seed, parsed.games_at_once, small=parsed.small_engine, pictures=not parsed.no_pictures
    )
    day = DayRun(options, parsed.out.resolve(), sys.stderr).run()
    print(account_of(day), end="")
    return 1 if day.violations else 0


if __name__ == "__main__":
    sys.exit(main())
