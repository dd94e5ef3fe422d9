"""Ratings: the worked example of the paper, the bounds of Lichess, and what any result must do."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.fake_lichess.world.glicko import MAX_DEVIATION, MIN_DEVIATION, MIN_RATING, SCALE, Glicko, bounded, rate


def test_the_worked_example_of_the_paper() -> None:
    opponents = (Glicko(1400, 30, 0.06), Glicko(1550, 100, 0.06), Glicko(1700, 300, 0.06))
    found = rate(Glicko(1500, 200, 0.06), list(zip(opponents, (1.0, 0.0, 0.0), strict=True)), tau=0.5)
    assert found.rating == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=1e-5)


@given(st.floats(400, 3200), st.floats(45, 500), st.floats(400, 3200), st.floats(45, 500))
def test_a_win_never_costs_and_a_loss_never_gains(own: float, deviation: float, other: float, theirs: float) -> None:
    player, opponent = Glicko(own, deviation), Glicko(other, theirs)
    won, lost = (rate(player, [(opponent, score)]) for score in (1.0, 0.0))
    assert won.rating >= player.rating >= lost.rating
    assert won.deviation <= math.hypot(deviation, SCALE * won.volatility), "only the passing of time adds uncertainty"
    assert rate(player, [(opponent, 1.0)], periods=0).deviation <= deviation


def test_the_bounds_hold() -> None:
    assert bounded(Glicko(100, 900, 0.5)) == Glicko(MIN_RATING, MAX_DEVIATION, 0.1)
    assert bounded(Glicko(1500, 1)).deviation == MIN_DEVIATION
    assert [Glicko(1500, deviation).provisional for deviation in (110, 111)] == [False, True]
