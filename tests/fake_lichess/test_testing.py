"""The pytest plugin, as another bot's tests load it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLE = """
import requests

from bot.fake_lichess import FakeLichess


def test_a_bot_accepts_and_moves(fake_lichess: FakeLichess) -> None:
    game_id = fake_lichess.challenge("Alice", "bot88", clock=(60, 0), color="black")
    me = {"Authorization": f"Bearer {fake_lichess.token('bot88')}"}
    requests.post(f"{fake_lichess.url}/api/challenge/{game_id}/accept", headers=me, timeout=60)
    requests.post(f"{fake_lichess.url}/api/bot/game/{game_id}/move/e2e4", headers=me, timeout=60)
    assert fake_lichess.game(game_id).moves == ("e2e4",)
"""


def test_the_plugin_gives_a_running_server(tmp_path: Path) -> None:
    (tmp_path / "test_example.py").write_text(EXAMPLE, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "bot.fake_lichess.testing", "-p", "no:cacheprovider"]
    # the root folder of the example is its own: none of this project's settings may be needed
    command += ["--rootdir", str(tmp_path), "-c", "/dev/null", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
