"""Time controls as people write them: 3+2 is three minutes and two seconds a move."""

from __future__ import annotations

import math
from typing import Literal

from bot.errors import ConfigurationError

ClockSpeed = Literal["ultraBullet", "bullet", "blitz", "rapid", "classical"]
_BELOW_S: tuple[tuple[int, ClockSpeed], ...] = ((30, "ultraBullet"), (180, "bullet"), (480, "blitz"), (1500, "rapid"))

#: What a clock may look like, for editors.
CLOCK_PATTERN = r"^[0-9./¼½¾]+\+[0-9]+$"

_FRACTIONS = {"¼": 0.25, "½": 0.5, "¾": 0.75}


def parse_clock(text: str) -> tuple[float, float]:
    """Read "MIN+INC" (minutes, seconds) as (seconds, seconds); ConfigurationError for anything else."""
    minutes, plus, increment = text.strip().partition("+")
    try:
        clock = (_FRACTIONS.get(minutes) or _number(minutes)) * 60.0, _number(increment) if plus else 0.0
    except ValueError as error:
        raise ConfigurationError(
            f"--clock {text!r}: expected MINUTES+SECONDS, such as 0.5+0 (half a minute) or 3+2"
        ) from error
    if not 0 <= clock[0] <= 180 * 60 or not 0 <= clock[1] <= 180 or sum(clock) <= 0:
        raise ConfigurationError(f"--clock {text!r}: up to 180 minutes and 180 seconds, and more than nothing")
    return clock


def _number(text: str) -> float:
    above, slash, below = text.partition("/")
    value = float(above) / float(below) if slash and float(below) else float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def speed_of(limit_s: float, increment_s: float) -> ClockSpeed:
    """Return Lichess's name for the pace of a clock, from its estimate of a game: the limit and 40 increments."""
    estimate_s = limit_s + 40 * increment_s
    return next((name for bound_s, name in _BELOW_S if estimate_s < bound_s), "classical")
