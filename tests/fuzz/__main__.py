"""Mutated input for everything that strangers write: does each reader refuse it in its own words, and live on?

    python -m tests.fuzz streams --lines 100000 --seed 1
    python -m tests.fuzz all --lines 2000
    python -m tests.fuzz uci --replay              # only the corpus: what was found before

What is found is shown, kept under tests/fuzz/corpus and tried again by the tests and at the begin of each run, as
are the inputs there that reach different code (see guided.py). A third of all inputs are mutations of those.
Status 0: nothing was found; 1: something was.
"""

from __future__ import annotations

import argparse
import logging
import math
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import structlog

from tests.fuzz.files import TARGETS as FILE_TARGETS
from tests.fuzz.http import Http
from tests.fuzz.kept import CORPUS, all_kept, keep_finding, reaching
from tests.fuzz.mutate import mutated_bytes
from tests.fuzz.streams import Streams
from tests.fuzz.target import Target
from tests.fuzz.uci import Uci

TARGETS: dict[str, Callable[[], Target]] = {"streams": Streams, "uci": Uci, **FILE_TARGETS, "http": Http}
MOST_FINDINGS = 10
#: Targets whose every input takes long: they get so many times fewer.
COSTS = {"gaviota": 500, "store": 20}
TELL_EVERY_S = 30.0
KNOWN_SHARE = 1 / 3


def show(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)


def fuzz(target: Target, lines: int, seed: int, folder: Path = CORPUS, tell: Callable[[str], None] = show) -> int:
    """Replay the corpus, then try so many inputs; keeps and counts those that something is wrong with."""
    found, began_s, told_s = 0, time.monotonic(), time.monotonic()
    for label, data in all_kept(target.name, folder):
        if trouble := target.check(data):
            found += 1
            tell(f"{target.name}: {label}: {trouble}")
    known = reaching(target.name, folder)
    rng = random.Random(f"{target.name}:{seed}")
    lines = math.ceil(lines / COSTS.get(target.name, 1))
    for number in range(1, lines + 1):
        data = draw(target, rng, known)
        if trouble := target.check(data):
            found += 1
            kept = keep_finding(target.name, data, folder)
            tell(f"{target.name}: input {number}: {trouble}\n  kept as {kept}: {data[:200]!r}")
            if found >= MOST_FINDINGS:
                tell(f"{target.name}: given up after {found} findings")
                break
        if time.monotonic() - told_s > TELL_EVERY_S:
            told_s = time.monotonic()
            tell(f"{target.name}: {number} of {lines} inputs, {found} findings")
    spent_s = time.monotonic() - began_s
    tell(f"{target.name}: {lines} inputs with seed {seed} in {spent_s:.0f} s, {found} findings")
    return found


def draw(target: Target, rng: random.Random, known: list[bytes]) -> bytes:
    """An input of the target's own, or one that is known to reach further with a few bytes changed."""
    if known and rng.random() < KNOWN_SHARE:
        return mutated_bytes(rng, rng.choice(known), rng.choice([1, 2, 4]))
    return target.make(rng)


def quiet() -> None:
    """Let the readers log nothing: damaged stores are reported by the thousand."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


def main(words: list[str] | None = None) -> int:
    """Fuzz the targets that were named; gives the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("target", choices=[*TARGETS, "all"])
    parser.add_argument("--lines", type=int, default=10_000, help="inputs for each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replay", action="store_true", help="only the corpus")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="where findings are kept")
    options = parser.parse_args(words)
    found = 0
    for name in TARGETS if options.target == "all" else (options.target,):
        target = TARGETS[name]()
        try:
            found += fuzz(target, 0 if options.replay else options.lines, options.seed, options.corpus)
        finally:
            target.close()
    return 1 if found else 0


if __name__ == "__main__":
    quiet()
    sys.exit(main())
