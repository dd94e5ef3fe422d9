"""B7: the limiter of the network address answers every request with 429 in HTML; it asks for a minute."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from tests.helpers.playing import PlayingBot, check_end, resigning_at
from tests.helpers.processes import wait_until

GAMES = 8
LIMITED_S = 8.0
TOO_MANY = FaultPlan(rules=(FaultRule(at="open", fault="rate_limit", limit="html"),))


@pytest.mark.slow
def test_retries_are_spread_over_all_games(fake: FakeLichess, make_bot: Callable[..., PlayingBot]) -> None:
    names = [f"Shorty{number}" for number in range(GAMES)]
    for name in names:
        fake.add_account(name, script=resigning_at(40))
    bot = make_bot(fake)
    games = [fake.challenge(name, bot.name, clock=(180, 0), color="white") for name in names]
    for game_id in games:
        fake.wait_for_moves(game_id, 2)
    fake.set_faults(TOO_MANY)
    before = len(fake.requests())
    began_s = time.monotonic()
    fake.drop_streams()
    assert wait_until(lambda: time.monotonic() - began_s > LIMITED_S, LIMITED_S + 5)
    limited = [request for request in fake.requests()[before:] if request.fault]
    fake.set_faults("calm")
    assert len(limited) <= GAMES + 1.5 * LIMITED_S  # one for each game under way, then about one a second together
    for game_id in games:
        report = fake.wait_for_end(game_id, 120)
        check_end(bot, report)
        assert report.black_ms > 100_000
