"""Streams over a real socket: ticks, cuts, resets, silence, garbage, and being stopped from outside."""

from __future__ import annotations

import socket
import threading
import time
from types import SimpleNamespace

import pytest
import requests_mock

from bot.errors import NetworkError, NotFound, RateLimited, StreamBroken
from bot.events.game import ChatLine, GameState, UnknownEvent
from bot.lichess import formats
from bot.lichess import gateway as gateway_module
from bot.lichess.formats import EventStream
from bot.lichess.gateway import Gateway
from bot.lichess.rate_limits import Endpoint
from tests.helpers.processes import wait_until
from tests.helpers.wire import LAST_CHUNK, OK, STREAM, Wire, answer, chunk, replies, reset, stream

STATE = b'{"type":"gameState","moves":"e2e4 e7e5","wtime":1000,"btime":2000,"winc":0,"binc":0,"status":"started"}\n'
CHAT = '{"type":"chatLine","username":"zoë","text":"♞ grüß dich","room":"player"}\n'.encode()


def gateway(wire: Wire, silence_s: float = 20.0) -> Gateway:
    return Gateway(wire.url, "lip_test", stream_silence_s=silence_s)


def clean_end(connection: socket.socket) -> None:
    connection.sendall(LAST_CHUNK)


def test_lines_become_events_and_blank_lines_ticks() -> None:
    with Wire(stream(STATE, b"\n", CHAT + b"\n" + STATE, end=clean_end)) as wire:
        events = list(gateway(wire).stream_game("abcdefgh"))
    assert [type(event).__name__ for event in events] == ["GameState", "NoneType", "ChatLine", "NoneType", "GameState"]
    assert isinstance(events[2], ChatLine)
    assert events[2].text == "♞ grüß dich"
    assert b"GET /api/bot/game/stream/abcdefgh " in wire.requests[0]
    assert b"Authorization: Bearer lip_test" in wire.requests[0]
    assert b"User-Agent: bot88/" in wire.requests[0]


def test_a_line_torn_into_single_bytes_is_put_together() -> None:
    pieces = [bytes([byte]) for byte in CHAT]
    with Wire(stream(*pieces, end=clean_end)) as wire:
        events = list(gateway(wire).stream_game("abcdefgh"))
    assert events == [ChatLine("zoë", "♞ grüß dich", "player")]


def test_a_last_line_without_newline_counts() -> None:
    with Wire(stream(STATE.strip(), end=clean_end)) as wire:
        events = list(gateway(wire).stream_game("abcdefgh"))
    assert isinstance(events[0], GameState)
    assert len(events) == 1


def test_a_body_without_chunks_is_read_until_it_closes() -> None:
    head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
    with Wire(replies(head + STATE + b"\n")) as wire:
        events = list(gateway(wire).stream_game("abcdefgh"))
    assert isinstance(events[0], GameState)
    assert events[1:] == [None]


@pytest.mark.parametrize("end", [pytest.param(socket.socket.close, id="cut"), pytest.param(reset, id="reset")])
def test_a_cut_in_mid_stream_is_ours_and_keeps_the_lines_before_it(end: object) -> None:
    with Wire(stream(STATE, STATE[:30], end=end)) as wire:  # type: ignore[arg-type]  # both take a socket
        events = gateway(wire).stream_game("abcdefgh")
        seen: list[object] = []
        with pytest.raises(StreamBroken):
            iter_into(events, seen)
    assert all(isinstance(event, GameState) for event in seen)
    assert len(seen) <= 1  # a reset may overtake the line before it


def iter_into(events: object, seen: list[object]) -> None:
    """Append as they come, so that what came before an error is kept."""
    for event in events:  # type: ignore[attr-defined]  # any iterable
        seen.append(event)  # noqa: PERF402 -- must survive the error in mid-iteration


def test_silence_breaks_the_stream_in_time() -> None:
    with Wire(stream(STATE)) as wire:
        events = iter(gateway(wire, silence_s=0.3).stream_game("abcdefgh"))
        assert isinstance(next(events), GameState)
        with pytest.raises(StreamBroken, match="silent"):
            next(events)


def test_keep_alives_keep_the_stream_from_being_silent() -> None:
    def ticking(connection: socket.socket) -> None:
        for _ in range(6):
            connection.sendall(b"1\r\n\n\r\n")
            time.sleep(0.1)  # the server's own rhythm, not a wait for the client
        connection.sendall(LAST_CHUNK)

    with Wire(stream(end=ticking)) as wire:
        assert list(gateway(wire, silence_s=3.0).stream_game("abcdefgh")) == [None] * 6


@pytest.mark.parametrize("garbage", [b"{nonsense\n", b"[1, 2]\n", b"\xff\xfe\x00\n", b"<html>502</html>\n"])
def test_garbage_breaks_the_stream(garbage: bytes) -> None:
    with Wire(stream(STATE, garbage, STATE)) as wire:
        events = iter(gateway(wire).stream_game("abcdefgh"))
        next(events)
        with pytest.raises(StreamBroken, match="garbage"):
            next(events)


