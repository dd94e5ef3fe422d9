"""Many games at once on the fake Lichess: are its clocks exact, does anything fail, does its memory stay?

    python -m benchmarks.fake_load --games 50 --minutes 10

The server runs in a process of its own. Each game has two bot accounts over real HTTP: one client thread per game opens
both streams and posts random moves at a chosen pace, as trivial bots would. The clock is checked from outside: the
server's times after each move against what the client saw of the same span: it began between the post of the move
before and its arrival on the stream, and it ended between the same two of this move. At the end of each game one side
lets its flag fall, and the moment of the last line is checked against the time that was left.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

import chess
import psutil

from benchmarks.ndjson_client import Wire, drain

ROOT = Path(__file__).resolve().parents[1]


@dataclass
class Findings:
    """What all clients found; errors in milliseconds."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    clock_errors: list[float] = field(default_factory=list)
    flag_errors: list[float] = field(default_factory=list)
    posts_ms: list[float] = field(default_factory=list)
    arrivals_ms: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    games: int = 0
    moves: int = 0


class Match:
    """One game between two accounts, as its client sees it. Raises RuntimeError when the server says anything odd."""

    def __init__(self, white: Wire, black: Wire, name: str, options: argparse.Namespace, found: Findings) -> None:
        self.wires = {chess.WHITE: white, chess.BLACK: black}
        self.found = found
        self.board = chess.Board()
        self.left = {chess.WHITE: options.limit * 1000, chess.BLACK: options.limit * 1000}
        terms = {"clock.limit": options.limit, "clock.increment": 0, "color": "white"}
        self.game_id = self._ok(white.post(f"/api/challenge/{name}", terms))["id"]
        self._ok(black.post(f"/api/challenge/{self.game_id}/accept"))
        self.watch, other = (wire.lines(f"/api/bot/game/stream/{self.game_id}") for wire in (white, black))
        self.watch.next()
        threading.Thread(target=drain, args=(other,), daemon=True).start()
        self.began = (0.0, 0.0)

    def _ok(self, answer: tuple[int, dict[str, Any]]) -> dict[str, Any]:
        if answer[0] != 200:
            raise RuntimeError(f"{self.board.fen()}: {answer}")
        return answer[1]

    def play(self, pace_s: float, plies: int, rng: random.Random) -> None:
        """Random moves for so many plies, then the side to move lets its flag fall."""
        while len(self.board.move_stack) < plies and not self.board.is_game_over():
            time.sleep(rng.uniform(0.5, 1.5) * pace_s)
            self._move(rng.choice(list(self.board.legal_moves)))
        if not self.board.is_game_over():
            self._await_flag()

    def _move(self, move: chess.Move) -> None:
        color = self.board.turn
        sent = time.perf_counter()
        self._ok(self.wires[color].post(f"/api/bot/game/{self.game_id}/move/{move.uci()}"))
        done = time.perf_counter()
        self.board.push(move)
        arrived, state = self.watch.next()
        if state is None or state["moves"].split()[-1] != move.uci():
            raise RuntimeError(f"after {move.uci()} the stream says {state}")
        left = state["wtime" if color == chess.WHITE else "btime"]
        with self.found.lock:
            self.found.moves += 1
            self.found.posts_ms.append((done - sent) * 1000)
            self.found.arrivals_ms.append((arrived - sent) * 1000)
            if len(self.board.move_stack) > 2:
                least, most = (sent - self.began[1]) * 1000, (arrived - self.began[0]) * 1000
                self.found.clock_errors.append(outside(self.left[color] - left, least, most))
        self.left[color] = left
        self.began = (sent, arrived)

    def _await_flag(self) -> None:
        arrived, state = self.watch.next()
        if state is None or state["status"] not in ("outoftime", "draw"):
            raise RuntimeError(f"the flag should have fallen, the stream says {state}")
        if state["status"] == "outoftime":
            with self.found.lock:
                self.found.flag_errors.append((arrived - self.began[1]) * 1000 - self.left[self.board.turn])


def outside(server_ms: float, least_ms: float, most_ms: float) -> float:
    """How far the server's span lies outside of what the client can have seen: 0 when inside (a millisecond rounds)."""
    return max(0.0, least_ms - server_ms - 1, server_ms - most_ms - 1)


