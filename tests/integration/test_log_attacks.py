"""The whole program with a terminal that stops reading, a full disk, or no standard error at all."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.engines import tiny_engine
from tests.helpers.playing import PROPER, resigning_at

ROOT = Path(__file__).resolve().parents[2]
Program = subprocess.Popen[bytes]


@pytest.fixture
def start_program(fake: FakeLichess, tmp_path: Path) -> Iterator[Callable[..., Program]]:
    """Start `bot88 run` against the fake with these log settings; returns once it is online."""
    programs: list[Program] = []

    def start(log: dict[str, Any], close_stderr: bool = False, **options: Any) -> Program:
        engine = {"name": "tiny", "command": list(tiny_engine("think", "--think-ms", "20")), "slots": 4}
        lichess = {"url": fake.url, "token": fake.token("bot88")}
        path = tmp_path / "bot88.yml"
        path.write_text(json.dumps({"lichess": lichess, "engines": [engine], "log": log}))  # JSON is YAML
        environ = {name: value for name, value in os.environ.items() if name != "BOT88_TOKEN"}
        environ["PYTHONPATH"] = str(ROOT)
        command = [sys.executable, "-m", "bot", "run", "--config", str(path)]
        if close_stderr:
            command = ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", *command]
        program = subprocess.Popen(command, cwd=ROOT, env=environ, **options)
        programs.append(program)
        fake.wait_for(lambda: fake.is_online("bot88"), what="the program to come online")
        return program

    yield start
    for program in programs:
        if program.poll() is None:
            program.kill()
        program.wait(60)


def play(fake: FakeLichess) -> None:
    """A short game that must end properly."""
    fake.add_account("Shorty", script=resigning_at(16))
    game_id = fake.challenge("Shorty", "bot88", clock=(60, 0), color="white")
    report = fake.wait_for_end(game_id)
    assert report.status in PROPER
    assert report.winner == "black"


def ended(program: Program) -> float:
    """End the program; the seconds that took."""
    begun = time.monotonic()
    program.send_signal(signal.SIGTERM)
    assert program.wait(30) == 0
    return time.monotonic() - begun


@pytest.mark.slow
def test_a_terminal_that_stops_reading_costs_no_game(fake: FakeLichess, start_program: Callable[..., Program]) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"x" * 4096)  # full before the program's first line, as after Ctrl-S
    except BlockingIOError:
        os.set_blocking(writing, True)
    program = start_program({"level": "debug"}, stderr=writing)
    play(fake)
    assert ended(program) < 20.0
    os.close(reading)
    os.close(writing)


@pytest.mark.slow
def test_a_log_on_a_full_disk_costs_no_game_and_one_line(
    fake: FakeLichess, start_program: Callable[..., Program], tmp_path: Path
) -> None:
    with (tmp_path / "stderr").open("wb") as stderr:
        program = start_program({"level": "debug", "file": "/dev/full"}, stderr=stderr)
        play(fake)
        ended(program)
    written = (tmp_path / "stderr").read_text(encoding="utf-8")
    assert "Traceback" not in written
    assert written.count("/dev/full") == 1
    assert "game_over" in written


@pytest.mark.slow
def test_standard_error_closed_at_the_start(
    fake: FakeLichess, start_program: Callable[..., Program], tmp_path: Path
) -> None:
    program = start_program({"file": str(tmp_path / "bot.log")}, close_stderr=True)
    play(fake)
    ended(program)
    assert "game_over" in (tmp_path / "bot.log").read_text(encoding="utf-8")


def test_an_error_is_said_on_standard_output_where_there_is_no_standard_error(tmp_path: Path) -> None:
    (tmp_path / "bad.yml").write_text("concurency: 3\n", encoding="utf-8")
    command = [sys.executable, "-m", "bot", "run", "--config", str(tmp_path / "bad.yml")]
    shell = ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", *command]
    done = subprocess.run(shell, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert 'did you mean "concurrency"?' in done.stdout
