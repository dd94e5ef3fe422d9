"""Connections that say nothing do not make a bot look unwell."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
import requests

from bot.dashboard import DashboardServer, Meters, Observer, Sources
from bot.settings import DashboardSettings
from tests.bot.dashboard.pictures import PLAIN


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", id="half a request"),
        pytest.param(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", id="event streams"),
    ],
)
@pytest.mark.parametrize("count", [64, 300])
def test_health_is_told_while_others_keep_their_connections(stack: ExitStack, said: bytes, count: int) -> None:
    server = DashboardServer(DashboardSettings(port=0), Observer(Sources(**PLAIN)), Meters())
    stack.callback(server.stop)
    assert server.start()
    url = urlsplit(server.url)
    for _ in range(count):
        connection = stack.enter_context(socket.create_connection((url.hostname, url.port), 20))
        connection.sendall(said)
    for path in ("/healthz", "/readyz", "/healthz"):
        answer = requests.get(server.url + path, timeout=20)
        assert answer.text.startswith("{"), f"{answer.status_code}: {answer.text}"
        assert answer.json()["reasons"] == ["it is starting"]
