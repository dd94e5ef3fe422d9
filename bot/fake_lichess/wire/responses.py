"""Responses: complete ones, delayed ones, and streams of lines."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from starlette.types import Receive, Send

OK: Mapping[str, object] = {"ok": True}
KEEP_ALIVE = b"\n"
NDJSON = "application/x-ndjson"
MAX_WAITING_LINES = 50_000


def json_bytes(value: object) -> bytes:
    """Compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")


def json_line(value: object) -> bytes:
    """One ndjson line."""
    return json_bytes(value) + b"\n"


@dataclass(frozen=True)
class Response:
    """A complete response. `body` is JSON unless it is bytes."""

    body: object = field(default_factory=lambda: dict(OK))
    status: int = 200
    media: str = "application/json"
    headers: tuple[tuple[bytes, bytes], ...] = ()

    def content(self) -> bytes:
        """Return the bytes to send."""
        return self.body if isinstance(self.body, bytes) else json_bytes(self.body)


@dataclass(frozen=True)
class DelayedResponse:
    """A response that waits before the work is done."""

    delay_s: float
    act: Callable[[], Response]


class Streaming(Protocol):
    """A response that continues: called with the raw ASGI pair."""

    async def __call__(self, receive: Receive, send: Send) -> None:
        """Serve until the end."""


async def send_response(answer: Response, send: Send) -> None:
    """Send a complete response."""
    content = answer.content()
    headers = [
        (b"content-type", answer.media.encode("latin-1")),
        (b"content-length", str(len(content)).encode("latin-1")),
        *answer.headers,
    ]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


class Subscriber:
    """An open stream. Push lines from anywhere in the server's loop; `close` ends it after the queued lines.

    With a `delay_s` lines are sent late, and `finish` ends it after them.
    """

    def __init__(self, keepalive_s: float, user_agent: str = "", delay_s: float = 0.0) -> None:
        self.user_agent = user_agent
        self._delay_s = delay_s
        self._late: deque[bytes | None] = deque()
        self.closed = False
        self.on_close: list[Callable[[], None]] = []
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._keepalive_s = keepalive_s
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(keepalive_s, self._tick)

    def _tick(self) -> None:
        self.push_now(KEEP_ALIVE)
        self._timer = self._loop.call_later(self._keepalive_s, self._tick)

    def push(self, line: bytes) -> None:
        """Send a line after the stream's delay."""
        self._send_late(line)

    def finish(self) -> None:
        """End the stream after its delay."""
        self._send_late(None)

    def _send_late(self, line: bytes | None) -> None:
        self._late.append(line)
        if self._delay_s:
            self._loop.call_later(self._delay_s, self._release)
        else:
            self._release()

    def _release(self) -> None:
        line = self._late.popleft()
        if line is None:
            self.close()
        else:
            self.push_now(line)

    def push_now(self, line: bytes) -> None:
        """Queue a line. A client that has stopped reading is dropped."""
        if self.closed:
            return
        if self._queue.qsize() >= MAX_WAITING_LINES:
            self.close()
        else:
            self._queue.put_nowait(line)

    def close(self) -> None:
        """End the stream; idempotent."""
        if self.closed:
            return
        self.closed = True
        self._timer.cancel()
        self._queue.put_nowait(None)
        for callback in self.on_close:
            callback()

    @property
    def waiting(self) -> bool:
        """Whether more lines are to be sent at once."""
        return not self._queue.empty()

    async def next(self) -> bytes | None:
        """Return the next line, None at the end."""
        return await self._queue.get()


async def _wait_for_disconnect(receive: Receive, subscriber: Subscriber) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    subscriber.close()


async def serve_lines(subscriber: Subscriber, receive: Receive, send: Send) -> None:
    """Answer a request with the subscriber's lines until one side ends it."""
    headers = [(b"content-type", NDJSON.encode()), (b"cache-control", b"no-cache")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    watcher = asyncio.ensure_future(_wait_for_disconnect(receive, subscriber))
    try:
        while (line := await subscriber.next()) is not None:
            await send({"type": "http.response.body", "body": line, "more_body": True})
            if subscriber.waiting:  # let the loop notice a disconnected client
                await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b""})
    finally:
        watcher.cancel()
        subscriber.close()


def streaming(
    keepalive_s: float, opened: Callable[[Subscriber], None], agent: str = "", delay_s: float = 0
) -> Streaming:
    """Return a response that streams lines: `opened` gets the subscriber, to which it pushes lines now and later."""

    async def serve(receive: Receive, send: Send) -> None:
        subscriber = Subscriber(keepalive_s, agent, delay_s)
        opened(subscriber)
        await serve_lines(subscriber, receive, send)

    return serve


def lines_response(values: Iterable[object]) -> Response:
    """Return JSON objects as lines."""
    return Response(b"".join(map(json_line, values)), media=NDJSON)
