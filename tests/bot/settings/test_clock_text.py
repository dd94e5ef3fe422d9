"""The clock as people write it."""

from __future__ import annotations

import pytest

from bot.errors import ConfigurationError
from bot.settings import parse_clock


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
