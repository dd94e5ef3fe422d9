"""JSON and texts from other hosts: bounded in size and time, without our token, and with our errors."""

from __future__ import annotations

import gzip
import socket
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import requests
import requests_mock
import urllib3
from requests import Response

from bot.errors import LichessError, NetworkError, RateLimited, Rejected, ServerError
from bot.lichess import formats
from bot.lichess.formats import OtherHost
from bot.lichess.gateway import Gateway
from tests.helpers.fake_clock import FakeClock
from tests.helpers.wire import LAST_CHUNK, STREAM, Wire, answer, chunk, replies

URL = "https://lichess.test"
ELSEWHERE = "https://elsewhere.test/list"


@pytest.fixture
def gateway() -> Gateway:
    return Gateway(URL, "lip_secretsecret")


def fetch_json(gateway: Gateway, url: str = ELSEWHERE) -> object:
    return gateway.fetch_json(url, {}, timeout_s=5)


def fetch_text(gateway: Gateway, url: str = ELSEWHERE) -> object:
    return gateway.fetch_text(url, max_bytes=8, timeout_s=5)


both = pytest.mark.parametrize("fetch", [fetch_json, fetch_text])
Fetch = Callable[..., object]


def test_a_text_comes_as_it_is(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(ELSEWHERE, text="ann\nbob\n")
    assert fetch_text(gateway) == "ann\nbob\n"
    requests_mock.get(ELSEWHERE, text="ann\nbob\nc")
    with pytest.raises(ServerError, match="longer than 8 bytes"):
        fetch_text(gateway)


@pytest.mark.parametrize(
    ("url", "is_sent"),
    [
        (f"{URL}/list", True),
        ("https://lichess.org/x", True),
        ("https://explorer.lichess.org/x", True),
        ("https://tablebase.lichess.ovh/x", True),
        ("http://explorer.lichess.org/x", False),  # readable on the way
        ("http://lichess.test/list", False),
        ("https://lichess.test:8443/list", False),
        ("https://evil-lichess.org/x", False),
        ("https://lichess.org.evil.test/x", False),
        ("https://evil.test/lichess.org", False),
    ],
)
@both
def test_the_token_is_sent_to_our_server_and_to_lichess_over_tls_only(
    gateway: Gateway, requests_mock: requests_mock.Mocker, url: str, is_sent: bool, fetch: Fetch
) -> None:
    requests_mock.get(url, json={})
    fetch(gateway, url)
    (sent,) = requests_mock.request_history
    assert (sent.headers.get("Authorization") == "Bearer lip_secretsecret") is is_sent
    assert ("lip_secretsecret" in str(sent.headers)) is is_sent
    timeout: object = sent.timeout
    assert timeout == (5, 5)


@pytest.mark.parametrize(
    ("headers", "wait_s"), [({"Retry-After": "17"}, 17.0), ({"Retry-After": "tomorrow"}, 60.0), ({}, 60.0)]
)
@both
def test_a_limit_concerns_one_host(
    gateway: Gateway, requests_mock: requests_mock.Mocker, headers: dict[str, str], wait_s: float, fetch: Fetch
) -> None:
    requests_mock.get(ELSEWHERE, status_code=429, headers=headers)
    requests_mock.get("https://another.test/list", json={})
    for _ in range(2):
        with pytest.raises(RateLimited) as limited:
            fetch(gateway)
        assert limited.value.retry_after_s == pytest.approx(wait_s, abs=5.0)
        assert limited.value.key == "elsewhere.test"
    fetch(gateway, "https://another.test/list")
    assert requests_mock.call_count == 2


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        ({"status_code": 400}, Rejected, "refused with 400: elsewhere.test"),
        ({"status_code": 499}, Rejected, "refused with 499: elsewhere.test"),
        ({"status_code": 500}, ServerError, "server error 500: elsewhere.test"),
        ({"exc": requests.ConnectTimeout}, NetworkError, r"no answer from elsewhere\.test"),
        ({"exc": requests.ConnectionError}, NetworkError, r"no answer from elsewhere\.test"),
        ({"exc": urllib3.exceptions.HTTPError}, NetworkError, r"no answer from elsewhere\.test"),
    ],
)
@both
def test_errors_name_the_host(
    gateway: Gateway,
    requests_mock: requests_mock.Mocker,
    answer: dict[str, Any],
    error: type[LichessError],
    words: str,
    fetch: Fetch,
) -> None:
    requests_mock.get(ELSEWHERE, **answer)
    with pytest.raises(error, match=words):
        fetch(gateway)


