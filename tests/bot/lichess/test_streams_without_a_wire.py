"""Events and the end of a stream, with a stand-in for the connection."""

from __future__ import annotations

import contextlib
import re
from types import SimpleNamespace
from typing import Any

import pytest

from bot.errors import StreamBroken
from bot.lichess import EventStream
from bot.lichess.rate_limits import Endpoint


@pytest.mark.parametrize(
    ("pieces", "stop_after", "expected", "error"),
    [
        ([b'{"type":"a"}\n\n{"type":"b"}'], 9, ["a", None, "b"], ""),
        ([b'{"type":"a"}\n  '], 9, ["a"], ""),
        ([b'{"type":"a"}\n{"type":"b"}\n'], 1, ["a"], ""),
        ([b'{"type":"a"}\n', b'{"type":"b"}'], 1, ["a"], ""),
        ([b"[1]\n"], 9, [], "the game stream carried garbage: a line that is no JSON object"),
        ([b""], 9, [], ""),
    ],
)
def test_lines_become_events_until_the_end(
    pieces: list[bytes], stop_after: int, expected: list[str | None], error: str
) -> None:
    left, closed = list(pieces), list[str]()
    raw = SimpleNamespace(read1=lambda _size: left.pop(0) if left else b"", shutdown=lambda: closed.append("shutdown"))
    response = SimpleNamespace(raw=raw, close=lambda: closed.append("close"))
    events: EventStream[Any] = EventStream(response, dict, Endpoint.GAME_STREAM)  # type: ignore[arg-type]  # stand-ins
    assert not events.closed
    seen: list[str | None] = []
    with pytest.raises(StreamBroken, match=re.escape(error)) if error else contextlib.nullcontext():
        for event in events:
            seen.append(event["type"] if event is not None else None)
            if sum(kind is not None for kind in seen) >= stop_after:
                events.close()
    assert seen == expected
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
