"""Measure how long a move takes in the bot, and how quickly the engine answers.

    python benchmarks/latency.py moves --games 4
    python benchmarks/latency.py uci

`moves`: from the stream line that gives us the turn to the POST at the server, without the engine's thinking time.
Server, engines and bot are separate processes that share the monotonic clock. Leg `in` ends when the engine reads `go`,
leg `out` begins with its answer. The processor time is the bot's. With --dashboard a process also asks once a second
for the dashboard's page, boards and metrics. The exit status is 1 if --median-ms or --p99-ms is missed.

`uci`: start-up, go to first info, stop and short clocks, seen from the other end of engine88's pipe.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import chess
import structlog

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from bot.account.dispatcher import Dispatcher  # noqa: E402 -- the path is set above, for the package need not be installed
from bot.dashboard import DashboardServer, Meters, Observer, SearchNotes, Sources  # noqa: E402 -- as above
from bot.engine_pool.pool import EnginePool  # noqa: E402 -- as above
from bot.lichess.gateway import Gateway  # noqa: E402 -- as above
from bot.play.chat.chat_queue import ChatQueue  # noqa: E402 -- as above
from bot.play.game_context import GameContext  # noqa: E402 -- as above
from bot.play.observer import Observers  # noqa: E402 -- as above
from bot.play.outbox import LagMeter  # noqa: E402 -- as above
from bot.settings import DashboardSettings, EngineEntry, Settings  # noqa: E402 -- as above
from tests.helpers.uci import UciProcess  # noqa: E402 -- as above

START = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5"
LONG_GAME = "g1f3 g8f6 f3g1 f6g8 " * 75  # 300 plies
OTHER_GAME = "position fen 7k/8/8/8/8/8/8/K5R1 w - - 0 1"

Sample = tuple[float, float]  # ms: in, out


def recorded_game(number: int, plies: int) -> list[str]:
    """A legal game of so many plies in which nobody has to stop; each number begins with another move."""
    source = random.Random(number)
    first = list(chess.Board().legal_moves)[number]
    while True:
        board = chess.Board()
        board.push(first)
        while len(board.move_stack) < plies:
            moves = list(board.legal_moves)
            if not moves or board.is_insufficient_material():
                break
            board.push(source.choice(moves))
        else:
            return [move.uci() for move in board.move_stack]


@contextmanager
def serving(folder: Path, pause_ms: float) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The server's process; gives its URL."""
    arguments = [str(folder / "games"), str(folder / "server"), str(pause_ms)]
    command = [sys.executable, str(HERE / "latency_server.py"), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}", process
    finally:
        process.kill()
        process.wait()


WATCHER = """
import re, sys, time, urllib.request
def get(path):
    return urllib.request.urlopen(sys.argv[1] + path).read().decode()
while True:
    for path in re.findall(r'src="(/board/[^"]+)"', get("/")) + ["/metrics"]:
        get(path)
    time.sleep(1)
"""


@contextmanager
def watched(
    gateway: Gateway, dispatcher: Dispatcher, pool: EnginePool, meters: Meters, notes: SearchNotes
) -> Iterator[None]:
    """Serve the dashboard, and ask for all of it once a second."""
    limits = gateway.limits
    sources = Sources(
        gateway.url, lambda: "bot88", dispatcher.snapshot, pool.snapshot, limits.snapshot, limits.limited_counts,
        notes=notes,
    )  # fmt: skip
    server = DashboardServer(DashboardSettings(port=0), Observer(sources), meters)
    server.start()
    process = subprocess.Popen([sys.executable, "-c", WATCHER, server.url], stderr=subprocess.DEVNULL)
    try:
        yield
        assert process.poll() is None, "the watcher failed"
    finally:
        process.kill()
        process.wait()
        server.stop()


def play(folder: Path, games: int, pause_ms: float, think_ms: float, dashboard: bool) -> None:
    """Let the bot play all games to their end."""
    notes = (str(folder / "games"), str(folder / "engine"), str(think_ms))
    engine = (sys.executable, str(HERE / "latency_engine.py"), *notes)
    entry = EngineEntry(name="recorded", command=engine, slots=games, spares=games)
    settings = Settings.model_validate({"concurrency": games, "engines": [entry]})
    with serving(folder, pause_ms) as (url, process), EnginePool([entry]) as pool:
        while sum(one.idle for one in pool.snapshot()) < games:
            time.sleep(0.05)
        gateway = Gateway(url, "lip_benchmark")
        meters, chat = Meters(), ChatQueue(gateway)
        found, lag = SearchNotes(), LagMeter()
        observers = Observers(meters, found)
        context = GameContext(gateway, "bot88", "bot88", settings, pool.lend, lag, chat, observers=observers)
        dispatcher = Dispatcher(gateway, context)
        dispatcher.start()
        assert process.stdout is not None
        with watched(gateway, dispatcher, pool, meters, found) if dashboard else nullcontext():
            process.stdout.readline()  # "done"
        dispatcher.close()
        gateway.close()