def test_a_line_without_an_end_breaks_the_stream_and_a_long_one_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "_LONGEST_LINE", len(STATE))
    with Wire(stream(STATE, STATE, b"x" * len(STATE), b"x")) as wire:
        events = iter(gateway(wire).stream_game("abcdefgh"))
        assert isinstance(next(events), GameState)
        assert isinstance(next(events), GameState)
        with pytest.raises(StreamBroken, match=r"the game stream of .* sent a line without end"):
            next(events)


def test_unknown_kinds_are_passed_on() -> None:
    with Wire(stream(b'{"type":"horn","volume":11}\n', b'{"no":"type"}\n', end=clean_end)) as wire:
        events = list(gateway(wire).stream_game("abcdefgh"))
    assert events == [UnknownEvent("horn", {"type": "horn", "volume": 11}), UnknownEvent("", {"no": "type"})]


def test_another_thread_stops_a_waiting_reader_at_once() -> None:
    with Wire(stream(STATE)) as wire:
        events = gateway(wire).stream_game("abcdefgh")
        seen: list[object] = []
        reader = threading.Thread(target=iter_into, args=(events, seen), daemon=True)
        reader.start()
        assert wait_until(lambda: seen)
        begun = time.monotonic()
        events.close()
        reader.join(30)
        assert not reader.is_alive()
        assert time.monotonic() - begun < 5.0  # far below the 20 s of silence that would end it otherwise
    assert len(seen) == 1


def test_close_is_harmless_before_after_and_twice() -> None:
    with Wire(stream(STATE), stream(STATE, end=clean_end)) as wire:
        client = gateway(wire)
        first = client.stream_game("abcdefgh")
        first.close()
        first.close()
        assert list(first) == []
        second = client.stream_game("abcdefgh")
        assert len(list(second)) == 1
        second.close()
        client.close()


def test_no_event_follows_a_close_even_from_data_that_has_arrived(requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get("https://lichess.test/api/bot/game/stream/abcdefgh", content=STATE + STATE)
    events = Gateway("https://lichess.test", "lip_test").stream_game("abcdefgh")
    seen = []
    for event in events:
        seen.append(event)
        events.close()
    assert len(seen) == 1


@pytest.mark.parametrize("error", [ValueError, RuntimeError, OSError, AttributeError, NotImplementedError])
def test_a_body_that_cannot_be_shut_down_is_closed(error: type[Exception]) -> None:
    def fail() -> None:
        raise error

    closed = []
    response = SimpleNamespace(raw=SimpleNamespace(shutdown=fail), close=lambda: closed.append("close"))
    events = EventStream(response, dict, Endpoint.GAME_STREAM)  # type: ignore[arg-type]  # a stand-in
    events.close()
    assert closed == ["close"]
    assert list(events) == []


@pytest.mark.slow
def test_headers_have_another_time_out_than_lines() -> None:
    """A line may take longer than the headers; also if the server wants to close the connection."""
    head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"

    def slow(wire: Wire, connection: socket.socket) -> None:
        wire.read_request(connection)
        connection.sendall(head)
        time.sleep(1.5)
        connection.sendall(STATE)

    def silent(wire: Wire, connection: socket.socket) -> None:
        wire.read_request(connection)
        wire.released.wait(30)

    with Wire(slow, silent) as wire, pytest.MonkeyPatch.context() as patch:
        patch.setattr(gateway_module, "HEADERS_TIMEOUT_S", 1.0)
        client = gateway(wire)
        assert len(list(client.stream_game("abcdefgh"))) == 1
        with pytest.raises(NetworkError, match="it took too long"):
            client.stream_game("abcdefgh")
        client.close()


def test_closing_the_gateway_ends_all_streams() -> None:
    with Wire(stream(STATE), stream(STATE)) as wire:
        client = gateway(wire)
        readers = [threading.Thread(target=list, args=(client.stream_game("abcdefgh"),), daemon=True) for _ in range(2)]
        for reader in readers:
            reader.start()
        client.close()
        for reader in readers:
            reader.join(30)
        assert not any(reader.is_alive() for reader in readers)


def test_a_stream_leaves_its_connection_to_no_move() -> None:
    """Closing a stream that has just ended must not break a move that reuses its connection."""
    whole = STREAM + chunk(STATE) + LAST_CHUNK
    with Wire(replies(whole, answer("500 Taken", b"")), replies(OK)) as wire:
        client = gateway(wire)
        assert len(list(client.stream_game("abcdefgh"))) == 1
        client.post_move("abcdefgh", "e2e4")
        assert [request.split()[0] for request in wire.requests] == [b"GET", b"POST"]
        client.close()


def test_errors_at_opening_are_ours() -> None:
    too_many = answer("429 Too Many Requests", b'{"error":"Please don\'t poll this endpoint"}')
    missing = answer("404 Not Found", b'{"error":"No such game"}')
    with Wire(replies(missing, too_many)) as wire:
        client = gateway(wire)
        with pytest.raises(NotFound, match="No such game"):
            client.stream_game("abcdefgh")
        with pytest.raises(RateLimited) as limited:
            client.stream_events()
        assert limited.value.retry_after_s == 60.0
        with pytest.raises(RateLimited):  # without asking the server again
            client.stream_events()
    assert len(wire.requests) == 2
