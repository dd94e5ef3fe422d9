"""Handlers of answers for berserk's Requestor. Unlike berserk's own, they bound what they read and keep keep-alives."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import urllib3
from berserk.formats import FormatHandler
from requests import Response

from bot.errors import ServerError, StreamBroken
from bot.events.reading import MalformedJson, read_json
from bot.lichess.translate import FOREIGN, stream_broken

_CHUNK = 65_536
_MOST_JSON_BYTES = 1_000_000
_LONGEST_LINE = 4_194_304
_TOO_SLOW = "the answer takes too long"

T = TypeVar("T")


class Body(FormatHandler[Any]):
    """Answers whose whole body `read` decodes; it may raise MalformedJson. `content_type` is that of the request."""

    def __init__(self, mime_type: str, read: Callable[[bytes], Any], content_type: str = "") -> None:
        super().__init__(mime_type)
        self._read = read
        if content_type:
            self.headers["Content-Type"] = content_type

    def parse(self, response: Response) -> Any:
        """Return the decoded body."""
        return self._read(response.content)


JSON = Body("application/json", read_json)
#: For the test of a token, the one request whose body is plain text.
JSON_FOR_PLAIN_TEXT = Body("application/json", read_json, content_type="text/plain")
JSON_LINES = Body("application/x-ndjson", lambda body: [read_json(line) for line in body.splitlines() if line.strip()])
NOTHING = Body("application/json", lambda _body: None)  # answers whose status says everything


class OtherHost(FormatHandler[bytes]):
    """Bodies from other hosts: at most `max_bytes`, read within `timeout_s`. Raises ServerError.

    Of JSON in lines, where each line improves on the one before, the last that arrives in time is the answer. The first
    line has as much time again.
    """

    def __init__(self, mime_type: str, timeout_s: float, max_bytes: int = _MOST_JSON_BYTES) -> None:
        super().__init__(mime_type)
        self._max_bytes = max_bytes
        self._deadline_s = time.monotonic() + timeout_s
        self._first_line_s = self._deadline_s + timeout_s

    def withhold_token(self) -> None:
        """Send the request without the session's token."""
        self.headers["Authorization"] = None  # type: ignore[assignment]  # requests then omits the session's header

    def handle(self, response: Response, *_: Any, **_how: Any) -> bytes:
        """Return the body, or its last line, and close the connection."""
        with response:
            if "ndjson" in response.headers.get("Content-Type", ""):
                return self._latest_line(response)
            return self._whole_body(response)

    def _whole_body(self, response: Response) -> bytes:
        body = bytearray()
        while self._read_more(response, body):
            if time.monotonic() > self._deadline_s:
                raise ServerError(200, _TOO_SLOW)
        return bytes(body)

    def _latest_line(self, response: Response) -> bytes:
        body = bytearray()
        while time.monotonic() < (self._deadline_s if _has_line(body) else self._first_line_s):
            try:
                if not self._read_more(response, body):
                    body += b"\n"
                    break
            except urllib3.exceptions.ReadTimeoutError:
                if not _has_line(body):
                    raise
                break
        else:
            if not _has_line(body):
                raise ServerError(200, _TOO_SLOW)
        lines = [line for line in bytes(body).split(b"\n")[:-1] if line.strip()]
        if not lines:
            raise ServerError(200, "the answer is empty")
        return lines[-1]

    def _read_more(self, response: Response, body: bytearray) -> bool:
        """Append what has arrived to `body`; return False at the end."""
        chunk: bytes = response.raw.read1(_CHUNK, decode_content=True)  # `read` would wait for a full chunk
        body += chunk
        if len(body) > self._max_bytes:
            raise ServerError(200, f"the answer is longer than {self._max_bytes} bytes")
        return bool(chunk)


def _has_line(body: bytearray) -> bool:
    return b"\n" in body.lstrip()


class EventStream(Generic[T]):
    """Iterating yields an event for each line, and None for each keep-alive.

    The iteration ends when the server ends the stream cleanly or after close(). Everything else raises StreamBroken.
    One thread iterates, any thread may close.
    """

    def __init__(self, response: Response, parse: Callable[[dict[str, Any]], T], source: str) -> None:
        self._response = response
        self._parse = parse
        self._source = source
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
            raise stream_broken(error, self._source) from error
        return b"" if self._closed.is_set() else chunk

    def _events(self, chunk: bytes) -> Iterator[T | None]:
        *lines, self._buffer = (self._buffer + chunk).split(b"\n")
        if len(self._buffer) > _LONGEST_LINE:
            raise StreamBroken(f"the {self._source} sent a line without end")
        for line in lines:
            if self._closed.is_set():
                return
            yield self._event(line) if line.strip() else None

    def _event(self, line: bytes) -> T:
        try:
            data = read_json(line)
        except MalformedJson as error:
            raise stream_broken(error, self._source) from error
        if not isinstance(data, dict):
            raise StreamBroken(f"the {self._source} carried garbage: a line that is not a JSON object")
        return self._parse(data)


class Events(FormatHandler[Any], Generic[T]):
    """Makes berserk's Requestor return an EventStream: berserk's own streams drop keep-alives and cannot be closed."""

    def __init__(self, parse: Callable[[dict[str, Any]], T], source: str) -> None:
        super().__init__("application/x-ndjson")
        self._parse = parse
        self._source = source

    def handle(self, response: Response, *_: Any, **_how: Any) -> EventStream[T]:
        """Return the stream; nothing of its body has been read."""
        return EventStream(response, self._parse, self._source)
