"""What the way to the server and back costs our clock, measured and never guessed.

Two things are seen at each move: how long the POST took to be answered, and how much less our clock shows than our own
watch expects (`loss`). The loss is the truth where it can be had; before the first one the round trips of moves stand
in for it.
"""

from __future__ import annotations

import threading
from collections import deque

WINDOW = 40  # the last moves of all games: a few minutes of bullet, half an hour of slow chess
ENOUGH = 5  # losses
HIGH_SHARE = 0.9  # overhead covers this share of what was seen, plus the spread above the middle


def cautious_ms(samples: list[float]) -> float | None:
    """A high estimate of a cost: the 90th percentile and half of its distance from the median; None without samples."""
    if not samples:
        return None
    ordered = sorted(samples)
    median = ordered[len(ordered) // 2]
    high = ordered[int(len(ordered) * HIGH_SHARE)]
    return high + (high - median) / 2


class LagMeter:
    """Recent losses and round trips of all games, shared by their threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._losses_ms: deque[float] = deque(maxlen=WINDOW)
        self._round_trips_ms: deque[float] = deque(maxlen=WINDOW)

    def add_round_trip(self, took_ms: float) -> None:
        """A request was answered after so many ms."""
        with self._lock:
            self._round_trips_ms.append(max(0.0, took_ms))

    def add_loss(self, lost_ms: float) -> None:
        """Our clock shows so many ms less than our own watch expected (a gain counts as no loss)."""
        with self._lock:
            self._losses_ms.append(max(0.0, lost_ms))

    @property
    def overhead_ms(self) -> float | None:
        """What one move costs beyond our thinking: from losses, else from round trips, else None."""
        with self._lock:
            samples = list(self._losses_ms or self._round_trips_ms)
        return cautious_ms(samples)

    @property
    def settled(self) -> bool:
        """Whether enough was seen for a single lucky sample not to decide."""
        with self._lock:
            return len(self._losses_ms) >= ENOUGH

    @property
    def round_trip_ms(self) -> float | None:
        """A cautious round trip of a move's POST, None before the first."""
        with self._lock:
            samples = list(self._round_trips_ms)
        return cautious_ms(samples)


def clock_loss_ms(clock_before_ms: int, spent_ms: float, increment_ms: int, clock_after_ms: int) -> float:
    """Expected minus returned clock of a move: what the network and the server took beyond the time we know we spent.

    `spent_ms` runs from the line that gave us the turn to the start of the POST. Negative when more time was given.
    """
    return clock_before_ms - spent_ms + increment_ms - clock_after_ms
