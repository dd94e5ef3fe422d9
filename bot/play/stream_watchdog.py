"""Whether a game's stream can still be believed: it may be open and silent, or send keep-alives and nothing else."""

from __future__ import annotations

from bot.play.game import Game

OPENING_S = 4.0  # the first line comes with the opening
SILENT_S = 10.0  # keep-alives come every 7 s
QUIET_S = 15.0  # keep-alives alone prove nothing: look again after so long, then twice as long, and so on
QUIET_SHARE = 40  # ... or after this part of our clock where that is longer
QUIET_SLOW_S = 600.0  # ... or after this in games of days


class StreamWatchdog:
    """When the stream was last heard, and last had news. Pure; times are monotonic seconds."""

    def __init__(self, now_s: float) -> None:
        self._heard_s = now_s
        self._news_s = now_s
        self._patience = 1  # doubles with each look that brought no news

    def heard(self, now_s: float, *, news: bool) -> float:
        """A line came, with news or to keep alive; returns when the one before it came."""
        before_s, self._heard_s = self._heard_s, now_s
        if news:
            self._news_s, self._patience = now_s, 1
        return before_s

    def stale(self, now_s: float, game: Game | None) -> bool:
        """Whether to open the stream anew; once True, the new stream gets its time before it is again."""
        if now_s - self._heard_s <= SILENT_S and now_s - self._news_s <= self._quiet_s(game) * self._patience:
            return False
        self._heard_s = self._news_s = now_s
        self._patience *= 2
        return True

    @staticmethod
    def _quiet_s(game: Game | None) -> float:
        if game is None:
            return OPENING_S
        return QUIET_SLOW_S if game.is_correspondence else max(QUIET_S, game.my_clock_ms / 1000 / QUIET_SHARE)
