"""Many games of the bot's own process against the fake server, with faults and kills: does every invariant hold?

    python -m benchmarks.soak --profile calm --games 300 --concurrency 8 --seed 1 --out /tmp/calm
    python -m benchmarks.soak --profile storm --games 100 --out /tmp/storm      # run it again to continue
    python -m benchmarks.soak --profile day --minutes 30 --seed 1 --out /tmp/day
    python -m benchmarks.soak --add-up /tmp/soak                                # every part below the folder

Profiles: calm; flaky; storm (faults of every kind, the server restarted every 30 s, the bot killed by SIGKILL every
60 s); mixed (calm, all speeds, correspondence too); day (engine88 with everything switched on, people, bots, an arena,
commands and pictures of the dashboard, which must agree with the server). The first Ctrl-C finishes the running games,
a second one ends at once. Status 0: every invariant held; 1: one did not; 2: wrong arguments; 130: interrupted.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from types import FrameType

from benchmarks.soak.day.runner import DayRun
from benchmarks.soak.day.runner import Options as DayOptions
from benchmarks.soak.day.summary import account_of
from benchmarks.soak.plan import PROFILES
from benchmarks.soak.progress import Progress
from benchmarks.soak.report import Report, ReportError, add_up, parts_in, summary
from benchmarks.soak.runner import Options, Part

DAY = "day"


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--profile", choices=[*sorted(PROFILES), DAY], default="calm")
    parser.add_argument("--games", type=int, default=100, help="games of the whole run")
    parser.add_argument("--concurrency", type=int, default=8, help="games at once")
    parser.add_argument("--clock", default="30+0", help="seconds for each side, plus seconds a move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kill-every", type=float, help="seconds between SIGKILLs; 0: none (default: the profile's)")
    parser.add_argument("--minutes", type=float, help="start no game after so long; of the day: 30 by default")
    parser.add_argument("--out", type=Path, help="folder of reports and logs; what it holds is not played again")
    parser.add_argument("--add-up", type=Path, metavar="FOLDER", help="only add up the reports below a folder")
    parser.add_argument("--small-engine", action="store_true", help="day: an engine that starts at once")
    parser.add_argument("--no-pictures", action="store_true", help="day: leave the browser out")
    options = parser.parse_args(words)
    if options.profile == DAY and (options.out is None or (options.out.exists() and any(options.out.iterdir()))):
        parser.error("--profile day needs a new folder: --out FOLDER")
    if options.games < 1 or options.concurrency < 1:
        parser.error("--games and --concurrency are at least 1")
    return options


def options_of(words: argparse.Namespace) -> Options:
    """The options of a run; raises ReportError for a clock that cannot be read."""
    profile = PROFILES[words.profile]
    if words.kill_every is not None:
        profile = replace(profile, kill_every_s=words.kill_every or None)
    try:
        limit, increment = (float(part) for part in words.clock.split("+"))
    except ValueError as error:
        raise ReportError(f"--clock {words.clock}: write seconds and increment, such as 30+0") from error
    clock = (limit, increment)
    return Options(words.profile, profile, words.games, words.concurrency, words.seed, clock, words.minutes)


def played_before(folder: Path, options: Options) -> tuple[int, int]:
    """How many games the folder's complete parts hold, and how many parts there are; raises ReportError."""
    parts = parts_in(folder)
    for part in parts:
        if part.settings != options.shared:
            raise ReportError(f"{folder}: holds a run with other settings, {part.settings}; name another folder")
    return sum(part.finished for part in parts if part.complete), len(list(folder.glob("part-*/")))


def run(options: Options, folder: Path) -> int:
    """Play what is missing; returns the exit status."""
    folder.mkdir(parents=True, exist_ok=True)
    before, number = played_before(folder, options)
    if before >= options.games:
        print(f"{folder}: all {before} games were played before")
        return show(parts_in(folder))
    part = Part(options, folder / f"part-{number + 1:03}", before + 1, Progress(options.games - before, sys.stderr))

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        if part.stopping:
            raise KeyboardInterrupt
        part.stopping = True
        part.progress.tell("the running games come to their end; a second Ctrl-C ends at once")

    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # it reports the connections that faults cut
    signal.signal(signal.SIGINT, interrupt)
    try:
        part.run()
    except KeyboardInterrupt:
        print("ended at once: this part does not count, the same command plays its games again", file=sys.stderr)
        return 130
    print()
    status = show(parts_in(folder))
    return 130 if part.stopping and status == 0 else status


def live_through(words: argparse.Namespace) -> int:
    """Run the profile `day`; returns the exit status."""
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    small, pictures = words.small_engine, not words.no_pictures
    options = DayOptions(words.minutes or 30.0, words.seed, words.concurrency, small=small, pictures=pictures)
    day = DayRun(options, words.out.resolve(), sys.stderr).run()
    print(account_of(day), end="")
    return 1 if day.violations else 0


def show(parts: list[Report]) -> int:
    """Print the sums by settings; 1 when an invariant did not hold or a part was cut off."""
    cut = sum(not part.complete for part in parts)
    kinds = {str(part.settings): part.settings for part in parts if part.complete}
    status = 0 if kinds else 1
    for settings in kinds.values():
        total = add_up(part for part in parts if part.settings == settings)
        print(summary(total))
        status |= bool(total.violations)
    if cut:
        print(f"{cut} part(s) were cut off before their final checks and do not count")
    return int(status)


def main(words: list[str] | None = None) -> int:
    """Run or add up; gives the exit status."""
    parsed = arguments(words)
    try:
        if parsed.add_up is not None:
            parts = parts_in(parsed.add_up)
            if not parts:
                raise ReportError(f"{parsed.add_up}: no part-*.json below it; name the folder given to --out")
            return show(parts)
        if parsed.profile == DAY:
            return live_through(parsed)
        options = options_of(parsed)
        if parsed.out is not None:
            return run(options, parsed.out)
        with tempfile.TemporaryDirectory(prefix="soak-") as folder:
            return run(options, Path(folder))
    except ReportError as error:
        print(f"benchmarks.soak: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
