"""What a target of fuzzing is, and what all share."""

from __future__ import annotations

import random
import time
import traceback
from collections.abc import Callable
from typing import Protocol

SLOW_S = 20.0  # of processor time; reading a Gaviota table begins with six seconds of preparation


class Target(Protocol):
    """Something that reads what strangers write.

    `make` draws an input, `check` feeds it and says what went wrong, "" for nothing; it raises nothing.
    """

    name: str

    def make(self, rng: random.Random) -> bytes:
        """Draw an input."""

    def check(self, data: bytes) -> str:
        """Feed one input; says what went wrong, "" for nothing."""

    def close(self) -> None:
        """End what it runs, and give a last verdict by raising AssertionError."""


def verdict(work: Callable[[bytes], None], data: bytes, allowed: tuple[type[Exception], ...]) -> str:
    """Run a reader: anything but its own errors is wrong, and so is taking too long."""
    began_s = time.process_time()
    try:
        work(data)
    except allowed:
        pass
    except Exception as error:  # noqa: BLE001 -- any other exception is what is being looked for
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {str(error)[:200]} at {place.filename.rsplit('/', 1)[-1]}:{place.lineno}"
    spent_s = time.process_time() - began_s
    return f"took {spent_s:.1f} s" if spent_s > SLOW_S else ""