def worker(host: str, port: int, number: int, until: float, options: argparse.Namespace, found: Findings) -> None:
    """Play one game after the other until the time is up."""
    rng = random.Random(number)
    white, black = Wire(host, port, f"White{number}"), Wire(host, port, f"Black{number}")
    while time.monotonic() < until:
        try:
            Match(white, black, f"Black{number}", options, found).play(options.pace, options.plies, rng)
            with found.lock:
                found.games += 1
        except (RuntimeError, OSError, HTTPException, ValueError) as error:
            with found.lock:
                found.failures.append(f"{type(error).__name__}: {error}")
            white, black = Wire(host, port, f"White{number}"), Wire(host, port, f"Black{number}")


def configuration(games: int, path: Path) -> None:
    """A server's configuration with two bots per game and without rate limits."""
    accounts = [{"name": f"{side}{n}", "title": "BOT"} for n in range(games) for side in ("White", "Black")]
    settings = {
        "rate_limits": False,
        "allow_any_clock": True,
        "accounts": accounts,
        "keep_finished": 100,
        "keep_requests": 1000,
    }
    path.write_text(json.dumps(settings), encoding="utf-8")  # YAML reads JSON


def quantiles(values: list[float]) -> str:
    """Median, 99th percentile and maximum."""
    if not values:
        return "none"
    ordered = sorted(values)
    return (
        f"median {ordered[len(ordered) // 2]:.2f}, p99 {ordered[int(len(ordered) * 0.99)]:.2f}, max {ordered[-1]:.2f}"
    )


def report(found: Findings, memory: list[float], cpu_s: float, wall_s: float) -> bool:
    """Print the figures; whether the bars hold: clocks to 50 ms, no failure, memory flat."""
    half = memory[len(memory) // 2 :]
    growth = (half[-1] - half[0]) / half[0] * 100 if len(half) > 1 else 0.0
    print(f"games {found.games}  moves {found.moves}  wall {wall_s:.0f} s  server cpu {cpu_s / wall_s * 100:.0f} %")
    print(f"clock outside what the client saw, ms: {quantiles(found.clock_errors)}")
    print(f"flag fell late by, ms:                 {quantiles(found.flag_errors)}")
    print(f"move post, ms:                         {quantiles(found.posts_ms)}")
    print(f"move post to stream, ms:               {quantiles(found.arrivals_ms)}")
    print(f"server memory, MB: {memory[0]:.1f} -> {memory[-1]:.1f} (second half {growth:+.1f} %)")
    print(f"failures: {len(found.failures)} {found.failures[:3]}")
    exact = max(found.clock_errors + [abs(error) for error in found.flag_errors], default=999) <= 50
    return exact and not found.failures and growth < 10


def main() -> int:
    """Run and report; status 1 when a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--pace", type=float, default=0.5, help="mean seconds per move")
    parser.add_argument("--limit", type=int, default=40, help="seconds on each clock")
    parser.add_argument("--plies", type=int, default=80, help="moves before a flag is left to fall")
    options = parser.parse_args()
    return 0 if report(*measure(options)) else 1


def measure(options: argparse.Namespace) -> tuple[Findings, list[float], float, float]:
    """Return what the clients found, the server's memory in MB every five seconds, its processor and wall seconds."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "fake.yml")
        configuration(options.games, config)
        command = [sys.executable, "-m", "bot.fake_lichess", "--config", str(config)]
        server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        try:
            return run(server, options)
        finally:
            server.terminate()
            server.wait(30)


def run(server: subprocess.Popen[str], options: argparse.Namespace) -> tuple[Findings, list[float], float, float]:
    """Let all workers play against a running server."""
    if server.stdout is None:
        raise RuntimeError("the server has no output")
    url = server.stdout.readline().split()[-1]
    host, port = url.removeprefix("http://").split(":")
    threading.Thread(target=server.stdout.read, daemon=True).start()
    found, process = Findings(), psutil.Process(server.pid)
    started, until = time.monotonic(), time.monotonic() + options.minutes * 60
    threads = [
        threading.Thread(target=worker, args=(host, int(port), n, until, options, found)) for n in range(options.games)
    ]
    for thread in threads:
        thread.start()
    memory: list[float] = []
    while any(thread.is_alive() for thread in threads):
        memory.append(process.memory_info().rss / 1e6)
        time.sleep(5)
    cpu = process.cpu_times()
    return found, memory, cpu.user + cpu.system, time.monotonic() - started


if __name__ == "__main__":
    sys.exit(main())
