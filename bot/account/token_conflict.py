"""Tells whether another program uses our token, from the way the account's event stream ends. Pure.

Lichess keeps one event stream per token and closes the older one cleanly. So a second program shows like this: the
stream opens at once, ends cleanly soon after, and again, and again, while the server answers all the time. A restarting
server closes cleanly too, but then it cannot be reached for a while, or it keeps the next stream open.
"""

from __future__ import annotations

SHORT_LIVED_S = 90.0  # a stream that ends cleanly within this was replaced by another one, or the server restarts
CONFLICT_AFTER = 3  # such ends in a row, with nothing else between them, are no accident


class TokenConflict:
    """Counts clean, early ends of the event stream."""

    def __init__(self) -> None:
        """Start without suspicion."""
        self._ends = 0

    @property
    def suspected(self) -> bool:
        """Whether a second program with our token is the only good explanation left."""
        return self._ends >= CONFLICT_AFTER

    def ended_cleanly(self, lived_s: float) -> None:
        """Count the clean end of a stream that was open for `lived_s` seconds."""
        self._ends = self._ends + 1 if lived_s < SHORT_LIVED_S else 1

    def failed(self) -> None:
        """Forget the count: the stream broke or could not be opened, so the server has troubles of its own."""
        self._ends = 0

    def stayed_open(self, lived_s: float) -> None:
        """Forget the count once the present stream has been open long enough."""
        if lived_s >= SHORT_LIVED_S:
            self._ends = 0
