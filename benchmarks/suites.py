"""Test suites of positions with a known best move, over UCI.

    python -m benchmarks.suites wac FOLDER --time 1 [--limit 300] [--command "python -m engine88"]
    python -m benchmarks.suites sts FOLDER --time 0.1        python -m benchmarks.suites bk FOLDER --time 10
    python -m benchmarks.suites mates FOLDER --time 5        (mates in 1 to 5, of the endgame tables and of games)
    python -m benchmarks.suites hard-mates FOLDER --time 5   (mates in 13 to 26)

FOLDER holds the files that FILES names; docs/performance.md says where to get them. The mates of games are in
tests/engine88/data/mates.epd. `--nodes N` instead of a time gives the same result on every machine, busy or not. WAC
and Bratko-Kopec count solved positions, STS gives 0-10 points each, the mates those not longer than announced.
"""

import argparse
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess
import chess.engine

OWN_MATES = Path(__file__).resolve().parents[1] / "tests" / "engine88" / "data" / "mates.epd"
FILES: dict[str, tuple[str | Path, ...]] = {
    "wac": ("wacnew.epd",),
    "sts": ("STS1-STS15_LAN_v3.epd",),
    "bk": ("bratko-kopec.epd",),
    "mates": ("pychess-endgame-dm-4.epd", "pychess-endgame-dm-5.epd", OWN_MATES),
    "hard-mates": ("hard-mates-blass-uri.epd",),
}
LONGEST_MATE = 5
Position = tuple[chess.Board, str]


def positions(suite: str, folder: Path) -> Iterator[Position]:
    """Boards of a suite with the text of their operations."""
    for name in FILES[suite]:
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            fields = line.split(maxsplit=4)
            if len(fields) == 5 and (suite != "mates" or 1 <= told_mate(line) <= LONGEST_MATE):
                yield chess.Board(" ".join(fields[:4]) + " 0 1"), line


def told_mate(line: str) -> int:
    """In how many moves the line says that it is mate, 0 if it says nothing."""
    found = re.search(r"\bdm (\d+)", line)
    return int(found.group(1)) if found else 0


def wanted_moves(board: chess.Board, line: str, operation: str) -> set[chess.Move]:
    """Moves named by `bm` or `am`; what does not parse is left out."""
    found = re.search(rf"\b{operation} ([^;]*)", line)
    names = re.findall(r"[^\s+#!?,]+", found.group(1)) if found else []
    moves = set()
    for name in names:
        try:
            moves.add(board.parse_san(name))
        except ValueError:
            print(f"{board.fen()}: cannot read the move {name!r}", file=sys.stderr)
    return moves


def points(suite: str, board: chess.Board, line: str, result: chess.engine.PlayResult) -> tuple[int, int]:
    """Points won and points to win."""
    if suite == "sts":
        values = dict(zip(*(operation(line, code).split() for code in ("c9", "c8")), strict=True))
        return int(values.get(str(result.move), 0)), 10
    if suite in ("mates", "hard-mates"):
        announced = result.info["score"].relative.mate()
        return int(announced is not None and 0 < announced <= told_mate(line)), 1
    best, avoid = wanted_moves(board, line, "bm"), wanted_moves(board, line, "am")
    return int(result.move in best if best else result.move not in avoid), 1


def operation(line: str, code: str) -> str:
    """The quoted text of one operation of a line."""
    found = re.search(rf'\b{code} "([^"]*)"', line)
    return found.group(1) if found else ""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a suite, print what failed and the sum."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", choices=sorted(FILES))
    parser.add_argument("folder", type=Path, help="where the files of the suites are")
    parser.add_argument("--time", type=float, help="seconds per position")
    parser.add_argument("--nodes", type=int, help="nodes per position")
    parser.add_argument("--limit", type=int, default=10_000, help="positions at most")
    parser.add_argument("--command", default=f"{sys.executable} -m engine88")
    parser.add_argument("--verbose", action="store_true", help="name the positions that failed")
    options = parser.parse_args(arguments)
    limit = chess.engine.Limit(time=options.time, nodes=options.nodes)
    won, possible, count = 0, 0, 0
    with chess.engine.SimpleEngine.popen_uci(shlex.split(options.command), timeout=300) as engine:
        engine.ping()
        for board, line in list(positions(options.suite, options.folder))[: options.limit]:
            got, of = points(
                options.suite, board, line, engine.play(board, limit, game=object(), info=chess.engine.INFO_ALL)
            )
            won, possible, count = won + got, possible + of, count + 1
            if got < of and options.verbose:
                print(f"{got}/{of}  {line}", flush=True)
    print(f"{options.suite}: {won} of {possible} in {count} positions ({100 * won / max(1, possible):.1f} %)")


if __name__ == "__main__":
    main()
