"""`bot88 run` as a process with a tiny engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import psutil
import pytest
import yaml

from bot.fake_lichess import FakeLichess
from tests.helpers.engines import tiny_engine
from tests.helpers.processes import wait_until

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 120.0


class RunningBot:
    """`python -m bot run` as the account bot88; its log lines are JSON. `settings` replace those of the test."""

    def __init__(self, fake: FakeLichess, folder: Path, *, url: str = "", **settings: Any) -> None:
        self._config = folder / "bot.yml"
        content = {
            "lichess": {"url": url or fake.url},
            "engines": [{"name": "tiny", "command": list(tiny_engine()), "slots": 2}],
            "log": {"format": "json"},
        }
        self._config.write_text(yaml.safe_dump(content | settings), encoding="utf-8")
        self._log = folder / "log.jsonl"
        environment = os.environ | {"BOT88_TOKEN": fake.token("bot88"), "PYTHONPATH": str(ROOT)}
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "bot", "run", "-c", str(self._config)],
                env=environment,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )

    def log_text(self) -> str:
        """Return the log so far."""
        return self._log.read_text()

    def logged(self, event: str) -> bool:
        """Return whether the event is in the log."""
        return any(json.loads(line)["event"] == event for line in self.log_text().splitlines() if line[-1:] == "}")

    def wait_for(self, event: str) -> None:
        """Wait until the event is in the log."""
        assert wait_until(lambda: self.logged(event), PATIENCE_S), self.log_text()

    def children(self) -> list[int]:
        """Return the ids of its engine processes."""
        return [child.pid for child in psutil.Process(self.process.pid).children(recursive=True)]

    def games(self) -> list[dict[str, Any]]:
        """Return what `bot88 games --json` lists."""
        command = [sys.executable, "-m", "bot", "games", "--json", "-c", str(self._config)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=PATIENCE_S)
        found: list[dict[str, Any]] = json.loads(done.stdout)["games"]
        return found

    def end(self) -> int:
        """Wait for its exit code."""
        return self.process.wait(PATIENCE_S)


@contextmanager
def running_bot(fake: FakeLichess, folder: Path, **settings: Any) -> Iterator[RunningBot]:
    """A bot that is online; in the end it is stopped as by a signal, so that what is queued is written."""
    bot = RunningBot(fake, folder, **settings)
    try:
        bot.wait_for("account_stream_open")
        yield bot
        bot.process.terminate()
        bot.end()
    finally:
        bot.process.kill()
        bot.process.wait(PATIENCE_S)


class Run(Protocol):
    """Starts a bot with these settings and waits until it is online."""

    def __call__(self, *, url: str = "", **settings: Any) -> RunningBot:
        """Start one; it is killed at the end of the test."""


@pytest.fixture
def run(fake: FakeLichess, tmp_path: Path) -> Iterator[Run]:
    """Start bots as processes; all are killed at the end."""
    bots: list[RunningBot] = []

    def start(*, url: str = "", **settings: Any) -> RunningBot:
        bots.append(RunningBot(fake, tmp_path, url=url, **settings))
        bots[-1].wait_for("account_stream_open")
        return bots[-1]

    yield start
    for bot in bots:
        bot.process.kill()
        bot.process.wait(PATIENCE_S)
