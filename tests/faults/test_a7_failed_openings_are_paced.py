"""A7: many games open their streams again at the same time, and every answer is 502."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from bot.fake_lichess.opponents.script import Script
from tests.helpers.engines import tiny_entry
from tests.helpers.playing import PlayingBot
from tests.helpers.processes import wait_until

GAMES = 24
PER_S, BURST = 4.0, 8
OUTAGE_S = 5.0
BAD_GATEWAY = FaultPlan(rules=(FaultRule(at="open", fault="status", status=502),))


def play_many(fake: FakeLichess, make_bot: Callable[..., PlayingBot]) -> list[str]:
    """Games in which the opponent never moves, each with an open stream; returns their ids."""
    names = [f"Idler{number}" for number in range(GAMES)]
    bot = make_bot(fake, concurrency=GAMES, engine=tiny_entry(slots=GAMES))
    for name in names:
        fake.add_account(name, script=Script(then="idle"))
    games = [fake.challenge(name, bot.name, clock=(600, 0), color="white") for name in names]
    assert wait_until(lambda: all(fake.open_game_streams(game_id) for game_id in games), 60)
    return games


@pytest.mark.slow
def test_failed_openings_of_all_games_are_paced(fake: FakeLichess, make_bot: Callable[..., PlayingBot]) -> None:
    games = play_many(fake, make_bot)
    fake.set_faults(BAD_GATEWAY)
    before = len(fake.requests("game_stream"))
    began_s = time.monotonic()
    fake.drop_streams()
    assert wait_until(lambda: time.monotonic() - began_s > OUTAGE_S, OUTAGE_S + 5)
    openings = len(fake.requests("game_stream")) - before
    fake.set_faults("calm")
    # Each stream that lived may be reopened at once; what fails then waits its turn.
    assert openings <= GAMES + BURST + PER_S * (OUTAGE_S + 1)
    assert wait_until(lambda: all(fake.open_game_streams(game_id) for game_id in games), 30)
