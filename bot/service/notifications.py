"""Messages to the operator: news of the running bot, sent as JSON to a webhook until it is accepted or an hour old."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import structlog

from bot.archive.store import Store
from bot.backoff import Backoff
from bot.dashboard.picture import Health, Picture
from bot.errors import LichessError, StoreError
from bot.settings import NotifiedEvent, NotifySettings
from bot.supervised_loop import SupervisedLoop

MOST_WAITING = 20  # beyond them the oldest is given up
TIMEOUT_S = 10.0
PAUSES_S = (1.0, 300.0)  # first and longest, between attempts
GIVE_UP_AFTER_S = 3600.0  # later than this, the notification is useless
CLOSE_S = 3.0
_LATER = {408, 425, 429}  # of the statuses below 500, those that may pass

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Waiting:
    message: Mapping[str, object]
    since_s: float


class Webhook:
    """`send` returns at once and raises nothing, whatever the other side does."""

    def __init__(self, address: str) -> None:
        """Prepare the thread; the first message starts it. `address` may hold a secret: only its host is logged."""
        self._address = address
        self.host = urllib.parse.urlsplit(address).hostname or ""
        self._waiting: deque[_Waiting] = deque()
        self._changed = threading.Condition()
        self._give_up_s: float | None = None  # monotonic; set when closing
        self._backoff = Backoff(*PAUSES_S)
        self._loop = SupervisedLoop("webhook", self._work)

    def send(self, message: Mapping[str, object]) -> None:
        """Queue one message."""
        with self._changed:
            if self._give_up_s is not None:
                return
            self._waiting.append(_Waiting(message, time.monotonic()))
            if len(self._waiting) > MOST_WAITING:
                self._lose(self._waiting.popleft(), "more messages wait than are kept")
            self._changed.notify_all()
        self._loop.start()

    def close(self, timeout_s: float = CLOSE_S) -> None:
        """Send what waits, for so long at most. Idempotent."""
        with self._changed:
            self._give_up_s = time.monotonic() + timeout_s
            self._changed.notify_all()
        if self._loop.running:
            self._loop.join(timeout_s + 0.5)
        self._loop.stop()

    def _work(self) -> None:
        while waiting := self._next():
            problem, may_pass = self._post(waiting.message)
            with self._changed:
                is_current = bool(self._waiting) and self._waiting[0] is waiting  # else it was given up meanwhile
                if problem and may_pass and time.monotonic() - waiting.since_s < GIVE_UP_AFTER_S:
                    if not self._pause(problem):
                        return
                    continue
                if is_current:
                    self._waiting.popleft()
                if problem:
                    self._lose(waiting, problem)
                elif self._backoff.failures:
                    log.info("webhook_works_again", host=self.host)
                self._backoff.reset()

    def _next(self) -> _Waiting | None:
        """The oldest message, which stays queued until it is taken; None when the queue is closed and empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._give_up_s is not None)
            return self._waiting[0] if self._waiting else None

    def _pause(self, problem: str) -> bool:
        """Wait before another attempt, under the lock; False when there is not a time left for one."""
        if not self._backoff.failures:
            log.warning("webhook_failed", host=self.host, error=problem, remedy="it is sent again, for an hour")
        pause_s = self._backoff.next_s()
        if self._give_up_s is None:
            self._changed.wait_for(lambda: self._give_up_s is not None, pause_s)
        else:
            self._changed.wait(min(pause_s, PAUSES_S[0]))
        return self._give_up_s is None or time.monotonic() < self._give_up_s

    def _post(self, message: Mapping[str, object]) -> tuple[str, bool]:
        """Make one attempt; return the problem, "" for none, and whether another attempt may help.

        Only the status of the answer is read, and a redirect is a failure: it could lead the message to another host.
        """
        headers = {"Content-Type": "application/json", "User-Agent": "bot88"}
        handler = _CuttableHandler()
        timer = threading.Timer(TIMEOUT_S, handler.cut)  # a socket's own time-out only limits each read
        timer.daemon = True
        timer.start()
        try:
            opener = urllib.request.build_opener(_NoRedirect, handler)
            request = urllib.request.Request(self._address, json.dumps(message).encode(), headers, method="POST")
            opener.open(request, timeout=TIMEOUT_S).close()
        except urllib.error.HTTPError as error:
            error.close()
            return f"status {error.code}", error.code >= 500 or error.code in _LATER
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            return f"{type(error).__name__}: {reason}".replace(self._address, self.host), True
        finally:
            timer.cancel()
        return "", True

    def _lose(self, waiting: _Waiting, problem: str) -> None:
        log.warning(
            "webhook_message_lost",
            host=self.host,
            event_name=waiting.message.get("event", ""),
            error=problem,
            remedy="check notify.webhook"
            if problem.startswith(("status 3", "status 4"))
            else "nothing else is affected",
        )


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Lets a redirect end as an HTTPError."""

    def redirect_request(self, *_arguments: object) -> None:
        """Follow nothing."""


class _CuttableHandler(urllib.request.HTTPSHandler, urllib.request.HTTPHandler):
    """Opens connections of both kinds, which another thread may cut."""

    def __init__(self) -> None:
        super().__init__()
        self._connections: list[http.client.HTTPConnection] = []

    def do_open(self, http_class: Any, req: urllib.request.Request, **options: Any) -> http.client.HTTPResponse:
        """Send a request over a connection of this class."""

        def connect(host: str, **how: Any) -> http.client.HTTPConnection:
            connection: http.client.HTTPConnection = http_class(host, **how)
            self._connections.append(connection)
            return connection

        return super().do_open(connect, req, **options)

    def cut(self) -> None:
        """Cut what is connected."""
        for connection in self._connections:
            with contextlib.suppress(OSError, AttributeError):  # AttributeError: not connected, or done
                connection.sock.shutdown(socket.SHUT_RDWR)


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
