"""How a request is made: rate limits are checked first, errors translated, open streams remembered."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

from berserk.session import Requestor

from bot.events.reading import read_json
from bot.lichess.json_answers import JSON
from bot.lichess.rate_limits import Endpoint, RateLimits
from bot.lichess.session import BotSession
from bot.lichess.streams import EventStream
from bot.lichess.translate import from_response, translated

T = TypeVar("T")


class ApiClient:
    """The HTTP sessions and the three kinds of requests: GET, POST and stream. Gateway adds the endpoints."""

    def __init__(self, url: str, token: str, limits: RateLimits, connections: int, silence_s: float) -> None:
        self.url = url.rstrip("/")
        self.limits = limits
        self._token = token
        self._session = BotSession(token, self.url, connections=connections, silence_s=silence_s)
        # Streams have connections of their own: one that is closed while it comes to its end must not take along a
        # connection that already carries a move.
        self._streaming = BotSession(token, self.url, connections=connections, silence_s=silence_s)
        self._streaming.headers = self._session.headers
        self._requests = Requestor(self._session, self.url, JSON)
        self._streams: weakref.WeakSet[EventStream[Any]] = weakref.WeakSet()
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    def close(self) -> None:
        """Close all streams and connections."""
        with self._lock:
            streams = list(self._streams)
        for stream in streams:
            stream.close()
        self._streaming.close()
        self._session.close()

    def _get(self, path: str, endpoint: Endpoint, **params: int | str) -> Any:
        self.limits.check(endpoint)
        with translated(endpoint, self.limits):
            return self._requests.get(path, params=params or None)

    def _get_lines(self, path: str, endpoint: Endpoint, **params: int | str) -> list[Any]:
        """An answer of one JSON value a line."""
        self.limits.check(endpoint)
        with translated(endpoint, self.limits):
            response = self._session.get(f"{self.url}{path}", params=params or None)
            if not response.ok:
                raise from_response(response, endpoint, self.limits)
            return [read_json(line) for line in response.content.splitlines() if line.strip()]

    def _post(self, path: str, endpoint: Endpoint, form: dict[str, str] | None = None) -> Any:
        self.limits.check(endpoint)
        with translated(endpoint, self.limits):
            return self._requests.post(path, data=form)

    def _stream(self, path: str, parse: Callable[[dict[str, Any]], T], endpoint: Endpoint) -> EventStream[T]:
        with translated(endpoint, self.limits):
            response = self._streaming.get(f"{self.url}{path}", stream=True)
            if not response.ok:
                raise from_response(response, endpoint, self.limits)
        stream = EventStream(response, parse, endpoint)
        with self._lock:
            self._streams.add(stream)
        return stream
