"""Each request asks its rate limit first, and a success is noted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import requests_mock

from bot.errors import RateLimited
from bot.lichess import Gateway
from bot.lichess.rate_limits import RateLimits

URL = "https://lichess.test"
TOKEN = "lip_secretsecret"


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now_s = 1e9

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


CLASSES = [
    pytest.param(lambda g: g.abort("abcdefgh"), "POST", "/api/bot/game/abcdefgh/abort", id="request"),
    pytest.param(lambda g: g.stream_game("abcdefgh"), "GET", "/api/bot/game/stream/abcdefgh", id="game stream"),
    pytest.param(lambda g: g.ongoing_games(), "GET", "/api/account/playing", id="list of games"),
]


@pytest.mark.parametrize(("call", "method", "path"), CLASSES)
def test_a_closed_window_sends_nothing_and_a_success_makes_the_next_wait_short_again(
    requests_mock: requests_mock.Mocker, call: Callable[[Gateway], object], method: str, path: str
) -> None:
    clock = Clock()
    gateway = Gateway(URL, TOKEN, limits=RateLimits(None, clock))

    def limited() -> float:
        """Meet a bare 429 once the window is open; returns how long it closes the window."""
        requests_mock.request(method, f"{URL}{path}", status_code=429, json={"error": "Too many requests"})
        with pytest.raises(RateLimited) as error:
            call(gateway)
        return error.value.retry_after_s

    first_s = limited()
    sent = requests_mock.call_count
    with pytest.raises(RateLimited):
        call(gateway)
    assert requests_mock.call_count == sent  # the window is closed: nobody asks
    clock.now_s += first_s
    second_s = limited()
    assert second_s > first_s
    clock.now_s += second_s
    requests_mock.request(method, f"{URL}{path}", json={"ok": True})
    call(gateway)
    assert limited() == first_s
