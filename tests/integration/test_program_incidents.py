"""The whole program, killed in mid-game and started again, or asked to end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.engines import tiny_engine
from tests.helpers.playing import PROPER, resigning_at
from tests.helpers.processes import is_running, wait_until

ROOT = Path(__file__).resolve().parents[2]
Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def start_program(fake: FakeLichess, tmp_path: Path) -> Iterator[Start]:
    """Start `bot88 run` against the fake; returns once it is online."""
    programs: list[subprocess.Popen[bytes]] = []

    def start(think_ms: int = 50, games: str = "finish") -> subprocess.Popen[bytes]:
        engine = {"name": "tiny", "command": list(tiny_engine("think", "--think-ms", str(think_ms))), "slots": 4}
        config = {
            "lichess": {"url": fake.url, "token": fake.token("bot88")},
            "engines": [engine],
            "shutdown": {"games": games},
        }
        path = tmp_path / "bot88.yml"
        path.write_text(json.dumps(config))  # JSON is YAML
        environ = {name: value for name, value in os.environ.items() if name != "BOT88_TOKEN"}
        environ["PYTHONPATH"] = str(ROOT)
        program = subprocess.Popen([sys.executable, "-m", "bot", "run", "--config", str(path)], cwd=ROOT, env=environ)
        programs.append(program)
        fake.wait_for(lambda: fake.is_online("bot88"), what="the program to come online")
        return program

    yield start
    for program in programs:
        if program.poll() is None:
            program.kill()
        program.wait(60)


def engines_of(program: subprocess.Popen[bytes]) -> list[int]:
    """The processes that it started."""
    return [child.pid for child in psutil.Process(program.pid).children(recursive=True)]


@pytest.mark.slow
def test_program_is_killed_in_mid_game_and_started_again(fake: FakeLichess, start_program: Start) -> None:
    fake.add_account("Shorty", script=resigning_at(80))
    first = start_program()
    game_id = fake.challenge("Shorty", "bot88", clock=(300, 0), color="white")
    fake.wait_for_moves(game_id, 8)
    orphans = engines_of(first)
    assert orphans
    first.send_signal(signal.SIGKILL)
    first.wait(60)
    assert wait_until(lambda: not any(map(is_running, orphans))), "engines outlived the program"
    fake.wait_for(lambda: not fake.is_online("bot88"), what="the server to see it gone")
    second = start_program()
    report = fake.wait_for_end(game_id)
    assert report.status in PROPER
    assert report.winner == "black"
    assert second.poll() is None


@pytest.mark.slow
@pytest.mark.parametrize("games", ["finish", "leave"])
def test_program_is_asked_to_end_in_mid_game(fake: FakeLichess, start_program: Start, games: str) -> None:
    fake.add_account("Shorty", script=resigning_at(30 if games == "finish" else 2000))
    program = start_program(games=games)
    game_id = fake.challenge("Shorty", "bot88", clock=(300, 0), color="white")
    fake.wait_for_moves(game_id, 6)
    engines = engines_of(program)
    program.send_signal(signal.SIGTERM)
    assert program.wait(60) == 0
    assert fake.game(game_id).over == (games == "finish")
    assert wait_until(lambda: not any(map(is_running, engines)))
