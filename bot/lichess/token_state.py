"""Whether the server accepts our token: one state for all requests of the account."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from bot.backoff import exponential_s
from bot.errors import Unauthorized
from bot.lichess.rate_limits import Endpoint
from bot.log import get_logger

#: Seconds until the first retry and the most between later ones. A server that only errs costs a game five seconds.
FIRST_S, MOST_S = 5.0, 900.0

log = get_logger(__name__)


class TokenState:
    """After a 401, requests of the rejected classes fail without being sent, except one at growing intervals.

    Classes that still work are not held back: a server may reject the token in one place only. Requests of the class
    OTHER read public pages, so their answers say nothing about the token.
    """

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._lock = threading.Lock()
        self._rejected: set[Endpoint] = set()
        self._next_s = 0.0  # when the next of the rejected requests may be sent
        self._retries = 0

    def check(self, endpoint: Endpoint) -> None:
        """Raise Unauthorized if the request must wait."""
        if not self._rejected:
            return
        with self._lock:
            is_public = endpoint is Endpoint.OTHER
            if not self._rejected or not (is_public or endpoint in self._rejected):
                return
            now_s = self._now_s()
            if is_public or now_s < self._next_s:
                raise Unauthorized(401, f"the token is rejected; retry in {max(0.0, self._next_s - now_s):.0f} s")
            self._retries += 1
            self._next_s = now_s + exponential_s(FIRST_S, MOST_S, self._retries)

    def note_rejected(self, endpoint: Endpoint, reason: str) -> None:
        """Note a 401. Logs the first one only, until the token is accepted again."""
        if endpoint is Endpoint.OTHER:
            return
        with self._lock:
            is_news = not self._rejected
            self._rejected.add(endpoint)
            if is_news:
                self._retries, self._next_s = 0, self._now_s() + FIRST_S
        if is_news:
            log.error(
                "token_rejected",
                error=reason,
                remedy="create a new token, give it to the bot and start it again; the old one is retried now and then",
            )

    def note_accepted(self, endpoint: Endpoint) -> None:
        """Note that a request with the token succeeded."""
        if endpoint not in self._rejected:
            return
        with self._lock:
            self._rejected.clear()
        log.info("token_accepted")
