"""`bot88 ctl` and `bot88 run` as processes, over the socket, against the fake."""

from __future__ import annotations

import json
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.processes import wait_until
from tests.integration.test_program_attacks import PATIENCE_S, ROOT, Program, begin_game, play_on


class CommandedProgram(Program):
    """The program with a store, so that the socket is beside it."""

    def __init__(self, folder: Path, url: str, token: str) -> None:
        super().__init__(folder, url, token)
        self.socket = folder / "bot.sock"
        self.configure(store=str(folder / "bot.sqlite3"))

    def ctl(self, *words: str) -> subprocess.CompletedProcess[str]:
        """One command, from a process without the token."""
        command = [sys.executable, "-m", "bot", "ctl", "-c", str(self.folder / "bot.yml"), *words]
        environment = {key: value for key, value in self.environment.items() if key != "BOT88_TOKEN"}
        return subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )

    def says(self, *words: str) -> str:
        """The answer to a command that is carried out."""
        done = self.ctl(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def status(self) -> dict[str, Any]:
        """The status as JSON."""
        found = json.loads(self.says("status", "--json"))
        assert isinstance(found, dict)
        return found


@pytest.fixture
def program(fake: FakeLichess, tmp_path: Path) -> Iterator[CommandedProgram]:
    """Not started; killed at the end."""
    one = CommandedProgram(tmp_path, fake.url, fake.token("bot88"))
    yield one
    if one.process is not None:
        one.process.kill()
        one.process.wait(PATIENCE_S)


@pytest.mark.slow
def test_a_bot_is_paused_reloaded_and_ended_by_command(fake: FakeLichess, program: CommandedProgram) -> None:
    process = program.start()
    program.wait_for("account_stream_open")
    assert stat.S_IMODE(program.socket.stat().st_mode) == 0o600
    game_id = begin_game(fake)
    assert program.says("pause").startswith("paused")
    process.send_signal(signal.SIGHUP)
    program.wait_for("configuration_reloaded")
    assert program.status()["state"] == "paused"
    late = fake.challenge("Bobby", "bot88", clock=(600, 0))
    assert wait_until(lambda: fake.challenge_status(late) == "declined", PATIENCE_S)
    program.says("resume")
    program.configure(challenges={"queue": 3}, concurrency=5)
    assert program.says("reload") == "taken over: challenges; needs a restart: concurrency\n"
    assert program.says("quit-after-games").startswith("ending after the games; 1 game is running")
    play_on(fake, game_id)
    fake.player("Alice", game_id).resign()
    assert process.wait(PATIENCE_S) == 0
    assert not program.socket.exists()
    done = program.ctl("status")
    assert done.returncode == 1
    assert done.stderr.startswith(f"bot88: no bot is running at {program.socket}; start one with `bot88 run`")


@pytest.mark.slow
def test_quit_leaves_the_games_also_while_others_are_finished(fake: FakeLichess, program: CommandedProgram) -> None:
    process = program.start()
    program.wait_for("account_stream_open")
    game_id = begin_game(fake)
    program.says("quit-after-games")
    program.wait_for("ending")
    assert program.says("quit").startswith("ending now; 1 game is running")
    assert process.wait(PATIENCE_S) == 0
    assert fake.game(game_id).status == "started"


@pytest.mark.slow
def test_a_live_socket_is_refused_and_a_dead_one_replaced(fake: FakeLichess, program: CommandedProgram) -> None:
    first = program.start()
    program.wait_for("ready")
    second = subprocess.run(
        [sys.executable, "-m", "bot", "run", "-c", str(program.folder / "bot.yml")],
        env=program.environment | {"BOT88__LOG__FILE": str(program.folder / "other.log")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert second.returncode == 1
    assert f"another bot answers at {program.socket}\n  -> end it with `bot88 ctl quit`" in second.stderr
    assert program.status()["state"] == "playing"
    first.kill()
    first.wait(PATIENCE_S)
    assert program.socket.exists()
    program.start()
    program.wait_for("ready", 2)
    assert program.status()["state"] == "playing"
    program.says("quit")
    assert program.process is not None
    assert program.process.wait(PATIENCE_S) == 0


def test_a_bot_that_waits_for_the_server_can_be_asked_and_ended(tmp_path: Path) -> None:
    program = CommandedProgram(tmp_path, "http://127.0.0.1:9", "lip_any")
    process = program.start()
    try:
        program.wait_for("server_not_ready")
        assert program.status()["state"] == "starting"
        program.says("quit")
        assert process.wait(PATIENCE_S) == 0
    finally:
        process.kill()
        process.wait(PATIENCE_S)
