"""What the engine pool adds to a move: from `play` to `go` on the pipe, and from `bestmove` to the callback.

    python benchmarks/engine_pool_latency.py [GAMES] [MOVES]

Each game has a thread of its own and 80 plies behind it; the engines are the tiny ones of the tests.
"""

from __future__ import annotations

import itertools
import queue
import statistics
import sys
import threading
import time

import chess
from chess.engine import Limit

from bot.engine_pool import Answer, EnginePool
from bot.engine_pool.protocol import MonitoredUci
from tests.helpers.engines import tiny_entry

SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


class Stopwatch:
    """Times of `go` and `bestmove` as they pass the pipe, by position of the board requested about."""

    def __init__(self) -> None:
        self.out_ms: list[float] = []
        self.back_ms: list[float] = []
        send_line, receive = MonitoredUci.send_line, MonitoredUci.pipe_data_received

        def timed_send(protocol: MonitoredUci, line: str) -> None:
            send_line(protocol, line)
            if line.startswith("go"):
                protocol.__dict__["went"] = time.perf_counter()

        def timed_receive(protocol: MonitoredUci, fd: int, data: bytes | str) -> None:
            if b"bestmove" in bytes(data, "utf-8") if isinstance(data, str) else b"bestmove" in data:
                protocol.__dict__["came"] = time.perf_counter()
            receive(protocol, fd, data)

        MonitoredUci.send_line = timed_send  # type: ignore[method-assign, assignment]  # the benchmark looks inside
        MonitoredUci.pipe_data_received = timed_receive  # type: ignore[method-assign, assignment]  # the benchmark looks inside


def play_game(pool: EnginePool, moves: int, stopwatch: Stopwatch) -> None:
    """One game's thread."""
    engine = pool.lend()
    board = chess.Board()
    for uci in itertools.islice(itertools.cycle(SHUFFLE), 80):
        board.push_uci(uci)
    answers: queue.Queue[tuple[float, Answer]] = queue.Queue()
    for _ in range(moves):
        time.sleep(0.005)
        requested = time.perf_counter()
        search = engine.play(
            board,
            Limit(white_clock=60.0, black_clock=60.0),
            on_done=lambda answer: answers.put((time.perf_counter(), answer)),
        )
        back, answer = answers.get(timeout=60)
        protocol = search.process.protocol if search.process else None
        if protocol is None or answer.error is not None:
            raise SystemExit(f"the engine failed: {answer.error}")
        stopwatch.out_ms.append((protocol.__dict__["went"] - requested) * 1000)
        stopwatch.back_ms.append((back - protocol.__dict__["came"]) * 1000)
    engine.give_back()


def main() -> None:
    """Measure and print."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    moves = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    stopwatch = Stopwatch()
    with EnginePool([tiny_entry(slots=games)]) as pool:
        threads = [threading.Thread(target=play_game, args=(pool, moves, stopwatch)) for _ in range(games)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for name, values in (("play -> go", stopwatch.out_ms), ("bestmove -> callback", stopwatch.back_ms)):
        cuts = statistics.quantiles(values, n=100)
        print(
            f"{name:22} median {statistics.median(values):.3f} ms   99 % {cuts[98]:.3f} ms   worst {max(values):.3f} ms"
        )


if __name__ == "__main__":
    main()
