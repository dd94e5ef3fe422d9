"""Both packages without the modules and functions that only POSIX systems have, as on Windows.

What cannot be tried so: the launcher of engines, signals of Windows, and its rules about files that are open.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.engines import tiny_engine
from tests.helpers.processes import wait_until

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = [sys.executable, "-m", "tests.helpers.without_posix"]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"}


@pytest.fixture
def fake() -> Iterator[FakeLichess]:
    """A server with a bot account."""
    with FakeLichess() as server:
        server.add_account("bot88", title="BOT")
        yield server


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run it to its end."""
    return subprocess.run([*PROGRAM, *words], env=ENVIRONMENT, capture_output=True, text=True, timeout=240, check=False)


def config(folder: Path, more: str) -> str:
    """A configuration with the tiny engine."""
    path = folder / "tiny.yml"
    command = ", ".join(f"'{word}'" for word in tiny_engine())
    path.write_text(f"engines: [{{name: tiny, command: [{command}], slots: 2}}]\n{more}", encoding="utf-8")
    return str(path)


@pytest.mark.slow
def test_every_module_can_be_imported() -> None:
    done = run("--import-all")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_a_game_is_played(tmp_path: Path) -> None:
    done = run(
        "offline",
        "--clock",
        "0.3+0",
        "--opponent",
        "random",
        "--config",
        config(tmp_path, "challenges: {speeds: [bullet, ultraBullet]}\n"),
    )
    assert done.returncode == 0, done.stderr
    assert "every game ended well" in done.stdout


def test_a_running_bot_takes_commands_over_a_loopback_port(tmp_path: Path, fake: FakeLichess) -> None:
    lichess = f"lichess: {{url: '{fake.url}', token: {fake.token('bot88')}}}\nstore: store.sqlite3\n"
    named = config(tmp_path, lichess)
    log = tmp_path / "log"
    with (
        log.open("w") as stream,
        subprocess.Popen([*PROGRAM, "run", "-c", named], env=ENVIRONMENT, stderr=stream) as bot,
    ):
        try:
            assert wait_until(lambda: fake.is_online("bot88") and (tmp_path / "store.sock").exists(), 120.0)
            assert re.fullmatch(r'\{"port": \d+, "secret": "\w{32}"\}', (tmp_path / "store.sock").read_text())
            told = run("ctl", "quit", "-c", named)
            assert (told.returncode, told.stderr) == (0, "")
            assert bot.wait(60) == 0, log.read_text(encoding="utf-8")
        finally:
            bot.kill()
