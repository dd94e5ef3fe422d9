"""Many games at once on the fake Lichess: are its clocks exact, does anything fail, does its memory stay?

    python -m benchmarks.fake_load --games 50 --minutes 10

The server runs in a process of its own. Each game has two bot accounts over real HTTP: one client thread per game opens
both streams and posts random moves at a chosen pace, as trivial bots would. The clock is checked from outside: the
server's times after each move against the client's own measurement of the same span (from the line that began the turn
to the post that ended it, whose own length is the bound of what cannot be known). At the end of each game one side lets
its flag fall, and the moment of the last line is checked against the time that was left.
"""

from __future__ import annotations

import argparse
import json
import random
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import chess
import psutil

ROOT = Path(__file__).resolve().parents[1]
LIMIT_MS, INCREMENT_MS = 60_000, 0


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


class Wire:
    """One account's connection for requests, and its streams."""

    def __init__(self, host: str, port: int, name: str) -> None:
        self.host, self.port = host, port
        self.headers = {"Authorization": f"Bearer lip_{name.lower()}", "User-Agent": name}
        self.connection = self._connect()

    def _connect(self) -> HTTPConnection:
        connection = HTTPConnection(self.host, self.port, timeout=60)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def post(self, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        """POST JSON; status and answer."""
        headers = self.headers | ({"Content-Type": "application/json"} if body is not None else {})
        self.connection.request("POST", path, json.dumps(body) if body is not None else None, headers)
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def lines(self, path: str) -> Lines:
        """Open a stream."""
        connection = self._connect()
        connection.request("GET", path, headers=self.headers)
        return Lines(connection)


class Lines:
    """A stream read line by line; keep-alives are skipped."""

    def __init__(self, connection: HTTPConnection) -> None:
        self.connection = connection
        self.response = connection.getresponse()

    def next(self) -> tuple[float, dict[str, Any] | None]:
        """When the next line came, and its value; None at the end."""
        while True:
            line = self.response.readline()
            now = time.perf_counter()
            if not line:
                self.connection.close()
                return now, None
            if line.strip():
                return now, json.loads(line)


def play_one(white: Wire, black: Wire, name: str, pace_s: float, plies: int, found: Findings, rng: random.Random) -> None:
    """One game: random moves for so many plies, then the side to move lets its flag fall."""
    status, challenge = white.post(
        f"/api/challenge/{name}", {"clock.limit": LIMIT_MS // 1000, "clock.increment": 0, "color": "white"}
    )
    if status != 200:
        raise RuntimeError(f"challenge: {status} {challenge}")
    game_id = challenge["id"]
    status, answer = black.post(f"/api/challenge/{game_id}/accept")
    if status != 200:
        raise RuntimeError(f"accept: {status} {answer}")
    path = f"/api/bot/game/stream/{game_id}"
    watch, other = white.lines(path), black.lines(path)
    watch.next()
    other.next()
    threading.Thread(target=drain, args=(other,), daemon=True).start()
    board, wires = chess.Board(), {chess.WHITE: white, chess.BLACK: black}
    left = {chess.WHITE: LIMIT_MS, chess.BLACK: LIMIT_MS}
    began = time.perf_counter()
    while len(board.move_stack) < plies and not board.is_game_over():
        color = board.turn
        time.sleep(rng.uniform(0.5, 1.5) * pace_s)
        move = rng.choice(list(board.legal_moves))
        sent = time.perf_counter()
        status, answer = wires[color].post(f"/api/bot/game/{game_id}/move/{move.uci()}")
        done = time.perf_counter()
        if status != 200:
            raise RuntimeError(f"move {move.uci()} in {board.fen()}: {status} {answer}")
        board.push(move)
        arrived, state = watch.next()
        if state is None or state["moves"].split()[-1] != move.uci():
            raise RuntimeError(f"after {move.uci()} the stream says {state}")
        now_left = state["wtime" if color == chess.WHITE else "btime"]
        with found.lock:
            found.moves += 1
            found.posts_ms.append((done - sent) * 1000)
            found.arrivals_ms.append((arrived - sent) * 1000)
            if len(board.move_stack) > 2:
                found.clock_errors.append(outside(left[color] - now_left, (sent - began) * 1000, (arrived - began) * 1000))
        left[color] = now_left
        began = (sent + arrived) / 2 if arrived - sent < 0.001 else sent
    await_flag(watch, board, left, began, found)


def outside(server_ms: float, least_ms: float, most_ms: float) -> float:
    """How far the server's span lies outside of what the client can have seen: 0 when inside (a millisecond rounds)."""
    return max(0.0, least_ms - server_ms - 1, server_ms - most_ms - 1)


def await_flag(watch: Lines, board: chess.Board, left: dict[bool, int], began: float, found: Findings) -> None:
    """Wait for the last line and compare its moment with the time that was left."""
    if board.is_game_over():
        return
    arrived, state = watch.next()
    if state is None or state["status"] not in ("outoftime", "draw"):
        raise RuntimeError(f"the flag should have fallen, the stream says {state}")
    if state["status"] == "outoftime":
        with found.lock:
            found.flag_errors.append((arrived - began) * 1000 - left[board.turn])


def drain(lines: Lines) -> None:
    """Read a stream to its end."""
    try:
        while lines.next()[1] is not None:
            pass
    except (OSError, HTTPException):
        return


def worker(host: str, port: int, number: int, until: float, options: argparse.Namespace, found: Findings) -> None:
    """Play one game after the other until the time is up."""
    rng = random.Random(number)
    white, black = Wire(host, port, f"White{number}"), Wire(host, port, f"Black{number}")
    while time.monotonic() < until:
        try:
            play_one(white, black, f"Black{number}", options.pace, options.plies, found, rng)
            with found.lock:
                found.games += 1
        except (RuntimeError, OSError, HTTPException, ValueError) as error:
            with found.lock:
                found.failures.append(f"{type(error).__name__}: {error}")
            white, black = Wire(host, port, f"White{number}"), Wire(host, port, f"Black{number}")


def configuration(games: int, path: Path) -> None:
    """A server's configuration with two bots per game and without rate limits."""
    accounts = [{"name": f"{side}{n}", "title": "BOT"} for n in range(games) for side in ("White", "Black")]
    settings = {"rate_limits": False, "allow_any_clock": True, "accounts": accounts, "keep_finished": 100}
    path.write_text(json.dumps(settings), encoding="utf-8")  # YAML reads JSON


def quantiles(values: list[float]) -> str:
    """Median, 99th percentile and maximum."""
    if not values:
        return "none"
    ordered = sorted(values)
    return f"median {ordered[len(ordered) // 2]:.2f}, p99 {ordered[int(len(ordered) * 0.99)]:.2f}, max {ordered[-1]:.2f}"


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
    parser.add_argument("--plies", type=int, default=80, help="moves before a flag is left to fall")
    options = parser.parse_args()
    config = Path(sys.argv[0]).parent / f".fake_load_{time.time_ns()}.yml"
    config = Path("/tmp") / config.name  # noqa: S108 -- removed below
    configuration(options.games, config)
    command = [sys.executable, "-m", "bot.fake_lichess", "--config", str(config)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        return run(server, options)
    finally:
        server.terminate()
        server.wait(30)
        config.unlink()


def run(server: subprocess.Popen[str], options: argparse.Namespace) -> int:
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
    good = report(found, memory, cpu.user + cpu.system, time.monotonic() - started)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
