"""What a request is answered with: a whole answer, one that waits first, or a stream that goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from starlette.types import Receive, Send

from bot.fake_lichess.wire import encoding

OK: Mapping[str, object] = {"ok": True}


@dataclass(frozen=True)
class Answer:
    """A whole answer. `body` is JSON unless it is bytes."""

    body: object = field(default_factory=lambda: dict(OK))
    status: int = 200
    media: str = "application/json"
    headers: tuple[tuple[bytes, bytes], ...] = ()

    def content(self) -> bytes:
        """The bytes to send."""
        return self.body if isinstance(self.body, bytes) else encoding.encode(self.body)


@dataclass(frozen=True)
class Later:
    """An answer that waits before it does its work."""

    delay_s: float
    act: Callable[[], Answer]


class Streaming(Protocol):
    """An answer that goes on: called with the raw ASGI pair."""

    async def __call__(self, receive: Receive, send: Send) -> None:
        """Serve until the end."""


async def send_answer(answer: Answer, send: Send) -> None:
    """Send a whole answer."""
    content = answer.content()
    headers = [
        (b"content-type", answer.media.encode("latin-1")),
        (b"content-length", str(len(content)).encode("latin-1")),
        (b"access-control-allow-origin", b"*"),
        *answer.headers,
    ]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
