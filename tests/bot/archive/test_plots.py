"""The charts of results and ratings over time, and of reviews."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from bot.archive.game_record import GameRecord
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
from bot.archive.review.values import PHASES
from tests.bot.archive.review.test_values import fools_mate_review
from tests.helpers.finished_games import blitz

DAY_S = 86_400.0


@pytest.mark.parametrize(("days", "width"), [(0, 1), (40, 1), (41, 7), (280, 7), (281, 30), (3000, 91), (99_999, 365)])
def test_a_bar_is_a_day_or_as_long_as_it_must_be(days: int, width: int) -> None:
    assert bar_width_days([0.0, days * DAY_S]) == width


def test_without_games_a_bar_is_a_day() -> None:
    assert bar_width_days([]) == 1


def test_ratings_and_results_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = [
        replace(blitz(str(day), result, ended_s=day * DAY_S), my_rating=1500 + day)
        for day, result in enumerate(["1-0", "0-1", "1/2-1/2", "*", "1-0"])
    ]
    path = tmp_path / "out.svg"
    assert draw_statistics(list(rows), path) == 4
    assert path.read_text(encoding="utf-8").count("<path") > 10
    assert draw_statistics([], path) == 0  # an empty picture says so


def days_of(*results: tuple[int, str]) -> list[GameRecord]:
    """A game at noon of each of these days."""
    return [blitz(f"g{day}", result, ended_s=(day + 0.5) * DAY_S) for day, result in results]


def moment(day: int) -> datetime:
    return datetime.fromtimestamp(day * DAY_S, UTC)


def test_wins_draws_and_losses_of_a_day_stand_upon_each_other() -> None:
    pytest.importorskip("matplotlib")
    axes = MagicMock()
    _draw_results(axes, days_of((3, "1-0"), (3, "1-0"), (3, "1/2-1/2"), (5, "0-1"), (3, "0-1")))
    axes.set_title.assert_called_once_with("Results by day")
    found = {call.kwargs["label"]: (*call.args, call.kwargs["bottom"], call.kwargs["color"]) for call in
             axes.bar.call_args_list}  # fmt: skip
    assert found == {
        "win": ([moment(3)], [2], [0], WIN),
        "draw": ([moment(3)], [1], [2], DRAW),
        "loss": ([moment(3), moment(5)], [1, 1], [3, 0], LOSS),
    }
    assert axes.bar.call_args.kwargs["width"] == timedelta(days=0.9)


def test_there_is_room_for_a_week_and_bars_grow_with_the_time() -> None:
    pytest.importorskip("matplotlib")
    axes = MagicMock()
    _draw_results(axes, days_of((10, "1-0"), (12, "1-0")))
    axes.set_xlim.assert_called_once_with(moment(6), moment(13))
    axes = MagicMock()
    _draw_results(axes, days_of((10, "1-0"), (30, "1-0")))
    axes.set_xlim.assert_called_once_with(moment(10), moment(31))
    axes = MagicMock()
    _draw_results(axes, days_of((7, "1-0"), (70, "1-0")))
    axes.set_title.assert_called_once_with("Results by 7 days")
    assert axes.bar.call_args.args == ([moment(7), moment(70)], [1, 1])
    axes = MagicMock()
    _draw_results(axes, [])
    assert not axes.bar.called
    assert not axes.set_xlim.called


def test_a_line_of_ratings_for_each_speed_that_has_any() -> None:
    pytest.importorskip("matplotlib")
    axes = MagicMock()
    rows = [blitz("a", ended_s=DAY_S), blitz("b", ended_s=2 * DAY_S), blitz("c", speed="rapid", ended_s=3 * DAY_S)]
    games = [replace(row, my_rating=1500 + place) for place, row in enumerate(rows)]
    _draw_ratings(axes, [*games, blitz("d", speed="bullet"), blitz("e")])
    found = [(call.kwargs["label"], *call.args) for call in axes.plot.call_args_list]
    assert found == [("blitz", [moment(1), moment(2)], [1500, 1501]), ("rapid", [moment(3)], [1502])]


@pytest.mark.parametrize(("handles", "is_empty"), [([], True), (["a line"], False)])
def test_a_picture_of_nothing_says_so(handles: list[str], is_empty: bool) -> None:
    pytest.importorskip("matplotlib")
    axes = MagicMock()
    axes.get_legend_handles_labels.return_value = (handles, handles)
    _draw_ratings(axes, [])
    assert axes.text.called is is_empty
    assert axes.legend.called is not is_empty


def test_the_picture_is_drawn_also_of_nothing(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    sizes = []
    for reviews in ([fools_mate_review("one"), fools_mate_review("two")], []):
        draw_reviews(reviews, tmp_path / "out.svg")
        sizes.append(len((tmp_path / "out.svg").read_text(encoding="utf-8")))
    assert sizes[0] > sizes[1] > 1000


def test_the_time_of_our_moves_is_their_mean_in_seconds() -> None:
    axes = MagicMock()
    _draw_time(axes, [fools_mate_review("one"), fools_mate_review("two")])
    assert axes.bar.call_args.args == ([1, 2], [1.5, 10.5])
    assert axes.scatter.call_args.args == ([2, 2], [10.5, 10.5])


def test_a_bar_for_us_stands_beside_one_for_the_opponents_in_each_phase() -> None:
    axes, reviews = MagicMock(), [fools_mate_review()]
    _draw_phases(axes, reviews)
    ours, theirs = axes.bar.call_args_list
    assert (ours.kwargs["label"], theirs.kwargs["label"]) == ("ours", "opponents")
    for bars, side in ((ours, True), (theirs, False)):
        tallies = by_phase(reviews, ours=side)
        assert bars.args[1] == [tallies[phase].accuracy or 0.0 for phase in PHASES]
    assert ours.args[1][0] < theirs.args[1][0] == 100.0
    assert [round(right - left, 3) for left, right in zip(ours.args[0], theirs.args[0], strict=True)] == [0.4] * 3
    assert [round((left + right) / 2, 3) for left, right in zip(ours.args[0], theirs.args[0], strict=True)] == [0, 1, 2]


def test_each_game_with_a_move_of_ours_has_its_accuracy_at_its_place() -> None:
    axes, review = MagicMock(), fools_mate_review()
    theirs_alone = replace(review, moves=(review.moves[1],))
    _draw_games(axes, [review, theirs_alone, review])
    places, accuracies = axes.plot.call_args.args
    assert places == [1, 3]
    assert accuracies == [by_phase([review], ours=True)["all"].accuracy] * 2


def test_moves_without_a_clock_and_very_late_ones_have_no_time() -> None:
    axes, review = MagicMock(), fools_mate_review()
    blunder = review.moves[2]
    late = [replace(blunder, number=number) for number in (80, 81)]
    _draw_time(axes, [replace(review, moves=(replace(blunder, spent_ms=None), *late))])
    assert axes.bar.call_args.args == ([80], [10.5])
    assert axes.scatter.call_args.args == ([80], [10.5])
    axes = MagicMock()
    _draw_time(axes, [])
    assert axes.bar.call_args.args == ([], [])
    assert not axes.scatter.called
    assert not axes.legend.called
