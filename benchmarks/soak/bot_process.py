"""The bot under test: `bot88 run` as a child process with its own configuration, started again as often as asked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from benchmarks.soak.evidence import Sample

ROOT = Path(__file__).resolve().parents[2]
ENGINE = Path(__file__).with_name("engine.py")
MIB = 1024 * 1024
END_S = 120.0


class BotProcess:
    """One account's bot. Everything that it writes is in its folder; the token is in its environment alone."""

    def __init__(self, url: str, token: str, folder: Path, concurrency: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.token = folder, token
        self.engine_log = folder / "engine.log"
        self.lives = 0
        self._process: subprocess.Popen[bytes] | None = None
        self.config = folder / "bot.yml"
        self.url, self.concurrency = url, concurrency
        configuration = self.configuration()
        self.config.write_text(json.dumps(configuration, indent=1), encoding="utf-8")  # JSON is YAML

    def configuration(self) -> dict[str, Any]:
        """What the bot's configuration file says."""
        own = [sys.executable, str(ENGINE), "--log", str(self.engine_log)]
        entry = {"name": "soak", "command": own, "slots": self.concurrency, "spares": 1}
        return {
            "concurrency": self.concurrency,
            "lichess": {"url": self.url},
            "store": str(self.folder / "store.sqlite3"),
            "pgn_folder": str(self.folder / "pgn"),
            "engines": [entry],
            "challenges": {"max_days": 14, "min_limit_s": 0, "queue": 20},
            "conduct": {"chat": {"greeting": "Hello {opponent}, {engine} plays", "farewell": "Thank you"}},
            "correspondence": {"think_s": 1, "disconnect_after_s": 20, "check_in_every_s": 10},
            "log": {"format": "json"},
        }

    def start(self) -> None:
        """Start the program; its log goes to a file that names its life."""
        self.lives += 1
        environment = os.environ | {"BOT88_TOKEN": self.token, "PYTHONPATH": str(ROOT)}
        with (self.folder / f"bot-{self.lives:03}.log").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "bot", "run", "-c", str(self.config)],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    @property
    def pid(self) -> int | None:
        """The id of the program's process, None before the first start."""
        return self._process.pid if self._process is not None else None

    @property
    def running(self) -> bool:
        """Whether the program runs."""
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """SIGKILL, and wait until it is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def end(self, patience_s: float = END_S) -> int | None:
        """SIGTERM, then wait; gives the exit status, None where it had to be killed."""
        self.send_signal(signal.SIGTERM)
        return self.wait(patience_s)

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the program, where it runs."""
        if self._process is not None and self.running:
            self._process.send_signal(number)

    def wait(self, patience_s: float) -> int | None:
        """Wait for the end; gives the exit status, None where it had to be killed."""
        if self._process is None:
            return None
        try:
            return self._process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    def engines(self) -> list[int]:
        """The ids of all engine processes of any life, zombies left out."""
        found = []
        for process in psutil.process_iter(["pid", "cmdline", "status"]):
            command = process.info["cmdline"] or []
            if str(self.engine_log) in command and process.info["status"] != psutil.STATUS_ZOMBIE:
                found.append(process.info["pid"])
        return found

    def sample(self, games: int) -> Sample | None:
        """Look at the process; None where it does not run."""
        if self._process is None or not self.running:
            return None
        process = psutil.Process(self._process.pid)
        try:
            rss, threads, (files, sockets) = process.memory_info().rss, process.num_threads(), opened(process.pid)
        except (psutil.NoSuchProcess, OSError):
            return None
        engines = len(self.engines())
        return Sample(time.monotonic(), self.lives, rss / MIB, threads, files, engines, games, sockets)

    def log_lines(self) -> list[str]:
        """The log of all lives."""
        return [
            line
            for path in sorted(self.folder.glob("bot-*.log"))
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
        ]


def opened(pid: int) -> tuple[int, int]:
    """How many descriptors of a process are no sockets, and how many are; raises OSError when it is gone."""
    found = {True: 0, False: 0}
    for path in Path(f"/proc/{pid}/fd").iterdir():
        try:
            found[str(path.readlink()).startswith("socket:")] += 1
        except FileNotFoundError:
            continue  # closed meanwhile
    return found[False], found[True]
