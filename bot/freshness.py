"""Whether a game's stream can still be believed: it may be open and silent, or send keep-alives and nothing else."""

from __future__ import annotations

from bot.game import Game

OPENING_S = 4.0  # the first line comes with the opening
SILENT_S = 10.0  # keep-alives come every 7 s
QUIET_S = 15.0  # keep-alives alone prove nothing: while a clock runs, look again after so long, then twice as long, ...
SLOW_FACTOR = 3  # games of days are in no hurry


class Freshness:
    """When the stream was last heard, and last had news. Pure; times are monotonic seconds."""

    def __init__(self, now_s: float) -> None:
        self._heard_s = now_s
        self._news_s = now_s
        self._quiet_s = QUIET_S

    def heard(self, now_s: float, *, news: bool) -> float:
        """A line came, with news or to keep alive; returns when the one before it came."""
        before_s, self._heard_s = self._heard_s, now_s
        if news:
            self._news_s, self._quiet_s = now_s, QUIET_S
        return before_s

    def stale(self, now_s: float, game: Game | None) -> bool:
        """Whether to open the stream anew; asked again at once it says no, so that the new one gets its time."""
        factor = SLOW_FACTOR if game is not None and game.is_correspondence else 1
        quiet_s = OPENING_S if game is None else self._quiet_s * factor
        if now_s - self._heard_s <= SILENT_S * factor and now_s - self._news_s <= quiet_s:
            return False
        self._heard_s = self._news_s = now_s
        self._quiet_s *= 2
        return True
