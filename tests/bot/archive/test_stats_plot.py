"""The picture of results and ratings over time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from bot.archive.game_record import GameRecord
from bot.archive.plots import DRAW, LOSS, WIN, _draw_ratings, _draw_results, bar_width_days, draw_statistics
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
