"""What an error of the network says to the owner."""

from __future__ import annotations

import http.client
import io
import socket

import berserk
import pytest
import requests
import urllib3

from bot.errors import NetworkError, NotFound, RateLimited, Rejected, ServerError, Unauthorized
from bot.events.reading import MalformedJson
from bot.lichess.rate_limits import Endpoint, RateLimits
from bot.lichess.translate import brief, refused, stream_broken, translated


def test_the_reason_is_told_and_not_the_layers_around_it() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))  # nobody listens there
        with pytest.raises(requests.ConnectionError) as refused:
            requests.get(f"http://127.0.0.1:{bound.getsockname()[1]}/api?token=secret", timeout=30)
    assert brief(refused.value) == "Connection refused"


def test_a_host_that_nobody_knows_is_named_by_the_system() -> None:
    unknown = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    assert brief(requests.ConnectionError(urllib3.exceptions.ProtocolError("odd", unknown))) == unknown.strerror


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (requests.ReadTimeout("Read timed out."), "it took too long"),
        (TimeoutError("timed out"), "it took too long"),
        (urllib3.exceptions.ProtocolError("broken", http.client.IncompleteRead(b"")), "the connection was cut"),
        (requests.ConnectionError(http.client.RemoteDisconnected("end")), "the connection was cut"),
        (ValueError("no JSON\nat all"), "ValueError: no JSON"),
        (AttributeError(), "AttributeError: "),
    ],
)
def test_what_the_system_does_not_name(error: Exception, told: str) -> None:
    assert brief(error) == told


def test_a_stream_that_was_cut_says_so_once() -> None:
    cut = urllib3.exceptions.ProtocolError("broken", http.client.IncompleteRead(b""))
    assert str(stream_broken(cut, Endpoint.GAME_STREAM)) == "the game stream was cut"
    reset = stream_broken(ConnectionResetError(104, "Connection reset by peer"), Endpoint.GAME_STREAM)
    assert str(reset) == "the game stream was cut: Connection reset by peer"


def limits() -> RateLimits:
    return RateLimits(now_s=lambda: 1000.0)


