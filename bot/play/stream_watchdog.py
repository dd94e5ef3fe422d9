"""Tells whether a game's stream is stale: its first line or its keep-alives do not come."""

from __future__ import annotations

import math

OPENING_S = 4.0  # the first line comes with the opening
SILENT_S = 10.0  # keep-alives come every 7 s


class StreamWatchdog:
    """When the last line came. Pure; times are monotonic seconds.

    Keep-alives do not prove that moves are delivered: that shows in the list of running games (GameLoop.compare).
    """

    def __init__(self, now_s: float) -> None:
        self._line_s = now_s
        self._reopened_s = -math.inf

    def note_line(self, now_s: float) -> float:
        """Note a line or keep-alive; return when the line before it came."""
        before_s, self._line_s = self._line_s, now_s
        return before_s

    def stale(self, now_s: float, *, opened: bool) -> bool:
        """Return whether to reopen the stream. Each new stream gets its time before it is stale, too.

        `opened` tells whether the game's first line has ever come.
        """
        if now_s - max(self._line_s, self._reopened_s) <= (SILENT_S if opened else OPENING_S):
            return False
        self._reopened_s = now_s
        return True
