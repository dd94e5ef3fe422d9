"""Attacks on the whole program: SIGHUP, a terminal that goes away, a start without network."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.fake_lichess import FakeConfig, FakeLichess
from tests.helpers.engines import tiny_engine
from tests.helpers.fake import FAST
from tests.helpers.processes import wait_until

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 120.0


class Program:
    """`python -m bot run` with its configuration in a folder; its log is JSON in a file."""

    def __init__(self, folder: Path, url: str, token: str) -> None:
        self.folder = folder
        self.environment = os.environ | {"BOT88_TOKEN": token, "PYTHONPATH": str(ROOT)}
        self.content: dict[str, Any] = {
            "lichess": {"url": url},
            "engines": [{"name": "tiny", "command": list(tiny_engine()), "slots": 2}],
            "log": {"format": "json", "file": str(folder / "log.jsonl")},
        }
        self.configure()
        self.process: subprocess.Popen[bytes] | None = None

    def configure(self, text: str | None = None, **content: Any) -> None:
        """Write the configuration."""
        self.content |= content
        (self.folder / "bot.yml").write_text(text or yaml.safe_dump(self.content), encoding="utf-8")

    def start(
        self,
        *options: str,
        stdin: int = subprocess.DEVNULL,
        stdout: int | None = None,
        stderr: int = subprocess.DEVNULL,
        before: Callable[[], None] | None = None,
    ) -> subprocess.Popen[bytes]:
        """Run it; `before` is called in the new process before the program."""
        command = [sys.executable, "-m", "bot", "run", "-c", str(self.folder / "bot.yml"), *options]
        self.process = subprocess.Popen(
            command, env=self.environment, cwd=ROOT, stdin=stdin, stdout=stdout, stderr=stderr, preexec_fn=before
        )
        return self.process

    def logged(self, event: str) -> list[dict[str, Any]]:
        """The lines of an event."""
        file = self.folder / "log.jsonl"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return [line for text in lines if text.endswith("}") and (line := json.loads(text))["event"] == event]

    def wait_for(self, event: str, count: int = 1) -> dict[str, Any]:
        """The last line of an event, once there are so many."""
        assert wait_until(lambda: len(self.logged(event)) >= count, PATIENCE_S), f"{event} was not logged"
        return self.logged(event)[-1]


@pytest.fixture
def program(fake: FakeLichess, tmp_path: Path) -> Iterator[Program]:
    """Not started; killed at the end."""
    one = Program(tmp_path, fake.url, fake.token("bot88"))
    yield one
    if one.process is not None:
        one.process.kill()
        one.process.wait(PATIENCE_S)


def begin_game(fake: FakeLichess) -> str:
    """A game with two plies played; Alice is to move."""
    game_id = fake.challenge("Alice", "bot88", clock=(600, 0), color="white")
    fake.wait_for_game(game_id, PATIENCE_S)
    fake.player("Alice", game_id).move("e2e4")
    fake.wait_for_moves(game_id, 2, PATIENCE_S)
    return game_id


def play_on(fake: FakeLichess, game_id: str) -> None:
    """One more move of each side."""
    fake.player("Alice", game_id).move("d2d4")
    assert len(fake.wait_for_moves(game_id, 4, PATIENCE_S).moves) == 4


def test_sighup_reloads_the_configuration_and_ends_nothing(fake: FakeLichess, program: Program) -> None:
    process = program.start()
    program.wait_for("account_stream_open")
    game_id = begin_game(fake)

    program.configure("challenges: {variants: [no such]}\n")
    process.send_signal(signal.SIGHUP)
    assert "no such" in program.wait_for("configuration_not_reloaded")["error"]

    program.configure(challenges={"variants": ["atomic"]}, concurrency=1)
    process.send_signal(signal.SIGHUP)
    assert program.wait_for("configuration_reloaded")["changed"] == ["challenges"]
    assert program.wait_for("restart_needed")["keys"] == ["concurrency"]

    declined = fake.challenge("Bobby", "bot88", clock=(600, 0))
    fake.wait_for(lambda: fake.challenge_status(declined) == "declined", PATIENCE_S, "the decline")
    play_on(fake, game_id)
    process.send_signal(signal.SIGTERM)
    fake.player("Alice", game_id).resign()
    assert process.wait(PATIENCE_S) == 0


@pytest.mark.slow
def test_a_terminal_that_goes_away_ends_only_the_output(fake: FakeLichess, program: Program) -> None:
    """As when an ssh connection is lost: the kernel sends SIGHUP, and standard error can no longer be written."""
    master, slave = pty.openpty()

    def take_terminal() -> None:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    process = program.start(stdin=slave, stdout=slave, stderr=slave, before=take_terminal)
    os.close(slave)
    program.wait_for("account_stream_open")
    game_id = begin_game(fake)
    os.close(master)
    program.wait_for("configuration_reloaded")
    play_on(fake, game_id)
    fake.player("Alice", game_id).resign()
    program.wait_for("game_over")
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_S) == 0


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def test_a_start_without_network_goes_on_when_the_network_comes(tmp_path: Path) -> None:
    port = free_port()
    program = Program(tmp_path, f"http://127.0.0.1:{port}", "lip_bot88")
    process = program.start()
    try:
        program.wait_for("server_not_ready")
        with FakeLichess(FakeConfig(port=port, **FAST)) as fake:
            assert wait_until(lambda: fake.is_online("bot88"), PATIENCE_S)
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_S) == 0
        assert len(program.logged("server_not_ready")) == 1
    finally:
        process.kill()
        process.wait(PATIENCE_S)


@pytest.mark.slow
def test_a_start_without_network_gives_up_when_told_to(tmp_path: Path) -> None:
    program = Program(tmp_path, f"http://127.0.0.1:{free_port()}", "lip_bot88")
    process = program.start("--give-up-after", "2", stderr=subprocess.PIPE)
    _out, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 4
    assert b"check the network" in errors
