"""Streams of JSON lines with keep-alives, which another thread may close at any time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from berserk.formats import FormatHandler
from requests import Response

from bot.errors import StreamBroken
from bot.events.reading import MalformedJson, read_json
from bot.lichess.rate_limits import Endpoint
from bot.lichess.translate import FOREIGN, stream_broken

T = TypeVar("T")

_CHUNK = 65_536
_LONGEST_LINE = 4_194_304


class EventStream(Generic[T]):
    """Iterating yields an event for each line, and None for each keep-alive.

    The iteration ends when the server ends the stream cleanly or after close(). Everything else raises StreamBroken.
    One thread iterates, any thread may close.
    """

    def __init__(self, response: Response, parse: Callable[[dict[str, Any]], T], endpoint: Endpoint) -> None:
        self._response = response
        self._parse = parse
        self._endpoint = endpoint
        self._closed = threading.Event()
        self._buffer = b""

    def close(self) -> None:
        """End the iteration now, even while it waits for data. May be called again."""
        if self._closed.is_set():
            return
        self._closed.set()
        try:
            self._response.raw.shutdown()
        except (ValueError, RuntimeError, OSError, AttributeError, NotImplementedError):
            self._response.close()  # ended already, or a body without a socket: no thread waits for it

    def __iter__(self) -> Iterator[T | None]:
        try:
            while not self._closed.is_set():
                chunk = self._read()
                if not chunk:
                    break
                yield from self._events(chunk)
            if self._buffer.strip() and not self._closed.is_set():
                yield self._event(self._buffer)
        finally:
            self._closed.set()
            self._response.close()

    def _read(self) -> bytes:
        """Return the next bytes; b"" at a clean end or after close()."""
        try:
            chunk: bytes = self._response.raw.read1(_CHUNK)
        except FOREIGN as error:
            if self._closed.is_set():
                return b""
            raise stream_broken(error, self._endpoint) from error
        return b"" if self._closed.is_set() else chunk

    def _events(self, chunk: bytes) -> Iterator[T | None]:
        *lines, self._buffer = (self._buffer + chunk).split(b"\n")
        if len(self._buffer) > _LONGEST_LINE:
            raise StreamBroken(f"the {self._endpoint} sent a line without end")
        for line in lines:
            if self._closed.is_set():
                return
            yield self._event(line) if line.strip() else None

    def _event(self, line: bytes) -> T:
        try:
            data = read_json(line)
        except MalformedJson as error:
            raise stream_broken(error, self._endpoint) from error
        if not isinstance(data, dict):
            raise StreamBroken(f"the {self._endpoint} carried garbage: a line that is not a JSON object")
        return self._parse(data)


class Events(FormatHandler[Any], Generic[T]):
    """Makes berserk's Requestor return an EventStream: berserk's own streams drop keep-alives and cannot be closed."""

    def __init__(self, parse: Callable[[dict[str, Any]], T], endpoint: Endpoint) -> None:
        super().__init__("application/x-ndjson")
        self._parse = parse
        self._endpoint = endpoint

    def handle(self, response: Response, *_: Any, **_how: Any) -> EventStream[T]:
        """Return the stream; nothing of its body has been read."""
        return EventStream(response, self._parse, self._endpoint)
