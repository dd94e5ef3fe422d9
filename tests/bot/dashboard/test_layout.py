"""Figures as people read them."""

from __future__ import annotations

import pytest

from bot.dashboard.layout import clock_text, count_text, duration_text, score_text


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0:00"), (65_999, "1:05"), (3_599_999, "59:59"), (3_600_000, "1:00:00"), (7_384_000, "2:03:04")],
)
def test_clocks(ms: int, text: str) -> None:
    assert clock_text(ms) == text


@pytest.mark.parametrize(
    ("score", "text"),
    [(25, "+0.25"), (0, "+0.00"), (-130, "-1.30"), (30_000, "+300.00"), (31_997, "#3"), (-31_998, "#-2")],
)
def test_scores(score: int, text: str) -> None:
    assert score_text(score) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (119.0, "119 s"), (120.0, "2 min"), (7199.0, "120 min"), (7200.0, "2 h")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1_000, "1.00 k"),
        (12_340, "12.3 k"),
        (640_000, "640 k"),
        (1_250_000, "1.25 M"),
        (2_500_000_000, "2.50 G"),
    ],
)
def test_counts_have_three_digits(count: int, text: str) -> None:
    assert count_text(count) == text
