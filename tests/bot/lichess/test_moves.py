"""Posting a move on real connections: lost answers, limits, redirects and CPU time."""

from __future__ import annotations

import socket
import time

import pytest

from bot.errors import LichessError, NetworkError, RateLimited, Rejected, ServerError
from bot.lichess import gateway
from bot.lichess.gateway import Gateway
from tests.helpers.wire import OK, Script, Wire, answer, replies, reset

LIMITED = answer("429 Too Many Requests", b'{"error":"Too many requests. Try again later."}')


def break_off(wire: Wire, connection: socket.socket) -> None:
    """Read the request (a real server would apply it), then reset without an answer."""
    wire.read_request(connection)
    reset(connection)


def test_the_request_has_no_body_and_draws_are_offered_in_the_query() -> None:
    with Wire(replies(OK, OK)) as wire:
        client = Gateway(wire.url, "lip_test")
        client.post_move("abcdefgh", "e7e8q")
        client.post_move("abcdefgh", "e1g1", offering_draw=True)
    first, second = wire.requests
    assert first.startswith(b"POST /api/bot/game/abcdefgh/move/e7e8q HTTP/1.1\r\n")
    assert b"Authorization: Bearer lip_test" in first
    assert b"Content-Length: 0" in first
    assert second.startswith(b"POST /api/bot/game/abcdefgh/move/e1g1?offeringDraw=true HTTP/1.1\r\n")


def test_a_connection_that_the_server_has_closed_is_replaced() -> None:
    with Wire(replies(OK), replies(OK)) as wire:  # the first connection closes after one answer
        client = Gateway(wire.url, "lip_test")
        client.post_move("abcdefgh", "e2e4")
        wire.wait_until_closed()
        client.post_move("abcdefgh", "e7e5")
    assert len(wire.requests) == 2


@pytest.mark.parametrize("location", ["https://elsewhere.test/", "/api/account"])
def test_a_redirect_is_an_error_and_not_followed(location: str) -> None:
    """Followed on the same server, the POST would become a GET, which succeeds and plays no move."""
    moved = answer("302 Found", b"", f"Location: {location}")
    with Wire(replies(moved), replies(OK)) as wire:
        client = Gateway(wire.url, "lip_test")
        with pytest.raises((Rejected, ServerError)) as failure:
            client.post_move("abcdefgh", "e2e4")
        client.close()
    assert failure.value.status == 302
    assert len(wire.requests) == 1


def hang(wire: Wire, connection: socket.socket) -> None:
    """Read the request and answer nothing."""
    wire.read_request(connection)
    wire.released.wait(60)


@pytest.mark.parametrize(
    ("script", "error"),
    [
        (break_off, NetworkError),
        (hang, NetworkError),
        (replies(answer("400 Bad Request", b'{"error":"Not your turn, or game already over"}')), Rejected),
        (replies(answer("502 Bad Gateway", b"<html>down</html>")), ServerError),
        (replies(LIMITED), RateLimited),
    ],
    ids=["lost answer", "no answer", "400", "502", "429"],
)
def test_a_failure_is_reported_after_one_request(
    script: Script, error: type[LichessError], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The outbox decides about retries: it knows the clock and whether the move has been played."""
    if script is hang:
        monkeypatch.setattr(gateway, "MOVE_TIMEOUT_S", 0.2)
    with Wire(script, replies(OK)) as wire, pytest.raises(error):
        Gateway(wire.url, "lip_test").post_move("abcdefgh", "e2e4")
    assert len(wire.requests) == 1


def test_no_server_is_a_network_error() -> None:
    with Wire() as wire:
        url = wire.url
    with pytest.raises(NetworkError):
        Gateway(url, "lip_test").post_move("abcdefgh", "e2e4")


def test_a_move_costs_little_processor_time() -> None:
    """It takes about 0.5 ms. The limit for the best of many rounds is higher, for the machine may be busy."""

    def answer_all(wire: Wire, connection: socket.socket) -> None:
        while wire.read_request(connection):
            connection.sendall(OK)

    with Wire(answer_all) as wire:
        client = Gateway(wire.url, "lip_test")
        client.post_move("abcdefgh", "e2e4")
        rounds = []
        for _ in range(5):
            begun = time.thread_time()
            for _ in range(20):
                client.post_move("abcdefgh", "e2e4")
            rounds.append((time.thread_time() - begun) / 20 * 1000)
        client.close()
    assert min(rounds) < 2.5
