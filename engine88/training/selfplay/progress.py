"""What a long run says of itself, in one line every few seconds."""

import sys
import time
from collections import deque
from collections.abc import Callable
from typing import Final

EVERY_S: Final = 10.0
_MARKS: Final = 30  # five minutes


class Progress:
    """Tells how far a run is, how fast, and when it will be done; the speed is that of the last minutes."""

    def __init__(self, wanted: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with the first result: starting processes is no part of the speed."""
        self._wanted, self._clock = wanted, clock
        self._marks: deque[tuple[float, int, int]] = deque(maxlen=_MARKS)

    def is_due(self, done: int, positions: int) -> bool:
        """Tell whether it is time for a line, the first some seconds after the first result."""
        now_s = self._clock()
        if self._marks and now_s - self._marks[-1][0] < EVERY_S:
            return False
        self._marks.append((now_s, done, positions))
        return len(self._marks) > 1

    def line(self) -> str:
        """The games done, positions per second, and the time that is left."""
        (first_s, _, first_positions), (last_s, _, positions) = self._marks[0], self._marks[-1]
        rate = (positions - first_positions) / max(last_s - first_s, 1e-3)
        speed = f"{positions:,} positions, {rate:,.0f} positions/s ({rate * 3600 / 1e6:.2f} M an hour)"
        return self._told(speed)

    def games_line(self) -> str:
        """The games done, games per second, and the time that is left."""
        (first_s, first_done, _), (last_s, done, _) = self._marks[0], self._marks[-1]
        return self._told(f"{(done - first_done) / max(last_s - first_s, 1e-3):.2f} games/s")

    def _told(self, speed: str) -> str:
        (first_s, first_done, _), (last_s, done, _) = self._marks[0], self._marks[-1]
        left_s = (self._wanted - done) * max(last_s - first_s, 1e-3) / max(done - first_done, 1)
        return f"{done:,} of {self._wanted:,} games, {speed}, {duration(left_s)} left"


def duration(seconds: float) -> str:
    """A length of time for people."""
    minutes, rest_s = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest_s:02} s" if minutes else f"{rest_s} s"


def say(line: str) -> None:
    """Write a line of progress."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201 -- progress of a tool
