"""POST JSON to the operator's address on a separate thread; retry until it is accepted or an hour old."""

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
from dataclasses import dataclass
from typing import Any

import structlog

from bot.backoff import Backoff
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
        with _TimeLimit(TIMEOUT_S) as limit:
            opener = urllib.request.build_opener(_NoRedirect, limit.http, limit.https)
            try:
                request = urllib.request.Request(self._address, json.dumps(message).encode(), headers, method="POST")
                opener.open(request, timeout=TIMEOUT_S).close()
            except urllib.error.HTTPError as error:
                error.close()
                return f"status {error.code}", error.code >= 500 or error.code in _LATER
            except (OSError, http.client.HTTPException, ValueError) as error:
                reason = getattr(error, "reason", None) or error
                return f"{type(error).__name__}: {reason}".replace(self._address, self.host), True
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


class _TimeLimit:
    """Cuts the connections that its handlers open after `seconds`; a socket's own time-out only limits each read."""

    def __init__(self, seconds: float) -> None:
        self._connections: list[http.client.HTTPConnection] = []
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True
        limit = self

        class Http(urllib.request.HTTPHandler):
            def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
                return self.do_open(limit.connection(http.client.HTTPConnection), request)

        class Https(urllib.request.HTTPSHandler):
            def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
                return self.do_open(limit.connection(http.client.HTTPSConnection), request)

        self.http, self.https = Http, Https

    def __enter__(self) -> _TimeLimit:
        self._timer.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._timer.cancel()

    def connection(self, kind: Callable[..., http.client.HTTPConnection]) -> Callable[..., http.client.HTTPConnection]:
        """Return `kind` as a factory whose connections are cut at the limit."""

        def build(host: str, **options: Any) -> http.client.HTTPConnection:
            made = kind(host, **options)
            self._connections.append(made)
            return made

        return build

    def _cut(self) -> None:
        for connection in self._connections:
            with contextlib.suppress(OSError, AttributeError):  # AttributeError: not connected, or done
                connection.sock.shutdown(socket.SHUT_RDWR)
