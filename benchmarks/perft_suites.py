"""Count perft suites and compare with the published numbers. docs/performance.md says where to get them.

    python -m benchmarks.perft_suites [--most NODES] [--deep NODES --deep-count N] FILE ...

Each position is counted at the greatest given depth of at most `--most` nodes, and besides the `--deep-count` largest
ones of at most `--deep` nodes. Ends with exit code 1 if a count differs.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine88.compiler.warmup import warm_up
from engine88.rules.position import Position


@dataclass(frozen=True)
class Case:
    """A position and its published counts by depth."""

    fen: str
    chess960: bool
    counts: dict[int, int]

    def deepest(self, most: int) -> int:
        """The greatest depth of at most `most` nodes; the smallest given if all are larger."""
        return max((depth for depth, nodes in self.counts.items() if nodes <= most), default=min(self.counts))


def read_suite(path: Path) -> list[Case]:
    """The cases of an .epd file (`FEN ;D1 20 ;D2 400`) or of a .perft file (`epd`, `perft DEPTH COUNT` lines)."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(
        _read_epd(lines, "960" in path.name) if path.suffix == ".epd" else _read_perft(lines, "960" in path.name)
    )


def _read_epd(lines: list[str], chess960: bool) -> Iterator[Case]:
    for line in lines:
        fen, *fields = line.split(";")
        counts = {int(depth[1:]): int(nodes) for depth, nodes in (field.split() for field in fields)}
        if counts:
            yield Case(fen.strip(), chess960, counts)


def _read_perft(lines: list[str], chess960: bool) -> Iterator[Case]:
    case: Case | None = None
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "epd":
            case = Case(rest.strip(), chess960, {})
            yield case
        elif word == "perft" and case is not None:
            depth, nodes = rest.split()
            case.counts[int(depth)] = int(nodes)


def check(case: Case, depth: int) -> bool:
    """Count one case; print a line if the number is not the published one."""
    found = Position.from_fen(case.fen, case.chess960).perft(depth)
    if found != case.counts[depth]:
        print(f"WRONG {case.fen} depth {depth}: {found} instead of {case.counts[depth]}")
    return found == case.counts[depth]


def run(jobs: list[tuple[Case, int]], name: str) -> bool:
    """Count many cases, print one line; True if all were right."""
    begin = time.perf_counter()
    right = sum(check(case, depth) for case, depth in jobs)
    nodes = sum(case.counts[depth] for case, depth in jobs)
    print(f"{name}: {right} of {len(jobs)} right, {nodes} nodes in {time.perf_counter() - begin:.1f} s", flush=True)
    return right == len(jobs)


def main() -> int:
    """Read the command line, count, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--most", type=int, default=5_000_000)
    parser.add_argument("--deep", type=int, default=200_000_000)
    parser.add_argument("--deep-count", type=int, default=20)
    parser.add_argument("files", nargs="+", type=Path, help=".epd or .perft; 960 in the name means Chess960")
    options = parser.parse_args()
    warm_up()
    suites = {path.name: read_suite(path) for path in options.files}
    good = [run([(case, case.deepest(options.most)) for case in cases], name) for name, cases in suites.items()]
    deep = [(case, case.deepest(options.deep)) for cases in suites.values() for case in cases]
    deep.sort(key=lambda job: -job[0].counts[job[1]])
    good.append(run(deep[: options.deep_count], "deep"))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
