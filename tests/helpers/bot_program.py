"""`bot88 run` as a process of its own, with a tiny engine, against a fake server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bot.fake_lichess import FakeLichess, GameReport
from tests.helpers.engines import tiny_engine
from tests.helpers.playing import resigning_at

ROOT = Path(__file__).resolve().parents[2]
_END_S = 60.0


class BotProgram:
    """The program with its files in `folder`; `settings` are merged into a configuration that plays fast games."""

    def __init__(self, fake: FakeLichess, folder: Path, settings: Mapping[str, Any]) -> None:
        self.fake = fake
        self.config = folder / "bot88.yml"
        engine = {"name": "tiny", "command": list(tiny_engine()), "slots": 4}
        content: dict[str, Any] = {
            "lichess": {"url": fake.url, "token": fake.token("bot88")},
            "engines": [engine],
            "store": str(folder / "store.sqlite3"),
            "dashboard": {"enabled": False},
            "control": {"enabled": False},
        }
        self.config.write_text(json.dumps(content | dict(settings)))  # JSON is YAML
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> BotProgram:
        """Start it; returns once it is online."""
        self._process = subprocess.Popen(self._command("run"), cwd=ROOT, env=_environ(), stdin=subprocess.DEVNULL)
        self.fake.wait_for(lambda: self.fake.is_online("bot88"), what="the program to come online")
        return self

    def __exit__(self, *_error: object) -> None:
        """End it as a signal does, so that what is queued is written."""
        process = self.process
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(_END_S)

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The running process."""
        assert self._process is not None
        return self._process

    def play(self, opponent: str = "Shorty", plies: int = 4) -> GameReport:
        """Play a short game that the opponent resigns; the default settings allow few games per opponent."""
        if self.fake.call(lambda: self.fake.world.registry.find(opponent)) is None:
            self.fake.add_account(opponent, script=resigning_at(plies))
        game_id = self.fake.challenge(opponent, "bot88", clock=(60, 0), color="white")
        return self.fake.wait_for_end(game_id)

    def games(self) -> list[dict[str, Any]]:
        """The output of `bot88 games --json`."""
        found: list[dict[str, Any]] = json.loads(self.command("games", "--json"))["games"]
        return found

    def command(self, *words: str) -> str:
        """The standard output of another command with this configuration."""
        done = subprocess.run(
            self._command(*words), cwd=ROOT, env=_environ(), capture_output=True, check=True, timeout=_END_S
        )
        return done.stdout.decode()

    def _command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "bot", *words, "--config", str(self.config)]


def _environ() -> dict[str, str]:
    environ = {name: value for name, value in os.environ.items() if name != "BOT88_TOKEN"}
    return environ | {"PYTHONPATH": str(ROOT)}
