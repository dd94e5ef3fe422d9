"""What is worth a message to the operator: pure judgements on pictures of the bot and on ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.dashboard.health import Health
from bot.settings.notify import NotifiedEvent

UNWELL_FOR_S = 10.0  # an engine that is being replaced is no news
TOKEN_REASON = "Lichess rejects the token"


@dataclass(frozen=True, slots=True)
class News:
    """`text`: a sentence without its subject, as after "bot88"; `details` go into the JSON as they are."""

    event: NotifiedEvent
    text: str
    details: Mapping[str, object] = field(default_factory=dict)


class HealthWatch:
    """Tells of each illness once, when it has lasted, and once of its end."""

    def __init__(self) -> None:
        """Begin without news: a start is no illness."""
        self._unwell_since_s: float | None = None
        self._told = False
        self._token_told = False

    def see(self, health: Health, now_s: float) -> list[News]:
        """Look at the health; `now_s` from a monotonic clock."""
        news = []
        if TOKEN_REASON in health.reasons and not self._token_told:
            self._token_told = True
            text = "needs a new token: Lichess rejects the present one"
            news.append(News("token_refused", text, {"reasons": list(health.reasons)}))
        if health.well:
            if self._told:
                news.append(News("well_again", "is well again"))
            self._unwell_since_s, self._told, self._token_told = None, False, False
            return news
        if self._unwell_since_s is None:
            self._unwell_since_s = now_s
        if not self._told and now_s - self._unwell_since_s >= UNWELL_FOR_S:
            self._told = True
            news.append(News("unwell", f"is unwell: {', '.join(health.reasons)}", {"reasons": list(health.reasons)}))
        return news


class RatingWatch:
    """Tells of ratings higher than all before. The first rating of a speed is no record."""

    def __init__(self, best: Mapping[str, int]) -> None:
        """`best`: the highest ratings so far, by speed or variant as Lichess spells it."""
        self.best = dict(best)

    def see(self, ratings: Mapping[str, int]) -> list[News]:
        """Look at the present ratings; `best` is renewed."""
        news = []
        for name, rating in ratings.items():
            before = self.best.get(name)
            if before is not None and rating > before:
                text = f"has a {name} rating of {rating}, its highest so far (before: {before})"
                news.append(News("rating_record", text, {"perf": name, "rating": rating, "before": before}))
            self.best[name] = max(rating, before or 0)
        return news
