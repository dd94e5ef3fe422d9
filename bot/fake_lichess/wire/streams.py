"""Endless answers: one queue of lines per open stream, each line sent as its own chunk at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.types import Receive, Send

KEEP_ALIVE = b"\n"
MAX_WAITING_LINES = 50_000


class Subscriber:
    """One open stream. Lines are pushed from anywhere in the server's loop; `close` ends it after what is waiting."""

    def __init__(self, keepalive_s: float, user_agent: str = "") -> None:
        self.user_agent = user_agent
        self.closed = False
        self.on_close: list[Callable[[], None]] = []
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._keepalive_s = keepalive_s
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(keepalive_s, self._tick)

    def _tick(self) -> None:
        self.push(KEEP_ALIVE)
        self._timer = self._loop.call_later(self._keepalive_s, self._tick)

    def push(self, line: bytes) -> None:
        """Send a line; a client that has long stopped reading is dropped."""
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
        """The next line, None at the end."""
        return await self._queue.get()


async def _wait_for_disconnect(receive: Receive, subscriber: Subscriber) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    subscriber.close()


async def serve_lines(subscriber: Subscriber, receive: Receive, send: Send) -> None:
    """Answer a request with the subscriber's lines until one side ends it. Raises nothing of its own."""
    headers = [(b"content-type", b"application/x-ndjson"), (b"cache-control", b"no-cache")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    watcher = asyncio.ensure_future(_wait_for_disconnect(receive, subscriber))
    try:
        while (line := await subscriber.next()) is not None:
            await send({"type": "http.response.body", "body": line, "more_body": True})
            if subscriber.waiting:  # the loop must have a turn to notice that the client has gone
                await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b""})
    finally:
        watcher.cancel()
        subscriber.close()
