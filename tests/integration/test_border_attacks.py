"""Attacks at the bot's borders, over the wire: redirects, hostile answers, hostile names."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from bot.errors import LichessError, NetworkError, RateLimited, ServerError, StreamBroken
from bot.events.game import ChatLine, GameState
from bot.lichess.gateway import Gateway
from bot.lichess.values import ChallengeTerms
from tests.helpers.wire import LAST_CHUNK, OK, Wire, answer, replies, stream

TOKEN = "lip_borderborder"
STATE = b'{"type":"gameState","moves":"e2e4","wtime":1000,"btime":2000,"status":"started"}\n'

HOSTILE_BODIES = [
    pytest.param(b"[" * 200_000, id="200,000 nested brackets"),
    pytest.param(b'{"a":' * 200_000, id="200,000 nested objects"),
    pytest.param(b"9" * 5000, id="5,000 digits"),
    pytest.param(b'{"nowPlaying":[{"gameId":"abcdefgh","secondsLeft":' + b"9" * 400 + b"}]}", id="400-digit seconds"),
    pytest.param(b'{"nowPlaying":NaN,"count":{"all":Infinity}}', id="NaN"),
    pytest.param(b"\xff\xfe\x00garbage", id="broken UTF-8"),
]
QUESTIONS: list[Callable[[Gateway], object]] = [
    lambda g: g.account(),
    lambda g: g.ongoing_games(),
    lambda g: g.test_token(),
    lambda g: g.users_status("ann"),
    lambda g: g.export_game("abcdefgh"),
    lambda g: g.chat("abcdefgh", "player", "hi"),
    lambda g: g.create_challenge(ChallengeTerms("ann")),
    lambda g: g.fetch_json(f"{g.url}/masters", {}, timeout_s=5.0),
]


def ask(call: Callable[[Gateway], object], client: Gateway) -> object:
    """The answer, or the error where it is one of ours; a foreign error fails the test."""
    try:
        return call(client)
    except LichessError as error:
        return error


@pytest.mark.parametrize("body", HOSTILE_BODIES)
def test_a_hostile_answer_is_no_foreign_error(body: bytes) -> None:
    for call in QUESTIONS:
        with Wire(replies(answer("200 OK", body))) as wire:
            client = Gateway(wire.url, TOKEN)
            ask(call, client)
            client.close()
        assert len(wire.requests) == 1


@pytest.mark.parametrize("status", ["400 Bad Request", "429 Too Many Requests", "500 Oops"])
@pytest.mark.parametrize("body", HOSTILE_BODIES)
def test_a_hostile_refusal_is_no_foreign_error(body: bytes, status: str) -> None:
    with Wire(replies(answer(status, body))) as wire:
        client = Gateway(wire.url, TOKEN)
        assert isinstance(ask(QUESTIONS[0], client), LichessError)
        client.close()


@pytest.mark.parametrize("seconds", ["9" * 400, "9" * 5000, "1e400", '"' + "9" * 400 + '"', "NaN"])
def test_a_limit_of_absurd_seconds_is_a_limit(seconds: str) -> None:
    body = b'{"error":"slow","ratelimit":{"key":"x","seconds":%s}}' % seconds.encode()
    with Wire(replies(answer("429 Too Many Requests", body))) as wire:
        client = Gateway(wire.url, TOKEN)
        error = ask(QUESTIONS[0], client)
        client.close()
    assert isinstance(error, RateLimited)
    assert error.retry_after_s <= 86_400.0


@pytest.mark.parametrize("line", [b"[" * 200_000, b'{"a":' * 200_000, b"\xed\xa0\x80"])
def test_a_hostile_line_breaks_its_stream_and_nothing_else(line: bytes) -> None:
    with Wire(stream(STATE, line + b"\n", STATE)) as wire:
        client = Gateway(wire.url, TOKEN)
        events = iter(client.stream_game("abcdefgh"))
        assert isinstance(next(events), GameState)
        with pytest.raises(StreamBroken, match="garbage"):
            next(events)
        client.close()


def test_a_clock_of_absurd_size_reads_as_missing() -> None:
    line = b'{"type":"gameState","moves":"e2e4","wtime":%s,"btime":NaN,"status":"started"}\n' % (b"9" * 5000)
    with Wire(stream(line, end=lambda connection: connection.sendall(LAST_CHUNK))) as wire:
        client = Gateway(wire.url, TOKEN)
        (event,) = list(client.stream_game("abcdefgh"))
        client.close()
    assert isinstance(event, GameState)
    assert event.wtime_ms == event.btime_ms == 2_147_483_647


def test_lines_may_end_with_carriage_return_and_line_feed() -> None:
    with Wire(stream(STATE.replace(b"\n", b"\r\n"), b"\r\n", end=lambda c: c.sendall(LAST_CHUNK))) as wire:
        client = Gateway(wire.url, TOKEN)
        events = list(client.stream_game("abcdefgh"))
        client.close()
    assert isinstance(events[0], GameState)
    assert events[1:] == [None]


def test_hostile_chat_is_cleaned_and_can_be_answered() -> None:
    chat = {"type": "chatLine", "username": "Eve\ud800", "text": "\u001b[2J\u202ehi\nyou", "room": "player"}
    line = json.dumps(chat).encode() + b"\n"
    end = stream(line, end=lambda connection: connection.sendall(LAST_CHUNK))
    with Wire(end, replies(OK)) as wire:
        client = Gateway(wire.url, TOKEN)
        (event,) = list(client.stream_game("abcdefgh"))
        client.chat("abcdefgh", "player", "hello Eve\ud800\u202e")
        client.close()
    assert event == ChatLine("Eve\ufffd", " [2Jhi you", "player")
    assert b"hello Eve\\ufffd" in wire.requests[1]


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
def test_a_redirect_to_another_host_is_not_followed(status: str) -> None:
    with Wire(*[replies(OK)] * 3) as thief:
        thief_url = thief.url.replace("127.0.0.1", "localhost")
        away = answer(status, b"", f"Location: {thief_url}/steal")
        with Wire(*[replies(away)] * 6) as wire:
            client = Gateway(wire.url, TOKEN)
            for call in QUESTIONS[:3]:
                with pytest.raises(ServerError, match="redirects to http://localhost"):
                    call(client)
                wire.wait_until_closed()
            with pytest.raises(ServerError, match="redirects"):
                client.fetch_json(f"{wire.url}/masters", {}, timeout_s=5.0)
            wire.wait_until_closed()
            with pytest.raises(ServerError, match="redirects"):
                client.stream_events()
            wire.wait_until_closed()
            with pytest.raises(LichessError):
                client.post_move("abcdefgh", "e2e4")
            client.close()
    assert len(wire.requests) == 6
    assert thief.requests == []


def test_a_redirect_on_the_same_server_is_followed() -> None:
    here = answer("307 Temporary Redirect", b"", "Location: /api/account/")
    with Wire(replies(here, answer("200 OK", b'{"id":"me","username":"Me"}'))) as wire:
        client = Gateway(wire.url, TOKEN)
        assert client.account().id == "me"
        client.close()
    assert len(wire.requests) == 2


CAPTIVE = answer("200 OK", b"<html>Welcome to the hotel</html>", "Content-Type: text/html")
BAD_GATEWAY = answer("502 Bad Gateway", b"<html>502</html>", "Content-Type: text/html")


@pytest.mark.parametrize("page", [pytest.param(CAPTIVE, id="captive portal"), pytest.param(BAD_GATEWAY, id="502")])
@pytest.mark.parametrize("call", QUESTIONS[:6])
def test_a_page_instead_of_an_answer_is_the_servers_error(page: bytes, call: Callable[[Gateway], object]) -> None:
    with Wire(replies(page)) as wire:
        client = Gateway(wire.url, TOKEN)
        with pytest.raises(ServerError):
            call(client)
        client.close()


def test_a_captive_portal_instead_of_a_stream_breaks_it() -> None:
    with Wire(replies(CAPTIVE)) as wire:
        client = Gateway(wire.url, TOKEN)
        with pytest.raises(StreamBroken, match="garbage"):
            list(client.stream_events())
        client.close()


def test_a_half_open_connection_is_left_in_time() -> None:
    with Wire(stream(STATE)) as wire:  # the peer is gone without a word: no byte, no end
        client = Gateway(wire.url, TOKEN, stream_silence_s=0.5)
        events = iter(client.stream_game("abcdefgh"))
        next(events)
        with pytest.raises(NetworkError, match="silent"):
            next(events)
        client.close()
