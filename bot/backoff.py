"""The one retry policy: how long to wait before the next attempt. The caller does the waiting."""

from __future__ import annotations

import random
import threading

FACTOR = 2.0


def exponential_s(first_s: float, most_s: float, failures: int) -> float:
    """Return `first_s` doubled once per failure, at most `most_s`, without jitter."""
    return min(most_s, first_s * FACTOR ** min(failures, 30))


def is_worth_a_line(failures: int) -> bool:
    """Return whether to log the nth failure in a row: the 1st, 2nd, 4th, 8th and so on."""
    return failures & (failures - 1) == 0


class Backoff:
    """Exponential backoff with jitter: the wait doubles from `first_s` to `most_s` with each failure in a row.

    The first `immediate` retries do not wait. `jitter` spreads each wait evenly over 1 - jitter to 1 + jitter times its
    nominal length, so that callers stopped by one failure do not return together.
    """

    def __init__(
        self,
        first_s: float = 0.5,
        most_s: float = 60.0,
        *,
        immediate: int = 0,
        jitter: float = 0.5,
        seed: int | None = None,
    ) -> None:
        self._first_s = first_s
        self._most_s = most_s
        self._immediate = immediate
        self._jitter = jitter
        self._random = random.Random(seed)
        self.failures = 0  # in a row

    def next_s(self, least_s: float = 0.0) -> float:
        """Count a failure; return the seconds to wait before the next attempt.

        The wait is at least `least_s`, which the server asked for and the caller has capped.
        """
        waits = self.failures - self._immediate
        self.failures += 1
        nominal_s = 0.0 if waits < 0 else exponential_s(self._first_s, self._most_s, waits)
        wait_s = nominal_s * self._random.uniform(1 - self._jitter, 1 + self._jitter)
        return max(wait_s, least_s * self._random.uniform(1.0, 1 + self._jitter / 2))

    def reset(self) -> None:
        """Start from the shortest wait again, after a success."""
        self.failures = 0


class Pacer:
    """A token bucket for attempts of one kind in the whole program, usable from any thread.

    `per_s`: attempts per second in the long run; `burst`: attempts that need not wait after a quiet time.
    """

    def __init__(self, per_s: float, burst: int) -> None:
        self._interval_s = 1 / per_s
        self._tolerance_s = (burst - 1) * self._interval_s
        self._lock = threading.Lock()
        self._due_s = 0.0  # when the next attempt would be due if all came evenly
        self._urgent_due_s = 0.0  # the same for urgent ones, which do not queue behind others

    def delay_s(self, now_s: float, *, urgent: bool) -> float:
        """Take a turn; return the seconds to wait for it.

        Other attempts queue behind `urgent` ones and leave half of the burst to them.
        """
        with self._lock:
            due_s = self._urgent_due_s if urgent else self._due_s
            self._due_s = max(self._due_s, now_s) + self._interval_s
            if urgent:
                self._urgent_due_s = max(self._urgent_due_s, now_s) + self._interval_s
        tolerance_s = self._tolerance_s if urgent else self._tolerance_s / 2
        return max(0.0, due_s - tolerance_s - now_s)
