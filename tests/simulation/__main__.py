"""The bot's threads, the network and time, all driven by a seed: thousands of interleavings that can be replayed.

    python -m tests.simulation --seeds 10000 --jobs 2               # which of them break an invariant?
    python -m tests.simulation --first 4711 --seeds 1 --trace       # one of them again, step by step
    python -m tests.simulation --faults 502,locked-disk             # the same faults for every seed; none: without

Profiles: calm; rough (requests and answers lost, streams cut or silent, wrong lists, outages, the bot killed now and
then); storm (the same, far more often). Each seed adds faults of its own, in any combination. A game may be lost on
time if the schedule of its last turn, which is printed, leaves the bot no time for a move. In a storm or an outage a
move may cross a takeback that the bot has agreed to but cannot see yet. All else is wrong. Status 0: every invariant
held; 1: one did not.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.simulation.network import FAULTS, PROFILES
from tests.simulation.trial import Outcome, Trial

SHOWN = 20  # failing seeds that are shown in full
CHUNK = 25


def faults(names: str) -> frozenset[str]:
    """Read the names of faults. Raises argparse.ArgumentTypeError."""
    wanted = frozenset(names.split(",")) - {"none"}
    if unknown := sorted(wanted - set(FAULTS)):
        raise argparse.ArgumentTypeError(f"{unknown[0]}: unknown fault; known are {', '.join(FAULTS)}")
    return wanted


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
    parser.add_argument("--faults", type=faults, help=f"by default drawn by the seed: {', '.join(FAULTS)}; or none")
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


def run_seed(seed: int, wanted: str, games: int, chosen: frozenset[str] | None = None) -> Outcome:
    """One seed, without its trace where all is well."""
    outcome = Trial(seed, profile_of(seed, wanted), games=games, faults=chosen).run()
    if not outcome.failed:
        outcome.trace = []
    return outcome


def outcomes(options: argparse.Namespace) -> Iterator[Outcome]:
    """All seeds, in order."""
    seeds = range(options.first, options.first + options.seeds)
    work = partial(run_seed, wanted=options.profile, games=options.games, chosen=options.faults)
    if options.jobs == 1 or options.seeds == 1:
        yield from map(work, seeds)
        return
    with ProcessPoolExecutor(options.jobs) as pool:
        yield from pool.map(work, seeds, chunksize=CHUNK)


def tell(found: Iterable[Outcome], *, trace: bool) -> int:
    """Print losses on time, what failed, and the sums; returns the exit status."""
    began_s, bad, done, most = time.monotonic(), 0, list[Outcome](), dict[str, float]()
    totals = dict.fromkeys(("games", "plies", "kills", "steps"), 0)
    for outcome in found:
        done.append(outcome)
        totals = {name: total + getattr(outcome, name) for name, total in totals.items()}
        most = {name: max(most.get(name, 0), outcome.most.get(name, 0)) for name in {**most, **outcome.most}}
        bad += outcome.failed
        if (outcome.failed and bad <= SHOWN) or outcome.lost:
            what = outcome.wrong + outcome.crossed + outcome.lost
            print(
                f"seed {outcome.seed} ({', '.join((outcome.profile, *outcome.faults))}):", *what, sep="\n  ", flush=True
            )
        if outcome.failed and trace:
            print(*outcome.trace, sep="\n")
        outcome.trace = []
    lost = [f"{sum(len(one.lost) for one in done if one.profile == name)} in {name}" for name in PROFILES]
    avoidable = sum(len(one.avoidable) for one in done)
    sums = ", ".join(f"{number:,} {name}" for name, number in totals.items())
    print("most: " + ", ".join(f"{number:.2f} {name}" for name, number in sorted(most.items())))
    print(
        f"lost on time: {', '.join(lost)}, {avoidable} avoidable; {sum(len(one.crossed) for one in done)} moves crossed"
    )
    print(f"{len(done)} seeds, {bad} failed; {sums}; {time.monotonic() - began_s:.0f} s")
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
