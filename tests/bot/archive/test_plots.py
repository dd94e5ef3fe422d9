"""The charts of results and ratings over time, and of reviews."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from bot.archive.plots import (
    DRAW,
    LOSS,
    WIN,
    _draw_games,
    _draw_phases,
    _draw_ratings,
    _draw_results,
    _draw_time,
    bar_width_days,
    draw_reviews,
    draw_statistics,
)
from bot.archive.review.summary import by_phase
from bot.archive.review.values import PHASES, ReviewedMove
from tests.bot.archive.review.test_values import fools_mate_review
from tests.helpers.finished_games import blitz

DAY_S = 86_400.0


@pytest.fixture
def axes() -> MagicMock:
    """What the functions draw on; keeps the calls."""
    pytest.importorskip("matplotlib")
    return MagicMock()


@pytest.mark.parametrize(("days", "width"), [(0, 1), (40, 1), (41, 7), (280, 7), (281, 30), (3000, 91), (99_999, 365)])
def test_a_bar_is_a_day_or_as_long_as_it_must_be(days: int, width: int) -> None:
    assert bar_width_days([0.0, days * DAY_S]) == width
    assert bar_width_days([]) == 1


def test_pictures_are_drawn_also_of_nothing(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = [
        replace(blitz(str(day), result, ended_s=day * DAY_S), my_rating=1500 + day)
        for day, result in enumerate(["1-0", "0-1", "1/2-1/2", "*", "1-0"])
    ]
    picture, sizes = tmp_path / "out.svg", []
    assert (draw_statistics([], picture), draw_statistics(rows, picture)) == (0, 4)
    assert picture.read_text(encoding="utf-8").count("<path") > 10
    for reviews in ([fools_mate_review("one"), fools_mate_review("two")], []):
        draw_reviews(reviews, picture)
        sizes.append(picture.stat().st_size)
    assert sizes[0] > sizes[1] > 1000


def moment(day: int) -> datetime:
    return datetime.fromtimestamp(day * DAY_S, UTC)


def draw(axes: MagicMock, *results: tuple[int, str]) -> None:
    """Draw the results of games that ended at noon of these days."""
    _draw_results(axes, [blitz(f"g{day}", result, ended_s=(day + 0.5) * DAY_S) for day, result in results])


def test_wins_draws_and_losses_of_a_day_stand_upon_each_other(axes: MagicMock) -> None:
    draw(axes, (3, "1-0"), (3, "1-0"), (3, "1/2-1/2"), (5, "0-1"), (3, "0-1"))
    axes.set_title.assert_called_once_with("Results by day")
    found = {call.kwargs["label"]: (*call.args, call.kwargs["bottom"], call.kwargs["color"]) for call in
             axes.bar.call_args_list}  # fmt: skip
    assert found == {
        "win": ([moment(3)], [2], [0], WIN),
        "draw": ([moment(3)], [1], [2], DRAW),
        "loss": ([moment(3), moment(5)], [1, 1], [3, 0], LOSS),
    }
    assert axes.bar.call_args.kwargs["width"] == timedelta(days=0.9)


@pytest.mark.parametrize(
    ("days", "title", "limits"),
    [
        ((10, 12), "Results by day", (6, 13)),  # room for a week, so that the first bars are no walls
        ((10, 30), "Results by day", (10, 31)),
        ((7, 70), "Results by 7 days", (7, 77)),
        ((), "Results by day", None),
    ],
)
def test_bars_grow_with_the_time(
    axes: MagicMock, days: tuple[int, ...], title: str, limits: tuple[int, int] | None
) -> None:
    draw(axes, *((day, "1-0") for day in days))
    axes.set_title.assert_called_once_with(title)
    assert [call.args for call in axes.set_xlim.call_args_list] == ([tuple(map(moment, limits))] if limits else [])
    assert axes.bar.called is bool(days)


def test_a_line_of_ratings_for_each_speed_that_has_any(axes: MagicMock) -> None:
    rows = [blitz("a", ended_s=DAY_S), blitz("b", ended_s=2 * DAY_S), blitz("c", speed="rapid", ended_s=3 * DAY_S)]
    games = [replace(row, my_rating=1500 + place) for place, row in enumerate(rows)]
    _draw_ratings(axes, [*games, blitz("d", speed="bullet"), blitz("e")])
    found = [(call.kwargs["label"], *call.args) for call in axes.plot.call_args_list]
    assert found == [("blitz", [moment(1), moment(2)], [1500, 1501]), ("rapid", [moment(3)], [1502])]


@pytest.mark.parametrize(("handles", "is_empty"), [([], True), (["a line"], False)])
def test_an_empty_picture_is_labelled(axes: MagicMock, handles: list[str], is_empty: bool) -> None:
    axes.get_legend_handles_labels.return_value = (handles, handles)
    _draw_ratings(axes, [])
    assert (axes.text.called, axes.legend.called) == (is_empty, not is_empty)


def test_a_bar_for_us_stands_beside_one_for_the_opponents_in_each_phase(axes: MagicMock) -> None:
    reviews = [fools_mate_review()]
    _draw_phases(axes, reviews)
    ours, theirs = axes.bar.call_args_list
    assert (ours.kwargs["label"], theirs.kwargs["label"]) == ("ours", "opponents")
    for bars, side in ((ours, True), (theirs, False)):
        tallies = by_phase(reviews, ours=side)
        assert bars.args[1] == [tallies[phase].accuracy or 0.0 for phase in PHASES]
    assert ours.args[1][0] < theirs.args[1][0] == 100.0
    assert (ours.args[0], theirs.args[0]) == ([-0.2, 0.8, 1.8], [0.2, 1.2, 2.2])


def test_each_game_with_a_move_of_ours_has_its_accuracy_at_its_place(axes: MagicMock) -> None:
    review = fools_mate_review()
    _draw_games(axes, [review, replace(review, moves=(review.moves[1],)), review])
    assert axes.plot.call_args.args == ([1, 3], [by_phase([review], ours=True)["all"].accuracy] * 2)


BLUNDER = fools_mate_review().moves[2]


@pytest.mark.parametrize(
    ("moves", "bars", "blunders"),
    [
        (fools_mate_review().moves * 2, ([1, 2], [1.5, 10.5]), ([2, 2], [10.5, 10.5])),  # the mean, in seconds
        (
            (replace(BLUNDER, spent_ms=None), *(replace(BLUNDER, number=number) for number in (80, 81))),
            ([80], [10.5]),  # the last move that is drawn
            ([80], [10.5]),
        ),
        ((), ([], []), None),
    ],
)
def test_the_time_of_our_moves(
    axes: MagicMock, moves: tuple[ReviewedMove, ...], bars: object, blunders: object
) -> None:
    _draw_time(axes, [replace(fools_mate_review(), moves=moves)])
    assert axes.bar.call_args.args == bars
    assert axes.scatter.called is (blunders is not None)
    assert blunders is None or axes.scatter.call_args.args == blunders
    assert axes.legend.called is (blunders is not None)
