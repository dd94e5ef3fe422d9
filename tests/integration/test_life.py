"""`bot88 run` as a process: signals, exit codes, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.processes import is_running, wait_until
from tests.helpers.running_bot import PATIENCE_S, ROOT, Run, run

__all__ = ["run"]  # a fixture


def begin_game(fake: FakeLichess) -> str:
    """A game in which Alice, to move, takes her time."""
    game_id = fake.challenge("Alice", "bot88", clock=(600, 0), color="black")
    fake.wait_for_moves(game_id, 1, PATIENCE_S)
    return game_id


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_first_signal_finishes_the_games(number: int, fake: FakeLichess, run: Run) -> None:
    bot = run()
    game_id = begin_game(fake)
    engines = bot.children()
    assert engines
    bot.process.send_signal(number)
    bot.wait_for("ending")
    assert bot.process.poll() is None
    fake.player("Alice", game_id).move("e7e5")
    fake.wait_for_moves(game_id, 3, PATIENCE_S)  # it still plays
    fake.player("Alice", game_id).resign()
    assert bot.end() == 0
    assert fake.game(game_id).status == "resign"
    assert wait_until(lambda: not any(map(is_running, engines)))


def test_no_challenge_is_taken_while_ending(fake: FakeLichess, run: Run) -> None:
    bot = run()
    game_id = begin_game(fake)
    bot.process.send_signal(signal.SIGTERM)
    bot.wait_for("ending")
    late = fake.challenge("Bobby", "bot88", clock=(600, 0))
    assert wait_until(lambda: fake.challenge_status(late) == "declined", PATIENCE_S)
    fake.player("Alice", game_id).resign()
    assert bot.end() == 0


def test_the_second_signal_ends_at_once_and_the_game_goes_on(fake: FakeLichess, run: Run) -> None:
    bot = run()
    game_id = begin_game(fake)
    engines = bot.children()
    bot.process.send_signal(signal.SIGINT)
    bot.wait_for("ending")
    bot.process.send_signal(signal.SIGINT)
    assert bot.end() == 128 + signal.SIGINT
    assert fake.game(game_id).status == "started"
    assert wait_until(lambda: not any(map(is_running, engines)))


@pytest.mark.slow
def test_games_are_left_and_taken_up_again_where_so_configured(fake: FakeLichess, run: Run) -> None:
    bot = run(shutdown={"games": "leave"})
    game_id = begin_game(fake)
    bot.process.send_signal(signal.SIGTERM)
    assert bot.end() == 0
    assert fake.game(game_id).status == "started"
    fake.player("Alice", game_id).move("e7e5")
    run(shutdown={"games": "leave"})
    assert len(fake.wait_for_moves(game_id, 3, PATIENCE_S).moves) >= 3


@pytest.mark.slow
def test_a_signal_during_the_start_ends_it(tmp_path: Path) -> None:
    """The server does not answer: the bot waits for it, and goes when asked."""
    config = tmp_path / "bot.yml"
    config.write_text("lichess: {url: 'http://127.0.0.1:9'}\nlog: {format: json}\n", encoding="utf-8")
    environment = os.environ | {"BOT88_TOKEN": "lip_any", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "bot", "run", "-c", str(config)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        told = next((line for line in process.stderr if "server_not_ready" in line), "")
        process.send_signal(signal.SIGTERM)
        assert told, "the bot ended without a word about the server"
        process.stderr.read()
        assert process.wait(PATIENCE_S) == 0
