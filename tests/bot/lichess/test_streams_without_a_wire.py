"""How a stream ends, with a stand-in for the connection: what a tap hears, which errors are ours, what is closed."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

import pytest

from bot.errors import StreamBroken
from bot.lichess import EventStream
from bot.lichess.rate_limits import Endpoint


class Listener:
    """What a tap hears of a stream."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def line(self, line: bytes) -> None:
        """A line."""
        self.heard.append(line.decode().strip())

    def ended(self, error: str) -> None:
        """Its end."""
        self.heard.append(f"end: {error}")


@pytest.mark.parametrize(
    ("pieces", "stop_after", "heard"),
    [
        ([b'{"type":"a"}\n\n{"type":"b"}'], 9, ['{"type":"a"}', "", '{"type":"b"}', "end: "]),
        ([b'{"type":"a"}\n  '], 9, ['{"type":"a"}', "end: "]),
        ([b'{"type":"a"}\n{"type":"b"}\n'], 1, ['{"type":"a"}', "end: closed by us"]),
        ([b'{"type":"a"}\n', b'{"type":"b"}'], 1, ['{"type":"a"}', "end: closed by us"]),
        ([b"[1]\n"], 9, ["[1]", "end: the game stream carried garbage: a line that is no JSON object"]),
        ([b""], 9, ["end: "]),
    ],
)
def test_a_tap_hears_each_line_and_why_it_was_the_last(pieces: list[bytes], stop_after: int, heard: list[str]) -> None:
    left, listener, closed = list(pieces), Listener(), []
    raw = SimpleNamespace(read1=lambda _size: left.pop(0) if left else b"", shutdown=lambda: closed.append("shutdown"))
    response = SimpleNamespace(raw=raw, close=lambda: closed.append("close"))
    events: EventStream[Any] = EventStream(response, dict, Endpoint.GAME_STREAM, listener)  # type: ignore[arg-type]  # stand-ins
    assert not events.closed
    seen = 0
    with contextlib.suppress(StreamBroken):
        for event in events:
            seen += event is not None
            if seen >= stop_after:
                events.close()
    assert listener.heard == heard
    assert events.closed
    assert closed[-1] == "close"
    assert ("shutdown" in closed) is (stop_after == 1)


@pytest.mark.parametrize(
    ("error", "told"), [(OSError(104, "reset"), "cut: reset"), (ValueError("closed file"), "garbage"), (None, None)]
)
def test_an_error_of_the_connection_is_one_unless_we_have_closed_the_stream(
    error: Exception | None, told: str | None
) -> None:
    def read(_size: int) -> bytes:
        if error is None:
            events.close()
            raise OSError(9, "bad file descriptor")
        raise error

    raw = SimpleNamespace(read1=read, shutdown=lambda: None)
    response = SimpleNamespace(raw=raw, close=lambda: None)
    events: EventStream[Any] = EventStream(response, dict, Endpoint.GAME_STREAM)  # type: ignore[arg-type]  # a stand-in
    if told is None:
        assert list(events) == []
        return
    with pytest.raises(StreamBroken, match=told):
        list(events)


@pytest.mark.parametrize("error", [ValueError, RuntimeError, OSError, AttributeError, NotImplementedError])
def test_a_body_that_cannot_be_shut_down_is_closed(error: type[Exception]) -> None:
    def fail() -> None:
        raise error

    closed = []
    response = SimpleNamespace(raw=SimpleNamespace(shutdown=fail), close=lambda: closed.append("close"))
    with EventStream(response, dict, Endpoint.GAME_STREAM) as events:  # type: ignore[arg-type]  # a stand-in
        assert closed == []
    assert closed == ["close"]
    assert events.closed
