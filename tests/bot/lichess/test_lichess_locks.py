"""Threads that meet in the state of all requests: each test fails without the locks of the class it names."""

from __future__ import annotations

import weakref
from functools import partial
from types import SimpleNamespace
from typing import Any

from structlog.testing import capture_logs

from bot.errors import RateLimited, Unauthorized
from bot.lichess.gateway import Gateway
from bot.lichess.rate_limits import FIRST_S, STREAM_OPENS, Endpoint, RateLimits, TokenState
from tests.helpers.interleave import Threads, interleave


def is_allowed(request: Any) -> bool:
    """Whether a check lets a request pass."""
    try:
        request()
    except (RateLimited, Unauthorized):
        return False
    return True


def test_each_429_counts() -> None:
    def scenario(threads: Threads) -> None:
        limits = RateLimits(now_s=lambda: 0.0)
        threads.run(*[partial(limits.note_limited, Endpoint.CHAT)] * 2)
        assert limits.limited_counts() == {"chat": 2}
        assert limits.seconds_left("chat") == 120.0

    interleave(scenario, RateLimits)


def test_a_429_may_meet_a_success() -> None:
    def scenario(threads: Threads) -> None:
        limits = RateLimits(now_s=lambda: 0.0)
        limits.note_limited(Endpoint.CHAT)
        threads.run(partial(limits.note_limited, Endpoint.CHAT), partial(limits.note_success, Endpoint.CHAT))

    interleave(scenario, RateLimits)


def test_a_success_is_kept_before_a_later_429() -> None:
    """Else the store would know of no limit although there is one."""

    class Kept:
        """A store of windows."""

        def __init__(self) -> None:
            self.until_s: dict[str, float] = {}

        def windows(self) -> dict[str, Any]:
            return {}

        def save_window(self, name: str, window: Any) -> None:
            self.until_s[name] = window.until_s

        def stream_opens(self) -> list[float]:
            return []

        def save_stream_opens(self, opens: list[float]) -> None:
            pass

    def scenario(threads: Threads) -> None:
        kept = Kept()
        limits = RateLimits(kept, now_s=lambda: 0.0, wall_s=lambda: 0.0)
        limits.note_limited(Endpoint.CHAT)
        threads.run(partial(limits.note_limited, Endpoint.CHAT), partial(limits.note_success, Endpoint.CHAT))
        assert kept.until_s["chat"] == limits.seconds_left("chat")

    interleave(scenario, RateLimits)


def test_the_last_opening_of_the_event_stream_is_given_once() -> None:
    def scenario(threads: Threads) -> None:
        limits = RateLimits(now_s=lambda: 0.0)
        for _ in range(STREAM_OPENS - 1):
            limits.note_stream_open()
        assert sorted(threads.run(*[partial(is_allowed, limits.note_stream_open)] * 2)) == [False, True]

    interleave(scenario, RateLimits)


def test_two_games_do_not_take_the_same_turn() -> None:
    def scenario(threads: Threads) -> None:
        now_s = [0.0]
        limits = RateLimits(now_s=lambda: now_s[0])
        limits.note_limited(Endpoint.MOVE, network_wide=True)
        now_s[0] = 30.0
        check = partial(limits.check, Endpoint.MOVE)
        assert sorted(threads.run(*[partial(is_allowed, check)] * 2)) == [False, True]

    interleave(scenario, RateLimits)


def test_a_rejected_token_is_retried_once_at_a_time() -> None:
    def scenario(threads: Threads) -> None:
        now_s = [0.0]
        token = TokenState(lambda: now_s[0])
        token.note_rejected(Endpoint.MOVE, "revoked")
        now_s[0] = FIRST_S
        check = partial(token.check, Endpoint.MOVE)
        assert sorted(threads.run(*[partial(is_allowed, check)] * 2)) == [False, True]

    interleave(scenario, TokenState)


def test_a_token_rejected_in_two_places_at_once_is_logged_once() -> None:
    def scenario(threads: Threads) -> None:
        token = TokenState()
        with capture_logs() as logged:
            threads.run(*(partial(token.note_rejected, place, "revoked") for place in (Endpoint.MOVE, Endpoint.CHAT)))
        assert [line["event"] for line in logged] == ["token_rejected"]

    interleave(scenario, TokenState)


def test_a_token_rejected_again_after_an_acceptance_is_logged_again() -> None:
    def scenario(threads: Threads) -> None:
        token = TokenState()
        token.note_rejected(Endpoint.MOVE, "revoked")
        with capture_logs() as logged:
            threads.run(
                partial(token.note_accepted, Endpoint.MOVE), partial(token.note_rejected, Endpoint.MOVE, "revoked")
            )
        is_rejected = not is_allowed(partial(token.check, Endpoint.MOVE))
        assert is_rejected == ("token_rejected" in [line["event"] for line in logged])

    interleave(scenario, TokenState)


def test_streams_may_be_opened_while_all_are_closed() -> None:
    class Stream:
        def close(self) -> None:
            pass

    def scenario(threads: Threads) -> None:
        gateway, streams = Gateway("http://127.0.0.1:1", "token"), [Stream() for _ in range(3)]
        gateway._stream_requests = SimpleNamespace(get=lambda _path, **_kept: streams[0])  # type: ignore[assignment]  # a stand-in
        for stream in streams[1:]:
            gateway._streams.add(stream)  # type: ignore[arg-type]  # nothing is read from it
        threads.run(gateway.close, partial(gateway.stream_game, "abcdefgh"))

    interleave(scenario, Gateway, weakref.WeakSet)
