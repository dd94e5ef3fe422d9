"""The clock as people write it."""

from __future__ import annotations

import pytest

from bot.errors import ConfigurationError
from bot.settings import parse_clock, speed_of


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1+0", (60.0, 0.0)),
        ("0.5+0", (30.0, 0.0)),
        ("½+0", (30.0, 0.0)),
        ("1/4+1", (15.0, 1.0)),
        ("3+2", (180.0, 2.0)),
        ("5", (300.0, 0.0)),
        (" 0+1 ", (0.0, 1.0)),
        ("0.1+0.1", (6.0, 0.1)),
        ("180+180", (10800.0, 180.0)),
    ],
)
def test_clocks(text: str, seconds: tuple[float, float]) -> None:
    assert parse_clock(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text", ["", "x", "1+", "+1", "1+x", "-1+0", "0+0", "1+-1", "nan+0", "inf+0", "1/0+0", "181+0", "1+181"]
)
def test_what_is_no_clock(text: str) -> None:
    with pytest.raises(ConfigurationError, match="--clock"):
        parse_clock(text)


@pytest.mark.parametrize(
    ("limit_s", "increment_s", "speed"),
    [
        (0, 0, "ultraBullet"),
        (29, 0, "ultraBullet"),
        (30, 0, "bullet"),
        (0, 1, "bullet"),
        (179, 0, "bullet"),
        (60, 3, "blitz"),
        (479, 0, "blitz"),
        (480, 0, "rapid"),
        (1499, 0, "rapid"),
        (1500, 0, "classical"),
        (60, 36, "classical"),
    ],
)
def test_the_speed_of_a_clock_is_that_of_the_limit_and_forty_increments(
    limit_s: float, increment_s: float, speed: str
) -> None:
    assert speed_of(limit_s, increment_s) == speed


@pytest.mark.parametrize(("text", "seconds"), [("¼+0", 15.0), ("¾+0", 45.0), ("3/2", 90.0), ("180+0", 10_800.0)])
def test_parts_of_a_minute(text: str, seconds: float) -> None:
    assert parse_clock(text)[0] == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["180.1+0", "1+180.1", "-0.1+5", "0", "1/2/3+0", "5+ x"])
def test_what_is_beyond_a_clock(text: str) -> None:
    with pytest.raises(ConfigurationError, match="--clock"):
        parse_clock(text)
