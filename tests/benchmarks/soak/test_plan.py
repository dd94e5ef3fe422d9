"""Games are drawn from the seed, and every one of them can be challenged."""

from __future__ import annotations

import pytest

from benchmarks.soak.plan import PROFILES, plan_game
from bot.fake_lichess import FakeConfig, FakeLichess


def test_a_game_depends_on_seed_and_number_alone() -> None:
    calm = PROFILES["calm"]
    assert plan_game(1, 7, (30, 0), calm) == plan_game(1, 7, (30, 0), calm)
    assert plan_game(1, 7, (30, 0), calm) != plan_game(2, 7, (30, 0), calm) != plan_game(2, 8, (30, 0), calm)


def test_the_storm_restarts_the_server_every_half_minute() -> None:
    storm = PROFILES["storm"].fault_plan()
    assert [(rule.after_s, rule.every_s) for rule in storm.restarts] == [(30.0, 30.0)]
    assert storm.rules
    assert PROFILES["calm"].fault_plan().restarts == ()


@pytest.mark.parametrize("name", ["calm", "mixed"])
def test_the_server_takes_every_challenge(name: str) -> None:
    with FakeLichess(FakeConfig(allow_any_clock=True, seed=1)) as fake:
        for number in range(60):
            plan = plan_game(3, number, (30, 0), PROFILES[name])
            assert fake.challenge_status(fake.challenge("Alice", "bot88", **plan.terms)) == "created"
