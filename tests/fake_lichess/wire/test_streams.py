"""Streams of lines: what happens between two lines that are sent at once."""

from __future__ import annotations

import asyncio

from starlette.types import Message

from bot.fake_lichess.wire.responses import Subscriber, serve_lines

LINES = 20


def test_a_client_that_goes_away_in_a_burst_is_noticed_before_its_end() -> None:
    """Else asyncio warns on the terminal of every line that is written to a lost connection."""
    sent: list[bytes] = []

    async def run() -> None:
        gone = asyncio.Event()

        async def send(message: Message) -> None:
            if message["type"] == "http.response.body" and not gone.is_set():
                sent.append(message["body"])
                asyncio.get_running_loop().call_soon(gone.set)  # the first write finds out

        async def receive() -> Message:
            await gone.wait()
            return {"type": "http.disconnect"}

        subscriber = Subscriber(60.0)
        for number in range(LINES):
            subscriber.push(b"%d" % number)
        await serve_lines(subscriber, receive, send)
        assert subscriber.closed

    asyncio.run(run())
    assert sent == [b"0"]
