"""Watch the running bot and send its news to the webhook."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import structlog

from bot.archive.store import Store
from bot.dashboard.picture import Health, Picture
from bot.errors import LichessError, StoreError
from bot.service.notify.webhook import Webhook
from bot.settings import NotifiedEvent, NotifySettings
from bot.supervised_loop import SupervisedLoop

UNWELL_FOR_S = 10.0  # an engine that is being replaced is not worth a message
TOKEN_REASON = "Lichess rejects the token"


@dataclass(frozen=True, slots=True)
class News:
    """`text`: a sentence without its subject, as after "bot88"; `details` go into the JSON as they are."""

    event: NotifiedEvent
    text: str
    details: Mapping[str, object] = field(default_factory=dict)


class HealthWatch:
    """Reports each illness once it has lasted, and its end."""

    def __init__(self) -> None:
        """Begin without news: a start is not an illness."""
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
    """Reports ratings higher than all before. The first rating of a speed is not a record."""

    def __init__(self, best: Mapping[str, int]) -> None:
        """`best`: the highest ratings so far, by speed or variant as Lichess spells it."""
        self.best = dict(best)

    def see(self, ratings: Mapping[str, int]) -> list[News]:
        """Look at the current ratings and update `best`."""
        news = []
        for name, rating in ratings.items():
            before = self.best.get(name)
            if before is not None and rating > before:
                text = f"has a {name} rating of {rating}, its highest so far (before: {before})"
                news.append(News("rating_record", text, {"perf": name, "rating": rating, "before": before}))
            self.best[name] = max(rating, before or 0)
        return news


LOOK_EVERY_S = 2.0
RATINGS_EVERY_S = 120.0  # and only after a rated game: each look costs a request
STOP_S = 3.0
_BEST = "best_ratings"  # the note in the store: texts such as "blitz 2012"

log = structlog.get_logger(__name__)


class Notifier:
    """`look()` returns a picture of the bot, `ratings()` asks the server for ours, both on the notifier's thread."""

    def __init__(
        self,
        settings: NotifySettings,
        look: Callable[[], Picture],
        ratings: Callable[[], Mapping[str, int]],
        store: Store,
    ) -> None:
        """Prepare; `start` begins to watch, if there is a webhook."""
        address = settings.webhook.get_secret_value() if settings.webhook is not None else ""
        self._webhook = Webhook(address) if address else None
        self._events = frozenset(settings.events)
        self._look, self._ratings, self._store = look, ratings, store
        self._health = HealthWatch()
        self._rating: RatingWatch | None = None
        self._rated_until_s = 0.0  # epoch: rated games that ended later are news for the ratings
        self._next_ratings_s = 0.0
        self._account = ""
        self._loop = SupervisedLoop("notifier", self._watch)

    def start(self) -> None:
        """Start to watch."""
        if self._webhook is not None:
            self._loop.ensure_started()

    def stop(self) -> None:
        """Stop and send waiting messages, for a few seconds at most. Idempotent."""
        self._loop.stop()
        self._loop.join(STOP_S)
        if self._webhook is not None:
            self._webhook.close()

    def start_was_refused(self, reason: str) -> None:
        """Report that the bot cannot start with this token or account."""
        self._send(News("token_refused", f"cannot start: {reason}", {"reasons": [reason]}))

    def _watch(self) -> None:
        while not self._loop.wait(LOOK_EVERY_S):
            picture = self._look()
            self._account = picture.account
            if picture.started:
                for news in self._health.see(picture.health, time.monotonic()):
                    self._send(news)
                if "rating_record" in self._events:
                    self._look_at_ratings()

    def _look_at_ratings(self) -> None:
        now_s = time.monotonic()
        if now_s < self._next_ratings_s:
            return
        self._next_ratings_s = now_s + RATINGS_EVERY_S
        try:
            if self._rating is None:
                self._rating = RatingWatch(dict(self._store.noted(_BEST, _best_rating)))
            elif not any(game.rated for game in self._store.games(self._rated_until_s)):
                return
            begun_s = time.time()
            ratings = self._ratings()
        except (StoreError, LichessError) as error:
            log.debug("ratings_not_read", error=str(error))
            return
        self._rated_until_s = begun_s
        for news in self._rating.see(ratings):
            self._send(news)
        self._store.note(_BEST, [f"{name} {rating}" for name, rating in sorted(self._rating.best.items())])

    def _send(self, news: News) -> None:
        if self._webhook is None or news.event not in self._events:
            return
        who = self._account or "bot88"
        log.info("notifying", news=news.event, host=self._webhook.host)
        text = f"{who} {news.text}"
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        message = {"event": news.event, "title": f"bot88: {news.event.replace('_', ' ')}", "account": self._account}
        # "content" is what Discord shows, "text" Slack and Mattermost.
        self._webhook.send(message | {"content": text, "text": text, "time": moment} | dict(news.details))


def _best_rating(value: object) -> tuple[str, int]:
    """Parse one stored rating. Raises ValueError if it is damaged."""
    name, rating = str(value).split()
    return name, int(rating)
