"""`bot88 run` on a terminal: the live view, the prompt, a terminal that hangs or goes away, and none at all."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.fake_lichess import FakeLichess
from tests.helpers.engines import tiny_engine
from tests.helpers.processes import wait_until
from tests.helpers.pty_program import PtyProgram
from tests.integration.test_program_attacks import PATIENCE_S, ROOT, begin_game, play_on

Start = Callable[..., PtyProgram]


@pytest.fixture
def start(fake: FakeLichess, tmp_path: Path) -> Iterator[Start]:
    """Start the bot on a terminal, with its log in a file beside it."""
    content: dict[str, Any] = {
        "lichess": {"url": fake.url},
        "store": str(tmp_path / "bot.sqlite3"),
        "engines": [{"name": "tiny", "command": list(tiny_engine()), "slots": 2}],
        "log": {"file": str(tmp_path / "bot.log")},
    }
    config = tmp_path / "bot.yml"
    config.write_text(yaml.safe_dump(content), encoding="utf-8")
    environment = os.environ | {"BOT88_TOKEN": fake.token("bot88"), "PYTHONPATH": str(ROOT)}
    with ExitStack() as stack:

        def started(*options: str, reading: bool = True) -> PtyProgram:
            command = [sys.executable, "-m", "bot", "run", "-c", str(config), *options]
            program = PtyProgram(command, environment, ROOT, reading=reading)
            stack.callback(program.close)
            assert wait_until(lambda: fake.is_online("bot88"), PATIENCE_S), program.shown()
            return program

        yield started


def test_the_view_shows_the_game_and_takes_commands(fake: FakeLichess, start: Start) -> None:
    program = start()
    program.wait_for("no games are running")
    game_id = begin_game(fake)
    program.wait_for(f"{game_id}  casual rapid  Alice (1700) ")
    program.wait_for("1... ")
    assert program.settings() != program.settings_before
    program.type("pau\t\r")
    program.wait_for("paused; 1 game is running; `resume` undoes it")
    program.wait_for(" · paused ")
    late = fake.challenge("Bobby", "bot88", clock=(600, 0))
    assert wait_until(lambda: fake.challenge_status(late) == "declined", PATIENCE_S)
    program.type("resme\r")
    program.wait_for("'resme' is not a command; did you mean \"resume\"?")
    program.type("challenge Alice --clock 10+5 --rated\r")
    program.wait_for("challenged Alice to 10+5 rated standard: http")
    program.type("quit-\t\r")
    program.wait_for(" · ending ")
    play_on(fake, game_id)
    fake.player("Alice", game_id).resign()
    assert program.process.wait(PATIENCE_S) == 0
    assert wait_until(lambda: program.settings() == program.settings_before)
    shown = program.shown()
    assert "game_over" in shown
    assert " move 1..." not in shown  # the view shows the moves, the file has their lines


@pytest.mark.slow
def test_two_signals_end_at_once_with_the_settings_put_back(fake: FakeLichess, start: Start) -> None:
    program = start()
    program.wait_for("no games are running")
    game_id = begin_game(fake)
    program.wait_for(game_id)
    program.type("\x03")
    program.wait_for(" · ending ")
    program.type("\x03")
    assert program.process.wait(PATIENCE_S) == 128 + signal.SIGINT
    assert program.settings() == program.settings_before


@pytest.mark.slow
def test_a_terminal_that_takes_nothing_delays_no_game(fake: FakeLichess, start: Start) -> None:
    """Nobody reads the other end: the kernel's buffer fills up, and every writer is blocked."""
    program = start(reading=False)
    game_id = begin_game(fake)
    for number, move in enumerate(("d2d4", "f2f4", "c2c4", "a2a4", "h2h4")):
        program.type("status\r" * 20)
        fake.player("Alice", game_id).move(move)
        fake.wait_for_moves(game_id, 4 + 2 * number, PATIENCE_S)
    program.process.send_signal(signal.SIGTERM)
    fake.player("Alice", game_id).resign()
    assert program.process.wait(PATIENCE_S) == 0


@pytest.mark.slow
def test_a_terminal_that_goes_away_takes_the_view_alone(fake: FakeLichess, start: Start, tmp_path: Path) -> None:
    program = start()
    program.wait_for("no games are running")
    game_id = begin_game(fake)
    program.hang_up()
    logged = tmp_path / "bot.log"
    assert wait_until(lambda: "console_gone" in logged.read_text(encoding="utf-8"), PATIENCE_S)
    play_on(fake, game_id)
    fake.player("Alice", game_id).resign()
    assert wait_until(lambda: "game_over" in logged.read_text(encoding="utf-8"), PATIENCE_S)
    assert program.process.poll() is None
    program.process.send_signal(signal.SIGTERM)
    assert program.process.wait(PATIENCE_S) == 0


def test_plain_gives_log_lines_alone(fake: FakeLichess, start: Start) -> None:
    program = start("--plain")
    program.wait_for("account_stream_open")
    begin_game(fake)
    program.wait_for(" move 1...")
    assert "bot88>" not in program.shown()
    assert program.settings() == program.settings_before
