"""Watches the running bot and sends the news to the webhook."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import structlog

from bot.archive.store import Store
from bot.dashboard.picture import Picture
from bot.errors import LichessError, StoreError
from bot.service.notify.watch import HealthWatch, News, RatingWatch
from bot.service.notify.webhook import Webhook
from bot.settings.notify import NotifySettings
from bot.supervised_loop import SupervisedLoop

LOOK_EVERY_S = 2.0
RATINGS_EVERY_S = 120.0  # and only after a rated game: each look costs a request
STOP_S = 3.0
_BEST = "best_ratings"  # the note in the store: texts such as "blitz 2012"

log = structlog.get_logger(__name__)


class Notifier:
    """`look()` gives a picture of the bot, `ratings()` asks the server for ours; both are called on its own thread."""

    def __init__(
        self,
        settings: NotifySettings,
        look: Callable[[], Picture],
        ratings: Callable[[], Mapping[str, int]],
        store: Store,
    ) -> None:
        """Prepare; nothing is watched before `start`. Without a webhook nothing ever is."""
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
        """Watch from now on."""
        if self._webhook is not None:
            self._loop.ensure_started()

    def stop(self) -> None:
        """End the watch and send what waits, for a few seconds at most. Idempotent."""
        self._loop.stop()
        self._loop.join(STOP_S)
        if self._webhook is not None:
            self._webhook.close()

    def start_was_refused(self, reason: str) -> None:
        """The bot ends at once because its token or its account is not fit."""
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
            elif not any(game.rated for game in self._store.games_since(self._rated_until_s)):
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
    """One kept rating; raises ValueError when it is damaged."""
    name, rating = str(value).split()
    return name, int(rating)
