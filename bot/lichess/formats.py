"""Handlers of answers for berserk's Requestor. Unlike berserk's own, they bound what they read."""

from __future__ import annotations

import time
from typing import Any

import urllib3
from berserk.formats import FormatHandler
from requests import Response

from bot.errors import ServerError
from bot.events.reading import read_json

_CHUNK = 16_384
_MOST_JSON_BYTES = 1_000_000
_TOO_SLOW = "the answer takes too long"


class BoundedJson(FormatHandler[Any]):
    """Answers of one JSON value; raises MalformedJson. `content_type` is sent for requests that carry a body."""

    def __init__(self, content_type: str = "") -> None:
        super().__init__(mime_type="application/json")
        if content_type:
            self.headers["Content-Type"] = content_type

    def parse(self, response: Response) -> Any:
        """Return the decoded body."""
        return read_json(response.content)


class JsonLines(FormatHandler[list[Any]]):
    """Answers of one JSON value per line; raises MalformedJson."""

    def parse(self, response: Response) -> list[Any]:
        """Return the decoded lines."""
        return [read_json(line) for line in response.content.splitlines() if line.strip()]


JSON = BoundedJson()
#: For the test of a token, the one request whose body is plain text.
JSON_FOR_PLAIN_TEXT = BoundedJson("text/plain")
JSON_LINES = JsonLines("application/x-ndjson")


class Nothing(FormatHandler[None]):
    """Answers whose status says everything."""

    def parse(self, response: Response) -> None:
        """Ignore the body."""


NOTHING = Nothing("application/json")


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
