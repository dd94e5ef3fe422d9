"""Texts from anywhere: bounded in size and time, and told by our errors."""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
import requests_mock

from bot.errors import LichessError, RateLimited, Rejected, ServerError
from bot.lichess import Gateway
from bot.lichess.external_services import _latest_line
from tests.helpers.wire import LAST_CHUNK, STREAM, Wire, chunk

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


NDJSON = STREAM  # its type says that each line is a value


@pytest.mark.parametrize(
    ("pieces", "ends", "expected"),
    [
        ((b'{"n":1}\n', b'{"n":2}\n'), True, 2),
        ((b'{"n":1}\n\n', b'{"n"', b":2}"), True, 2),
        ((b'\n{"n":1}\n', b'{"n"'), False, 1),
    ],
    ids=["whole", "cut in pieces", "goes on"],
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


def test_the_first_line_may_take_longer_than_those_that_follow() -> None:
    pieces = iter([b'{"n"', b":1}\n", b'{"n":2}\n'])
    response = SimpleNamespace(raw=SimpleNamespace(read1=lambda *_size, **_how: next(pieces)))
    past, never = float("-inf"), float("inf")
    latest = partial(_latest_line, response, "elsewhere.test")  # type: ignore[arg-type]  # a stand-in
    assert latest(deadline_s=past, first_line_s=never) == b'{"n":1}'
    with pytest.raises(ServerError, match="takes too long"):
        latest(deadline_s=never, first_line_s=past)


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
