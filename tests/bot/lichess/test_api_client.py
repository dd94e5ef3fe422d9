"""Rate limits around each request: asked before, told after."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import requests_mock

from bot.errors import RateLimited
from bot.lichess import Gateway
from bot.lichess.rate_limits import RateLimits

URL = "https://lichess.test"
CALLS: list[tuple[Callable[[Gateway], object], str, str]] = [
    (lambda g: g.account(), "GET", "/api/account"),
    (lambda g: g.create_challenge("ann"), "POST", "/api/challenge/ann"),
    (lambda g: g.stream_game("abcdefgh").close(), "GET", "/api/bot/game/stream/abcdefgh"),
]
KINDS = ["get", "post", "stream"]


@pytest.mark.parametrize(("call", "method", "path"), CALLS, ids=KINDS)
def test_a_limited_request_is_not_sent_again(
    requests_mock: requests_mock.Mocker, call: Callable[[Gateway], object], method: str, path: str
) -> None:
    gateway = Gateway(URL, "lip_token")
    requests_mock.request(method, f"{URL}{path}", status_code=429, json={"error": "Too many requests."})
    for _ in range(3):
        with pytest.raises(RateLimited):
            call(gateway)
    assert requests_mock.call_count == 1


@pytest.mark.parametrize(("call", "method", "path"), CALLS, ids=KINDS)
def test_after_a_success_the_waits_begin_anew(
    requests_mock: requests_mock.Mocker, call: Callable[[Gateway], object], method: str, path: str
) -> None:
    now_s = [1000.0]
    gateway = Gateway(URL, "lip_token", limits=RateLimits(now_s=lambda: now_s[0]))
    waits_s = []
    for _ in range(3):
        requests_mock.request(method, f"{URL}{path}", status_code=429, json={"error": "Too many requests."})
        with pytest.raises(RateLimited) as limited:
            call(gateway)
        waits_s.append(limited.value.retry_after_s)
        now_s[0] += waits_s[-1]
        requests_mock.request(method, f"{URL}{path}", json={"id": "newgame1"})
        call(gateway)
    assert len(set(waits_s)) == 1
