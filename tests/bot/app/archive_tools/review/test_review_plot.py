"""The picture of a review."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import MagicMock

import pytest

from bot.app.archive_tools.review.review_plot import _draw_time, draw_reviews
from tests.bot.app.archive_tools.review.test_values import fools_mate_review


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
