"""Measures what the network and the server cost our clock at each move.

The loss of a move is how much less our clock shows than our own watch expects. Until the first loss is known, the round
trips of the POSTs take its place.
"""

from __future__ import annotations

from collections import deque

WINDOW = 40  # the last moves of all games: a few minutes of bullet, half an hour of slow chess
ENOUGH = 5  # losses
HIGH_SHARE = 0.9  # the overhead covers this share of the samples, plus half of the spread above the median


def cautious_ms(samples: list[float]) -> float | None:
    """Return the 90th percentile plus half of its distance from the median; None without samples."""
    if not samples:
        return None
    ordered = sorted(samples)
    median = ordered[len(ordered) // 2]
    high = ordered[int(len(ordered) * HIGH_SHARE)]
    return high + (high - median) / 2


class LagMeter:
    """Recent losses and round trips of all games, shared by their threads."""

    def __init__(self) -> None:
        # No lock: appending to a deque and copying it are one step each for other threads.
        self._losses_ms: deque[float] = deque(maxlen=WINDOW)
        self._round_trips_ms: deque[float] = deque(maxlen=WINDOW)

    def add_round_trip(self, took_ms: float) -> None:
        """Note how long a POST took."""
        self._round_trips_ms.append(max(0.0, took_ms))

    def add_loss(self, lost_ms: float) -> None:
        """Note a loss; a gain counts as 0."""
        self._losses_ms.append(max(0.0, lost_ms))

    @property
    def overhead_ms(self) -> float | None:
        """The cost of a move beyond thinking: from losses, else from round trips, else None."""
        return cautious_ms(list(self._losses_ms or self._round_trips_ms))

    @property
    def settled(self) -> bool:
        """Whether there are enough losses that a single one does not decide."""
        return len(self._losses_ms) >= ENOUGH


def clock_loss_ms(clock_before_ms: int, spent_ms: float, increment_ms: int, clock_after_ms: int) -> float:
    """Return the expected minus the shown clock after a move; negative when the opponent gave us time.

    `spent_ms` runs from the line that gave us the turn to the start of the POST.
    """
    return clock_before_ms - spent_ms + increment_ms - clock_after_ms