def test_an_answer_that_is_not_json_is_an_error(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(ELSEWHERE, text="<html>")
    with pytest.raises(ServerError, match=r"the answer from elsewhere\.test is not JSON"):
        fetch_json(gateway)


def test_a_server_that_compresses_unasked_is_understood() -> None:
    packed = answer("200 OK", gzip.compress(b'{"n":1}'), "Content-Encoding: gzip")
    with Wire(replies(packed, packed)) as wire:
        gateway = Gateway(wire.url, "lip_secretsecret")
        assert gateway.fetch_json(f"{wire.url}/x", {}, timeout_s=10) == {"n": 1}
        assert gateway.fetch_text(f"{wire.url}/x", max_bytes=99, timeout_s=10) == '{"n":1}'
        gateway.close()
    assert all(b"Accept-Encoding: identity" in request for request in wire.requests)


NDJSON = STREAM  # its type says that each line is a value


@pytest.mark.parametrize(
    ("pieces", "ends", "expected"),
    [
        ((b'{"n":1}\n', b'{"n":2}\n'), True, 2),
        ((b'{"n":1}\n\n', b'{"n"', b":2}"), True, 2),
        ((b'\n{"n":1}\n', b'{"n"'), False, 1),
    ],
    ids=["whole", "cut in pieces", "continues"],
)
def test_of_an_answer_in_lines_the_last_one_counts_that_came_in_time(
    pieces: tuple[bytes, ...], ends: bool, expected: int
) -> None:
    def lines(wire: Wire, connection: socket.socket) -> None:
        wire.read_request(connection)
        connection.sendall(NDJSON)
        for piece in pieces:
            connection.sendall(chunk(piece))
        if ends:
            connection.sendall(LAST_CHUNK)
        else:
            wire.released.wait(60)

    with Wire(lines) as wire:
        gateway = Gateway(wire.url, "lip_secretsecret")
        assert gateway.fetch_json(f"{wire.url}/player", {}, timeout_s=10 if ends else 1) == {"n": expected}
        gateway.close()


@pytest.mark.parametrize(("age_s", "line"), [(0.5, b'{"n":2}'), (1.5, b'{"n":1}'), (2.5, None)])
def test_the_first_line_has_twice_the_time(monkeypatch: pytest.MonkeyPatch, age_s: float, line: bytes | None) -> None:
    clock = FakeClock()
    monkeypatch.setattr(formats, "time", SimpleNamespace(monotonic=clock))
    fmt = OtherHost("application/json", timeout_s=1.0)
    clock.now_s += age_s
    pieces = iter([b'{"n"', b":1}\n", b'{"n":2}\n', b""])
    response = Response()
    response.headers["Content-Type"] = "application/x-ndjson"
    response.raw = SimpleNamespace(read1=lambda *_size, **_how: next(pieces), close=lambda: None)
    if line is None:
        with pytest.raises(ServerError, match="takes too long"):
            fmt.handle(response)
    else:
        assert fmt.handle(response) == line


def test_an_answer_in_lines_without_any_is_an_error() -> None:
    def empty(wire: Wire, connection: socket.socket) -> None:
        wire.read_request(connection)
        connection.sendall(NDJSON + chunk(b"\n") + LAST_CHUNK)

    with Wire(empty) as wire:
        gateway = Gateway(wire.url, "lip_secretsecret")
        with pytest.raises(ServerError, match="is empty"):
            gateway.fetch_json(f"{wire.url}/player", {}, timeout_s=10)
        gateway.close()


def endless(head: bytes, piece: bytes) -> Callable[[Wire, socket.socket], None]:
    """An answer whose end never comes, though something comes all the time."""

    def answer(wire: Wire, connection: socket.socket) -> None:
        wire.read_request(connection)
        connection.sendall(head)
        while not wire.released.wait(0.02):
            connection.sendall(piece)

    return answer


@pytest.mark.parametrize(
    ("head", "piece"),
    [(STREAM, chunk(b"x")), (b"HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n", b"x")],
    ids=["chunked", "with a length"],
)
def test_a_text_that_comes_letter_by_letter_is_left(head: bytes, piece: bytes) -> None:
    with Wire(endless(head, piece)) as wire:
        gateway = Gateway(wire.url, "lip_secretsecret")
        with pytest.raises(LichessError):
            gateway.fetch_text(f"{wire.url}/list", max_bytes=10_000_000, timeout_s=0.3)
        gateway.close()


@pytest.mark.parametrize(
    ("head", "piece"),
    [(NDJSON, chunk(b"\n")), (NDJSON, chunk(b"x")), (b"HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n", b"1")],
    ids=["lines without any", "a line without an end", "no lines"],
)
def test_a_value_that_does_not_come_to_its_end_is_left(head: bytes, piece: bytes) -> None:
    with Wire(endless(head, piece)) as wire:
        gateway = Gateway(wire.url, "lip_secretsecret")
        with pytest.raises(ServerError, match="takes too long"):
            gateway.fetch_json(f"{wire.url}/player", {}, timeout_s=0.3)
        gateway.close()


def test_a_value_that_is_far_too_long_is_left(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(ELSEWHERE, content=b"[" + b"1," * 5_000_000 + b"1]")
    with pytest.raises(ServerError, match="longer than"):
        gateway.fetch_json(ELSEWHERE, {}, timeout_s=20)
