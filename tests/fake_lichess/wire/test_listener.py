"""The listener and its streams."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from urllib.parse import urlsplit

import pytest
import requests
from starlette.types import Message

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.wire.responses import Subscriber, serve_lines

RESTARTS, CLIENTS = 15, 4
BROKEN_CHUNK = b"Transfer-Encoding: chunked\r\n\r\n5\r\nrated\r\n6;x=yng: chunked\r\n\r\n5\r\nrated\r\n6;x"
LINES = 20


def test_no_client_is_left_waiting_when_the_server_closes(fake: FakeLichess) -> None:
    done = threading.Event()
    waited: list[str] = []
    answered: list[int] = []

    def knock() -> None:
        while not done.is_set():
            try:
                answered.append(requests.get(fake.url + "/api/bot/online", timeout=60).status_code)
            except requests.ReadTimeout as error:
                waited.append(str(error))
            except requests.ConnectionError:
                done.wait(0.002)

    threads = [threading.Thread(target=knock) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for _ in range(RESTARTS):
        fake.restart(down_s=0.01)
    before = len(answered)
    fake.wait_for(lambda: len(answered) > before, what="an answer after the last restart")
    done.set()
    for thread in threads:
        thread.join(120)
    assert waited == []
    assert set(answered) == {200}


@pytest.mark.parametrize("request_line", [b"PGST /api/challenge/Alice", b"POST /api/challenge/Alice", b"POST /nowhere"])
def test_a_body_that_turns_out_broken_is_refused_once(
    fake: FakeLichess, request_line: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """The application may be at work on the request, or have begun to answer, when the rest of it cannot be read."""
    url = urlsplit(fake.url)
    head = request_line + b" HTTP/1.1\r\nHost: x\r\n"
    with caplog.at_level(logging.ERROR), socket.create_connection((url.hostname, url.port), 20) as connection:
        connection.sendall(head + BROKEN_CHUNK)
        answer = b""
        while part := connection.recv(4096):
            answer += part
        assert requests.get(fake.url + "/api/bot/online", timeout=60).status_code == 200
    assert answer.startswith(b"HTTP/1.1 4")
    assert answer.count(b"HTTP/1.1 ") == 1
    assert [record.getMessage() for record in caplog.records] == []


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
