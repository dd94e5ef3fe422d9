"""The bot of the day: `bot88 run` configured as an owner would, and the commands that an owner gives it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil

from benchmarks.soak.bot_process import ENGINE, ROOT, BotProcess
from benchmarks.soak.day.guests import BLOCKED

NODES = 3000
COMMAND_S = 60.0
MOST_END_S = 90.0


class DayBot(BotProcess):
    """The bot's process with everything switched on that an owner may switch on."""

    def __init__(
        self, url: str, token: str, folder: Path, concurrency: int, *, small: bool = False, end_s: float = MOST_END_S
    ) -> None:
        """`small`: the soak's engine, which starts at once, instead of engine88; `end_s`: for games at the end."""
        self.small, self.end_s = small, min(MOST_END_S, end_s)
        super().__init__(url, token, folder, concurrency)

    @property
    def dashboard_url(self) -> str:
        """Where the dashboard is, as the log says; "" before it does."""
        lines = (line for line in self.log_lines() if " dashboard " in line)
        found = (re.search(r"http://[0-9.:]+", line) for line in lines)
        return next((one[0] for one in found if one is not None), "")

    def configuration(self) -> dict[str, Any]:
        """A configuration with engine, manners, matchmaking, dashboard and archive."""
        command = [sys.executable, str(ENGINE), "--log", str(self.engine_log)] if self.small else None
        engine = {"name": "small" if self.small else "engine88", "slots": self.concurrency, "spares": 1}
        return super().configuration() | {
            "engines": [engine | ({"command": command} if command else {"options": {"Hash": 16}})],
            "rules": [{"opponents": "human", "max_rating": 1300, "nodes": NODES // 10}, {"nodes": NODES}],
            "challenges": {
                "max_limit_s": 3600,
                "max_days": 7,
                "queue": 3,
                "block": [BLOCKED],
                "bullet_needs_increment": ["bot"],
                "reserved_for_humans": 1,
                "rules": [{"opponents": "human", "mode": "rated", "max_games": 10, "decline": "casual"}],
            },
            "conduct": CONDUCT,
            "clock": {"min_move_share": 0.01},
            "matchmaking": MATCHMAKING,
            "tournaments": {"ask_again_s": 5, "teams": [{"id": "fake-club"}]},
            "dashboard": {"port": 0},
            "shutdown": {"timeout_s": self.end_s},
            "log": {"file": str(self.folder / "bot88.log")},
        }

    def change(self, key: str, value: str) -> None:
        """Change a key of `challenges` in the file, as with an editor."""
        found = json.loads(self.config.read_text(encoding="utf-8"))
        found["challenges"][key] = int(value) if value.isdecimal() else value
        self.config.write_text(json.dumps(found, indent=1), encoding="utf-8")

    def command(self, *words: str) -> str:
        """Give a command such as `ctl status` or `games`; what was asked and said, for people."""
        called = [sys.executable, "-m", "bot", *_with_config(words, self.config)]
        environment = {key: value for key, value in os.environ.items() if key != "BOT88_TOKEN"}
        done = subprocess.run(
            called,
            cwd=self.folder,
            env=environment | {"PYTHONPATH": str(ROOT), "COLUMNS": "100"},
            capture_output=True,
            text=True,
            timeout=COMMAND_S,
            check=False,
        )
        return f"$ bot88 {' '.join(words)}\n{done.stdout}{done.stderr}[exit {done.returncode}]\n"

    def engines(self) -> list[int]:
        """The ids of all engine processes: what the program has started."""
        if self.small or self.pid is None:
            return super().engines()
        try:
            children = psutil.Process(self.pid).children(recursive=True)
            return [child.pid for child in children if "engine88" in child.cmdline()]
        except psutil.NoSuchProcess:
            return []


CONDUCT: dict[str, Any] = {
    "takebacks": 1,
    "abort_after_s": 30,
    "rules": [{"opponents": "bot", "resign": {"enabled": True}}],
    "draw": {"min_move": 20, "moves": 5, "score_cp": 20},
    "chat": {
        "greeting": "Hello {opponent}, I am {me} with {engine}. !help lists what I answer.",
        "spectator_greeting": "Welcome to {me} against {opponent}",
        "farewell": "Thank you for the game, {opponent}",
        "custom": {"rules": "One takeback, no advice during the game."},
    },
}
MATCHMAKING: dict[str, Any] = {
    "enabled": True,
    "idle_s": 10,
    "during_games": True,
    "profiles": [{"limit_s": 60, "increment_s": 1, "weight": 2}, {"limit_s": 180, "increment_s": 2, "mode": "rated"}],
}


def _with_config(words: Sequence[str], config: Path) -> list[str]:
    """The words with the configuration after the command's name."""
    return [words[0], "-c", str(config), *words[1:]]