def measure_moves(games: int, plies: int, pause_ms: float, think_ms: float, dashboard: bool) -> list[Sample]:
    """Play so many games at once and return the two legs of each of our moves."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts = [" ".join(recorded_game(number, plies | 1)) for number in range(games)]
        (folder / "games").write_text("\n".join(texts) + "\n")
        play(folder, games, pause_ms, think_ms, dashboard)
        return samples(folder)


def samples(folder: Path) -> list[Sample]:
    """Join the notes of server and engines by game and ply."""
    lines: dict[tuple[str, int], float] = {}
    posts: dict[tuple[str, int], float] = {}
    for word, game_id, ply, at in (line.split() for line in (folder / "server").read_text().splitlines()):
        (lines if word == "line" else posts).setdefault((game_id, int(ply)), float(at))
    found = []
    for path in folder.glob("engine.*"):
        for first, ply, heard, answered in (line.split() for line in path.read_text().splitlines()):
            key = (f"game{first}", int(ply))
            found.append(((float(heard) - lines[key]) * 1000, (posts[key] - float(answered)) * 1000))
    return found


def report(found: list[Sample], median_ms: float, p99_ms: float) -> int:
    """Print the figures; 0 when both bars are met."""
    totals = sorted(one[0] + one[1] for one in found)
    p99 = totals[min(len(totals) - 1, int(len(totals) * 0.99))]
    median = statistics.median(totals)
    for name, values in (("in", [one[0] for one in found]), ("out", [one[1] for one in found]), ("total", totals)):
        ordered = sorted(values)
        cuts = [ordered[min(len(ordered) - 1, int(len(ordered) * share))] for share in (0.5, 0.9, 0.99)]
        print(f"{name:>6}: median {cuts[0]:6.2f}  p90 {cuts[1]:6.2f}  p99 {cuts[2]:6.2f}  max {ordered[-1]:6.2f} ms")
    print(f"{len(found)} moves; bars: median <= {median_ms} ms, p99 <= {p99_ms} ms")
    return 0 if median <= median_ms and p99 <= p99_ms else 1


def measure_uci(rounds: int) -> Iterator[tuple[str, list[float]]]:
    """Measure the engine: what was measured, and the seconds of each round."""
    starts = [_start() for _ in range(max(3, rounds // 10))]
    yield "process start to uciok", [uciok for uciok, _ in starts]
    yield "process start to readyok (warm)", [ready for _, ready in starts]
    with UciProcess() as engine:
        engine.send("uci")
        engine.ready()
        yield "isready to readyok", [_timed(engine, "isready", "readyok") for _ in range(rounds)]
        yield "go depth 1 to bestmove", [_go(engine, START, "go depth 1", "bestmove") for _ in range(rounds)]
        yield "go infinite to first info", [_first_info(engine) for _ in range(rounds)]
        yield "stop to bestmove", [_stop(engine) for _ in range(rounds)]
        for left_ms in (50, 20, 1):
            figures = [_go(engine, START, f"go wtime {left_ms} btime {left_ms}", "bestmove") for _ in range(rounds)]
            yield f"go with {left_ms} ms on the clock to bestmove", figures
        yield "position with 300 moves, afresh", [_long_game(engine, 0) for _ in range(3)]
        yield "position with 2 moves more", [_long_game(engine, number) for number in range(1, rounds)]


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


def main() -> int:
    """Parse, play, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["moves", "uci"])
    parser.add_argument("--rounds", type=int, default=30, help="of uci")
    parser.add_argument("--games", type=int, default=4, choices=range(1, 21))
    parser.add_argument("--plies", type=int, default=201, help="length of each game")
    parser.add_argument("--pause-ms", type=float, default=40.0, help="the opponent's thinking time")
    parser.add_argument("--think-ms", type=float, default=20.0, help="our engine's")
    parser.add_argument("--dashboard", action="store_true", help="serve the dashboard, and watch it")
    parser.add_argument("--median-ms", type=float, default=3.0)
    parser.add_argument("--p99-ms", type=float, default=15.0)
    options = parser.parse_args()
    if options.what == "uci":
        for what, seconds in measure_uci(options.rounds):
            _print(what, seconds)
        return 0
    begun_s = time.process_time()
    found = measure_moves(options.games, options.plies, options.pause_ms, options.think_ms, options.dashboard)
    cpu_s = time.process_time() - begun_s
    print(f"   cpu: {cpu_s / len(found) * 1000:6.2f} ms a move, start-up and streams included")
    return report(found, options.median_ms, options.p99_ms)


if __name__ == "__main__":
    sys.exit(main())
