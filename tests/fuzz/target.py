"""What a target of fuzzing is, and what all share."""

from __future__ import annotations

import contextlib
import random
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from typing import NoReturn, Protocol

SLOW_S = 60.0  # of processor time; a Gaviota table begins with six seconds of preparation, twenty where others work too


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


class StillBusy(BaseException):
    """A reader was ended in the middle; no reader's `except Exception` keeps it."""


def verdict(work: Callable[[bytes], None], data: bytes, allowed: tuple[type[Exception], ...]) -> str:
    """Run a reader: anything but its own errors is wrong, and so is taking too long or never ending."""
    began_s = time.process_time()
    try:
        with _ended_after(2 * SLOW_S):
            work(data)
    except allowed:
        pass
    except StillBusy as busy:
        place = traceback.extract_tb(busy.__traceback__)[-2]
        return f"still busy after {2 * SLOW_S:.0f} s at {place.filename.rsplit('/', 1)[-1]}:{place.lineno}"
    except Exception as error:  # noqa: BLE001 -- any other exception is what is being looked for
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {str(error)[:200]} at {place.filename.rsplit('/', 1)[-1]}:{place.lineno}"
    spent_s = time.process_time() - began_s
    return f"took {spent_s:.1f} s" if spent_s > SLOW_S else ""


@contextlib.contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    """Raise StillBusy here once the process has computed so long; in the main thread, the only one with signals."""

    def end(*_: object) -> NoReturn:
        raise StillBusy

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
