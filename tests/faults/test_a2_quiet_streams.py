"""A2: a quiet game stream stays open while its keep-alives come, and the list of running games shows what it missed."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from tests.helpers.playing import PlayingBot

QUIET_S = 18.0
SLOW_EXPORT = FaultRule(endpoint="export", fault="delay", delay_s=(9.0, 9.0))


def begin_game(fake: FakeLichess, make_bot: Callable[..., PlayingBot], **options: float) -> str:
    """Begin a game in which the bot has moved; return its id."""
    fake.add_account("Alice")
    game_id = fake.challenge("Alice", make_bot(fake, **options).name, clock=(180, 0), color="black")
    fake.wait_for_moves(game_id, 1)
    return game_id


@pytest.mark.slow
def test_a_quiet_stream_is_opened_once(fake: FakeLichess, make_bot: Callable[..., PlayingBot]) -> None:
    game_id = begin_game(fake, make_bot)
    time.sleep(QUIET_S)
    assert len(fake.requests("game_stream", game_id)) == 1
    assert fake.requests("export", game_id) == []


@pytest.mark.slow
def test_a_slow_export_closes_no_stream(fake: FakeLichess, make_bot: Callable[..., PlayingBot]) -> None:
    game_id = begin_game(fake, make_bot)
    fake.set_faults(FaultPlan(rules=(SLOW_EXPORT,)))
    for _ in range(5):  # the server ends the stream again and again: does the game still run?
        before = fake.requests("game_stream", game_id)
        fake.drop_streams()
        wait_for_another_stream(fake, game_id, len(before))


def wait_for_another_stream(fake: FakeLichess, game_id: str, openings: int) -> None:
    """Wait until the game's stream has been opened once more."""
    fake.wait_for(lambda: len(fake.requests("game_stream", game_id)) > openings, 6.0, "another stream")


@pytest.mark.slow
def test_the_list_of_games_shows_a_move_that_the_stream_withholds(
    fake: FakeLichess, make_bot: Callable[..., PlayingBot]
) -> None:
    game_id = begin_game(fake, make_bot, reconcile_every_s=1.0)
    fake.set_faults(FaultPlan(rules=(FaultRule(endpoint="game_stream", fault="keepalives_only", times=1),)))
    fake.player("Alice", game_id).move("e7e5")
    fake.wait_for_moves(game_id, 3, 12.0)
