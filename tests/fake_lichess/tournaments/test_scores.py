"""Points, streaks and performance of an arena."""

from __future__ import annotations

import pytest

from bot.fake_lichess.tournaments.arena import on_fire, performance_rating, points_of


@pytest.mark.parametrize(
    ("results", "points"),
    [
        ([1, 1, 1, 1], [2, 2, 4, 4]),
        ([1, 1, 0.5, 1, 1, 1], [2, 2, 2, 2, 2, 4]),
        ([1, 1, 0, 1], [2, 2, 0, 2]),
        ([0.5, 0.5, 0.5, 1], [1, 0, 0, 2]),
        ([], []),
    ],
)
def test_points_are_doubled_on_a_streak(results: list[float], points: list[int]) -> None:
    assert points_of(results) == points


def test_without_streaks_every_win_is_worth_two() -> None:
    assert points_of([1, 1, 1], streaks=False) == [2, 2, 2]
    assert [on_fire(results) for results in ([1], [1, 1], [1, 1, 0.5])] == [False, True, False]


def test_the_performance_is_the_mean_of_opponents_and_results() -> None:
    assert performance_rating([(1500, 1.0), (1700, 0.0), (1600, 0.5)]) == 1600
    assert performance_rating([(1500, 1.0)]) == 2000
    assert performance_rating([]) == 0
