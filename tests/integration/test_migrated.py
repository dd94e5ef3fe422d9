"""The path of an owner who comes from lichess-bot: their configuration, carried over, plays a game."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from bot.fake_lichess import FakeLichess
from tests.helpers.engines import tiny_engine
from tests.helpers.processes import wait_until

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 120.0

THEIRS = """
token: {token}
url: {url}/
engine:
  dir: ./engines/
  name: tiny
  working_dir: ""
  protocol: uci
  ponder: true
  uci_options: {{}}
  draw_or_resign: {{resign_enabled: false, offer_draw_enabled: false}}
abort_time: 30
challenge:
  concurrency: 1
  sort_by: best
  accept_bot: true
  max_increment: 20
  max_base: 1800
  variants: [standard]
  time_controls: [bullet, blitz]
  modes: [casual, rated]
  max_simultaneous_games_per_user: 5
  block_list: [Bobby]
greeting: {{hello: "Hi {{opponent}}!"}}
matchmaking: {{allow_matchmaking: false, challenge_initial_time: [60], challenge_increment: [1]}}
"""


def test_a_configuration_of_lichess_bot_is_carried_over_and_plays(fake: FakeLichess, tmp_path: Path) -> None:
    engine = tmp_path / "engines" / "tiny"
    engine.parent.mkdir()
    engine.write_text(f"#!/bin/sh\nexec {shlex.join(tiny_engine())}\n")
    engine.chmod(0o700)
    (tmp_path / "config.yml").write_text(THEIRS.format(token=fake.token("bot88"), url=fake.url))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BOT88_")}
    environment["PYTHONPATH"] = str(ROOT)

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "bot", *words]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )

    carried = call("migrate-config", "config.yml", "--with-token", "-o", "bot88.yml")
    assert (carried.returncode, carried.stdout) == (0, "")
    assert carried.stderr.splitlines()[-1].endswith("and play: bot88 run -c bot88.yml")
    checked = call("check", "bot88.yml", "--start-up")
    assert (checked.returncode, checked.stdout.splitlines()[-2]) == (0, f"ready to play as bot88 on {fake.url}")
    with (tmp_path / "log").open("w") as log:
        command = [sys.executable, "-m", "bot", "run", "-c", "bot88.yml", "--plain"]
        bot = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=log, stdin=subprocess.DEVNULL)
    try:
        assert wait_until(lambda: fake.is_online("bot88"), PATIENCE_S), (tmp_path / "log").read_text()
        refused = fake.challenge("Bobby", "bot88", clock=(60, 0))
        assert wait_until(lambda: fake.challenge_status(refused) == "declined", PATIENCE_S)
        game_id = fake.challenge("Alice", "bot88", clock=(60, 0), color="black")
        fake.wait_for_moves(game_id, 1, PATIENCE_S)
        assert wait_until(lambda: bool(fake.requests("chat", game_id)), PATIENCE_S)  # the greeting
    finally:
        bot.kill()
        bot.wait(PATIENCE_S)
    assert (tmp_path / "data" / "bot88.sqlite3").exists()
