"""Target `uci`: lines for the engine's own process, which must answer `readyok` after every input."""

from __future__ import annotations

import queue
import random
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from tests.fuzz.mutate import WEIRD, mutated_bytes, mutated_words

ROOT = Path(__file__).resolve().parents[2]
READY_S = 60.0
START_S = 300.0
SEEDS = (
    *("uci", "isready", "ucinewgame", "stop", "ponderhit", "d", "eval", "debug on", "register later"),
    *("position startpos", "position startpos moves e2e4 e7e5 g1f3", "position startpos moves e2e4 e2e4"),
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 h3g2",
    *("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position fen 4k3/8/8/8/8/8/8/4K2R w K - 99 1 moves h1h2"),
    *("go nodes 50", "go depth 2", "go movetime 1", "go wtime 60000 btime 1 winc 0 binc 0", "go infinite", "go ponder"),
    *("go perft 2", "go mate 1", "go searchmoves e2e4 d2d4 nodes 50", "go wtime -5 btime -5 movestogo 0", "bench 1"),
    *("setoption name Hash value 4", "setoption name Threads value 2", "setoption name MultiPV value 3"),
    *("setoption name UCI_Chess960 value true", "setoption name UCI_LimitStrength value true", "setoption name"),
    *("setoption name UCI_Elo value 1500", "setoption name Clear Hash", "setoption name UCI_ShowWDL value true"),
    *("setoption name Move Overhead value 10", "setoption name EvalFile value nonsense", "setoption name X value"),
)
#: Lines that only use up the machine: much memory, many threads, a long bench.
_GREEDY = re.compile(rb"(?i)(hash|threads|multipv)\D*\d{2,}|^\s*bench|perft\D*[4-9\d]\d*")
_OWN_TROUBLE = ("internal error", "Traceback")


class Uci:
    """One engine process; an input is one line, and each is followed by `stop` and `isready`."""

    name = "uci"

    def __init__(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 -- read at the end, closed in `close`
        self._process = subprocess.Popen(
            [sys.executable, "-m", "engine88"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if trouble := self._until_ready(b"uci\nisready\n", 1, START_S):
            raise RuntimeError(f"the engine does not start: {trouble}")

    def _read(self) -> None:
        if self._process.stdout is not None:
            for raw in self._process.stdout:
                self._lines.put(raw.decode("utf-8", "replace").rstrip())
        self._lines.put(None)

    def make(self, rng: random.Random) -> bytes:
        """A command with its words or its bytes changed, or none at all; never a bare `quit`."""
        seed = rng.choice(SEEDS)
        while True:
            line = mutated_words(rng, seed.split(" ")) if rng.random() < 0.7 else seed
            if rng.random() < 0.05:
                line = str(rng.choice([one for one in WEIRD if isinstance(one, str)]))
            data = line.encode("utf-8", "surrogatepass")
            if rng.random() < 0.3:
                data = mutated_bytes(rng, data, rng.choice([1, 2, 6]))
            data = data.replace(b"\n", b" ")
            if not _GREEDY.search(data) and data.split()[:1] != [b"quit"]:
                return data

    def check(self, data: bytes) -> str:
        """Send a line; what it starts is stopped, and the engine must be ready."""
        asked = data.decode("utf-8", "replace").split()[:1] == ["isready"]
        return self._until_ready(data + b"\nstop\nisready\n", 1 + asked, READY_S)

    def _until_ready(self, data: bytes, waiting: int, timeout_s: float) -> str:
        process = self._process
        try:
            if process.stdin is not None:
                process.stdin.write(data)
                process.stdin.flush()
            while waiting:
                line = self._lines.get(timeout=timeout_s)
                if line is None:
                    return f"the engine ended with status {process.wait(10)}"
                if any(trouble in line for trouble in _OWN_TROUBLE):
                    return line
                waiting -= line == "readyok"
        except queue.Empty:
            return f"no readyok within {timeout_s:.0f} s"
        except BrokenPipeError:
            return f"the engine ended with status {process.wait(10)}"
        return ""

    def close(self) -> None:
        """Quit; the engine must end with status 0 and have written no traceback."""
        try:
            if self._process.poll() is None and self._process.stdin is not None:
                self._process.stdin.write(b"quit\n")
                self._process.stdin.close()
            status = self._process.wait(START_S)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            self._process.kill()
            status = self._process.wait()
        self._reader.join(10)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.seek(0)
        errors = self._errors.read().decode("utf-8", "replace")
        self._errors.close()
        if status or "Traceback" in errors:
            raise AssertionError(f"the engine ended with status {status}: {errors[-500:]}")
