"""Nodes per second of engine88 beside C engines: the same 20 middlegame positions, one core, in one run.

    python -m benchmarks.search_speed [--seconds 2] [--hash 64] [ENGINE ...]

Engines are asked in turn at each position, and charged their processor time, not the wall's, so that what
else runs on the machine shifts the figures as little as possible. Prints a line per engine and its ratio to toga2.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.engine
import psutil

POSITIONS = tuple((Path(__file__).parent / "middlegames.epd").read_text(encoding="utf-8").split("\n")[:20])
COMMANDS = {
    "engine88": [sys.executable, "-m", "engine88"],
    "toga2": ["/usr/games/toga2"],
    "gnuchess": ["/usr/games/gnuchess", "--uci"],
    "glaurung": ["/usr/games/glaurung"],
}
WANTED_OPTIONS = {"Threads": 1, "OwnBook": False}


@dataclass
class Count:
    """Nodes searched and processor seconds spent."""

    nodes: int = 0
    seconds: float = 0.0

    @property
    def nps(self) -> float:
        """Nodes per processor second."""
        return self.nodes / self.seconds


def start(name: str, hash_mb: int) -> chess.engine.SimpleEngine:
    """Start an engine with one thread and a table of `hash_mb`."""
    engine = chess.engine.SimpleEngine.popen_uci(COMMANDS[name], timeout=120)
    options = {**WANTED_OPTIONS, "Hash": hash_mb}
    engine.configure({key: value for key, value in options.items() if key in engine.options})
    engine.ping()
    return engine


def search(engine: chess.engine.SimpleEngine, fen: str, seconds: float, count: Count) -> None:
    """Let the engine think about one position and add what it did."""
    process = psutil.Process(engine.transport.get_pid())
    before, since = sum(process.cpu_times()[:2]), time.perf_counter()
    nodes = 0
    with engine.analysis(chess.Board(fen), chess.engine.Limit(time=seconds), game=object()) as analysis:
        for info in analysis:
            nodes = max(nodes, int(info.get("nodes", 0)))
            if "nodes" in info:
                spent, elapsed = sum(process.cpu_times()[:2]) - before, time.perf_counter() - since
    if nodes and elapsed > 0.0:
        count.nodes += nodes
        count.seconds += spent


def compare(names: Sequence[str], seconds: float, hash_mb: int) -> dict[str, Count]:
    """Search every position with each engine in turn."""
    engines = {name: start(name, hash_mb) for name in names}
    counts = {name: Count() for name in engines}
    for fen in POSITIONS:
        for name, engine in engines.items():
            search(engine, fen, seconds, counts[name])
    for engine in engines.values():
        engine.quit()
    return counts


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=", ".join(COMMANDS))
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--hash", type=int, default=64)
    options = parser.parse_args(arguments)
    counts = compare(options.engines or list(COMMANDS), options.seconds, options.hash)
    reference = counts["toga2"].nps if "toga2" in counts else next(iter(counts.values())).nps
    for name, count in counts.items():
        print(f"{name:10} {count.nps:12,.0f} nodes/s  {count.nps / reference:5.2f}")


if __name__ == "__main__":
    main()