def answer(status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> requests.Response:
    response = requests.Response()
    response.status_code = status
    response.raw = urllib3.HTTPResponse(io.BytesIO(body), preload_content=False)
    response.headers.update(headers or {})
    return response


@pytest.mark.parametrize(
    ("headers", "body", "wait_s", "key"),
    [
        ({}, b"", 60.0, ""),
        ({"Retry-After": "17"}, b'{"error":"Too many requests"}', 17.0, ""),
        ({"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, b"{}", 60.0, ""),
        ({"Retry-After": "-5"}, b'{"error":"x"}', 0.0, ""),
        ({"Retry-After": "inf"}, b'{"error":"x"}', 60.0, ""),
        ({"Retry-After": "nan"}, b'{"error":"x"}', 60.0, ""),
        ({"Retry-After": "17"}, b'{"ratelimit":{"key":"bot.vsBot.day","seconds":300}}', 300.0, "bot.vsBot.day"),
        ({"Retry-After": "17"}, b'{"ratelimit":{"key":"odd","seconds":0}}', 0.0, "odd"),
        ({"Retry-After": "17"}, b'{"ratelimit":{"key":7,"seconds":"soon"}}', 17.0, "7"),
        ({"Retry-After": "17"}, b'{"ratelimit":"odd"}', 17.0, ""),
        ({"Retry-After": "17"}, b'["ratelimit"]', 17.0, ""),
    ],
)
def test_how_long_a_limit_lasts(headers: dict[str, str], body: bytes, wait_s: float, key: str) -> None:
    error = refused(answer(429, body, headers), Endpoint.ANSWER, known := limits())
    assert isinstance(error, RateLimited)
    if (wait_s, key) == (60.0, ""):
        wait_s = 10.0  # what an answer to a challenge waits for without a word of the server
    assert (error.retry_after_s, error.key, error.endpoint) == (wait_s, key, Endpoint.ANSWER)
    assert known.seconds_left(key or Endpoint.ANSWER) == wait_s


@pytest.mark.parametrize(
    ("body", "is_wide"), [(b"<html>slow down</html>", True), (b"", True), (b'{"error":"x"}', False)]
)
def test_a_limit_that_is_no_json_concerns_the_whole_address(body: bytes, is_wide: bool) -> None:
    refused(answer(429, body), Endpoint.ACCOUNT, known := limits())
    assert (known.seconds_left(Endpoint.CHAT) > 0) is is_wide
    assert known.seconds_left(Endpoint.GAME_ACTION) == 0


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (400, b'{"error":"no"}', Rejected(400, "no")),
        (400, b'{"error":{"fen":["Bad","Worse"],"days":["Odd"]}}', Rejected(400, "fen: Bad, Worse; days: Odd")),
        (400, b'{"error":{"fen":"Bad"}}', Rejected(400, '{"fen": "Bad"}')),
        (400, b'{"error":["a","b"]}', Rejected(400, '["a", "b"]')),
        (400, b'{"clock.limit":["Invalid value"]}', Rejected(400, "clock.limit: Invalid value")),
        (400, b'{"error":null}', Rejected(400, '{"error":null}')),
        (400, b"{}", Rejected(400, "{}")),
        (400, b"  plain words\n", Rejected(400, "plain words")),
        (400, b"\n <html>", Rejected(400, "")),
        (400, b"x" * 5000, Rejected(400, "x" * 300)),
        (400, b'{"error":"' + b"y" * 5000 + b'"}', Rejected(400, "y" * 300)),
        (400, "♞".encode() * 2000, Rejected(400, "♞" * 300)),
        (401, b"", Unauthorized(401, "")),
        (402, b"", Rejected(402, "")),
        (403, b"", Unauthorized(403, "")),
        (404, b"", NotFound(404, "")),
        (405, b"", Rejected(405, "")),
        (499, b"", Rejected(499, "")),
        (500, b"", ServerError(500, "")),
        (503, b'{"error":"down"}', ServerError(503, "down")),
    ],
)
def test_a_status_becomes_the_error_that_says_most(status: int, body: bytes, error: Rejected | ServerError) -> None:
    found = refused(answer(status, body), Endpoint.OTHER, limits())
    assert type(found) is type(error)
    assert found.args == error.args


def test_a_body_that_cannot_be_read_counts_as_empty() -> None:
    torn = answer(502)
    torn.raw = urllib3.HTTPResponse(io.BytesIO(b"7"), headers={"Content-Length": "9"}, preload_content=False)
    assert str(refused(torn, Endpoint.OTHER, limits())) == "server error 502"


def test_of_an_endless_body_only_the_beginning_is_read() -> None:
    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            assert 0 < size < 1_000_000
            return b"x" * size

    endless = answer(400)
    endless.raw = urllib3.HTTPResponse(Endless(), preload_content=False)
    assert str(refused(endless, Endpoint.OTHER, limits())) == f"refused with 400: {'x' * 300}"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (TimeoutError("timed out"), "the game stream fell silent"),
        (requests.ReadTimeout("x"), "the game stream fell silent"),
        (urllib3.exceptions.ReadTimeoutError(None, None, "x"), "the game stream fell silent"),  # type: ignore[arg-type]  # not looked at
        (MalformedJson("bad"), "the game stream carried garbage: MalformedJson: bad"),
        (AttributeError("closed"), "the game stream was cut: AttributeError: closed"),
    ],
)
def test_why_a_stream_ended(error: Exception, told: str) -> None:
    assert str(stream_broken(error, Endpoint.GAME_STREAM)) == told


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (requests.ConnectTimeout("x"), NetworkError, "no answer from chat: it took too long"),
        (urllib3.exceptions.ProtocolError("x"), NetworkError, "no answer from chat: ProtocolError: x"),
        (OSError(5, "Input/output error"), NetworkError, "no answer from chat: Input/output error"),
        (AttributeError("closed"), NetworkError, "no answer from chat: AttributeError: closed"),
        (MalformedJson("bad"), ServerError, "the answer from chat is not JSON"),
        (berserk.exceptions.ApiError(ValueError("odd")), NetworkError, "no answer from chat: ValueError: odd"),
        (berserk.exceptions.ApiError(requests.HTTPError(response=answer(404))), NotFound, "404"),
    ],
)
def test_foreign_errors_become_ours(error: Exception, kind: type[Exception], words: str) -> None:
    with (
        pytest.raises(kind, match=words),
        translated("chat", lambda response: refused(response, Endpoint.CHAT, limits())),
    ):
        raise error


def test_a_fault_of_ours_is_not_translated() -> None:
    with pytest.raises(KeyError), translated("chat", lambda _response: ServerError(500)):
        raise KeyError("x")


def test_no_chain_of_errors_is_followed_for_ever_and_no_line_is_endless() -> None:
    error: Exception = OSError(5, "innermost")
    for _ in range(7):
        error = RuntimeError("layer", error)
    assert brief(error) == "innermost"
    assert brief(RuntimeError("layer", error)).startswith("RuntimeError: ")
    assert len(brief(ValueError("x" * 5000))) == 300
    assert brief(OSError("odd", ValueError("inner"))) == "OSError: [Errno odd] inner"  # its strerror is not text
    cause = ValueError("outer")
    cause.__cause__ = ConnectionResetError(104, "Connection reset by peer")
    assert brief(cause) == "Connection reset by peer"
