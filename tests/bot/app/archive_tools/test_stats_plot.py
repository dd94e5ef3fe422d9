"""The picture of results and ratings over time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.account.kept_games import KeptGame
from bot.app.archive_tools.stats_plot import bar_width_days, draw_statistics
from tests.bot.account.test_kept_games import record

DAY_S = 86_400.0


@pytest.mark.parametrize(("days", "width"), [(0, 1), (40, 1), (41, 7), (280, 7), (281, 30), (3000, 91), (99_999, 365)])
def test_a_bar_is_a_day_or_as_long_as_it_must_be(days: int, width: int) -> None:
    assert bar_width_days([0.0, days * DAY_S]) == width


def test_without_games_a_bar_is_a_day() -> None:
    assert bar_width_days([]) == 1


def test_ratings_and_results_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = [
        replace(record(str(day), result, ended_s=day * DAY_S), my_rating=1500 + day)
        for day, result in enumerate(["1-0", "0-1", "1/2-1/2", "*", "1-0"])
    ]
    path = tmp_path / "out.svg"
    assert draw_statistics([KeptGame(row, "") for row in rows], path) == 4
    assert path.read_text(encoding="utf-8").count("<path") > 10
    assert draw_statistics([], path) == 0  # an empty picture says so
