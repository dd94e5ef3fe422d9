"""The bot's threads, the network and time, all driven by a seed: thousands of interleavings that can be replayed.

    python -m tests.simulation --seeds 10000 --jobs 2               # which of them break an invariant?
    python -m tests.simulation --first 4711 --seeds 1 --trace       # one of them again, step by step

Profiles: calm; rough (requests and answers lost, streams cut or silent, wrong lists, outages, the bot killed now and
then); storm (the same, far more often). In a storm a game may be lost on time, and a move may cross a takeback that the
bot has agreed to but cannot see yet; both are counted. All else is wrong everywhere. Status 0: every invariant held;
1: one did not.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.simulation.network import PROFILES
from tests.simulation.trial import Outcome, Trial

SHOWN = 20  # failing seeds that are told in full
CHUNK = 25


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.simulation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--profile", choices=[*PROFILES, "all"], default="all", help="all: one seed after the other")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--games", type=int, default=4, help="games of a seed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--trace", action="store_true", help="print the last steps and the log of each failing seed")
    options = parser.parse_args(words)
    if min(options.seeds, options.games, options.jobs) < 1:
        parser.error("--seeds, --games and --jobs are at least 1")
    return options


def profile_of(seed: int, wanted: str) -> str:
    """The profile of a seed."""
    names = sorted(PROFILES)
    return names[seed % len(names)] if wanted == "all" else wanted


def run_seed(seed: int, wanted: str, games: int) -> Outcome:
    """One seed, without its trace where all is well."""
    outcome = Trial(seed, profile_of(seed, wanted), games=games).run()
    if not outcome.failed:
        outcome.trace = []
    return outcome


def outcomes(options: argparse.Namespace) -> Iterator[Outcome]:
    """All seeds, in order."""
    seeds = range(options.first, options.first + options.seeds)
    work = partial(run_seed, wanted=options.profile, games=options.games)
    if options.jobs == 1 or options.seeds == 1:
        yield from map(work, seeds)
        return
    with ProcessPoolExecutor(options.jobs) as pool:
        yield from pool.map(work, seeds, chunksize=CHUNK)


def tell(found: Iterable[Outcome], *, trace: bool) -> int:
    """Print what failed and the sums; returns the exit status."""
    began_s, seeds, bad, totals = time.monotonic(), 0, 0, dict.fromkeys(("games", "plies", "kills", "steps"), 0)
    unlucky = dict.fromkeys(PROFILES, 0)
    for outcome in found:
        seeds += 1
        unlucky[outcome.profile] += len(outcome.unlucky)
        for name in totals:
            totals[name] += getattr(outcome, name)
        if outcome.failed:
            bad += 1
            if bad <= SHOWN:
                print(f"seed {outcome.seed} ({outcome.profile}):", *outcome.wrong, *outcome.unlucky, sep="\n  ")
            if trace:
                print(*outcome.trace, sep="\n")
    told = ", ".join(f"{number} in {profile}" for profile, number in unlucky.items())
    sums = ", ".join(f"{number:,} {name}" for name, number in totals.items())
    print(f"{seeds} seeds, {bad} failed; {sums}; lost on time or crossed: {told}; {time.monotonic() - began_s:.0f} s")
    return 1 if bad else 0


def main() -> int:
    """Run the seeds; strings hash alike in every process, so that a seed is the same run everywhere."""
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.simulation", *sys.argv[1:]])
    options = arguments()
    return tell(outcomes(options), trace=options.trace)


if __name__ == "__main__":
    sys.exit(main())
