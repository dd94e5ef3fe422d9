"""How quick the engine answers through its pipe: start-up, go to first info, stop, dying clocks.

    python benchmarks/uci_latency.py [--rounds 30]

Times are seen from the other end of the pipe, so they hold two context switches.  Run it on an idle machine.
"""

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.helpers.uci import UciProcess

START = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5"
LONG_GAME = "g1f3 g8f6 f3g1 f6g8 " * 75  # 300 plies
OTHER_GAME = "position fen 7k/8/8/8/8/8/8/K5R1 w - - 0 1"


def main() -> None:
    """Measure and print, one figure a line, milliseconds: median and worst."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    rounds = parser.parse_args().rounds
    starts = [_start() for _ in range(max(3, rounds // 10))]
    _print("process start to uciok", [uciok for uciok, _ in starts])
    _print("process start to readyok (warm)", [ready for _, ready in starts])
    with UciProcess() as engine:
        engine.send("uci")
        engine.ready()
        _print("isready to readyok", [_timed(engine, "isready", "readyok") for _ in range(rounds)])
        _print("go depth 1 to bestmove", [_go(engine, START, "go depth 1", "bestmove") for _ in range(rounds)])
        _print("go infinite to first info", [_first_info(engine) for _ in range(rounds)])
        _print("stop to bestmove", [_stop(engine) for _ in range(rounds)])
        for left_ms in (50, 20, 1):
            figures = [_go(engine, START, f"go wtime {left_ms} btime {left_ms}", "bestmove") for _ in range(rounds)]
            _print(f"go with {left_ms} ms on the clock to bestmove", figures)
        _print("position with 300 moves, afresh", [_long_game(engine, 0) for _ in range(3)])
        _print("position with 2 moves more", [_long_game(engine, number) for number in range(1, rounds)])


def _start() -> tuple[float, float]:
    """Start a process; seconds to uciok and to readyok."""
    started_s = time.perf_counter()
    with UciProcess() as engine:
        engine.send("uci", "isready")
        uciok = engine.wait_for("uciok")[1] - started_s
        ready = engine.wait_for("readyok")[1] - started_s
        engine.send("quit")
        try:
            engine.process.wait(30.0)
        except subprocess.TimeoutExpired:
            print("the engine did not quit")
    return uciok, ready


def _timed(engine: UciProcess, command: str, wanted: str) -> float:
    """Seconds from sending a command to the line that answers it."""
    sent_s = engine.send(command)
    return engine.wait_for(wanted)[1] - sent_s


def _go(engine: UciProcess, position: str, go: str, wanted: str) -> float:
    """Seconds from go to the line wanted."""
    engine.send("ucinewgame", position)
    engine.ready()
    return _timed(engine, go, wanted)


def _first_info(engine: UciProcess) -> float:
    """Seconds from go to the first info, which the first iteration sends."""
    seconds = _go(engine, START, "go infinite", "info depth 1 ")
    engine.send("stop")
    engine.wait_for("bestmove")
    return seconds


def _stop(engine: UciProcess) -> float:
    """Seconds from stop to bestmove in a search that has been going for a while."""
    _go(engine, START, "go infinite", "info depth 9 ")
    return _timed(engine, "stop", "bestmove")


def _long_game(engine: UciProcess, more: int) -> float:
    """Seconds for a position with many moves to be taken in."""
    if more == 0:
        engine.send(OTHER_GAME)
        engine.ready()
    moves = LONG_GAME + "b1c3 b8c6 c3b1 c6b8 " * more
    sent_s = engine.send(f"position startpos moves {moves}", "isready")
    return engine.wait_for("readyok")[1] - sent_s


def _print(what: str, seconds: list[float]) -> None:
    """Print a figure in milliseconds."""
    print(f"{what:45} {statistics.median(seconds) * 1000:8.2f} median {max(seconds) * 1000:8.2f} worst")


if __name__ == "__main__":
    main()
