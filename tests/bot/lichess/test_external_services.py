"""Texts from anywhere: bounded in size and time, and told by our errors."""

from __future__ import annotations

import socket

import pytest
import requests_mock

from bot.errors import LichessError, RateLimited, Rejected, ServerError
from bot.lichess import Gateway
from tests.helpers.wire import STREAM, Wire, chunk

URL = "https://lichess.test"
ELSEWHERE = "https://elsewhere.test/list"


@pytest.fixture
def gateway() -> Gateway:
    return Gateway(URL, "lip_secretsecret")


def test_a_text_comes_as_it_is(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(ELSEWHERE, text="ann\nbob\n")
    assert gateway.fetch_text(ELSEWHERE, max_bytes=8, timeout_s=5) == "ann\nbob\n"
    assert "Authorization" not in requests_mock.request_history[0].headers


@pytest.mark.parametrize(
    ("status", "error"), [(429, RateLimited), (404, Rejected), (500, ServerError), (200, ServerError)]
)
def test_what_is_no_such_text_is_an_error_of_ours(
    gateway: Gateway, requests_mock: requests_mock.Mocker, status: int, error: type[LichessError]
) -> None:
    requests_mock.get(ELSEWHERE, status_code=status, text="much too long")
    with pytest.raises(error):
        gateway.fetch_text(ELSEWHERE, max_bytes=8, timeout_s=5)


@pytest.mark.parametrize(
    ("head", "piece"),
    [(STREAM, chunk(b"x")), (b"HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n", b"x")],
    ids=["chunked", "with a length"],
)
def test_a_text_that_comes_letter_by_letter_is_left(head: bytes, piece: bytes) -> None:
    def endless(wire: Wire, connection: socket.socket) -> None:
        wire.read_request(connection)
        connection.sendall(head)
        while not wire.released.wait(0.02):
            connection.sendall(piece)

    with Wire(endless) as wire:
        gateway = Gateway(wire.url, "lip_secretsecret")
        with pytest.raises(LichessError):
            gateway.fetch_text(f"{wire.url}/list", max_bytes=10_000_000, timeout_s=0.3)
        gateway.close()
