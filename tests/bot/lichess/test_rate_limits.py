"""Windows per endpoint class: how long, who else is hit, what a restart remembers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.account.store import Store
from bot.errors import RateLimited
from bot.lichess.rate_limits import BOT_VS_BOT_DAY, STREAM_OPENS, STREAM_WINDOW_S, Backoff, Endpoint, RateLimits


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now_s = 1_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limits(clock: Clock) -> RateLimits:
    return RateLimits(now=clock)


def test_a_move_waits_one_second_however_often_it_is_limited(limits: RateLimits, clock: Clock) -> None:
    for _ in range(5):
        assert limits.note_limited(Endpoint.MOVE).retry_after_s == 1.0
        clock.now_s += 1.0
    limits.check(Endpoint.MOVE)


def test_the_clock_of_a_running_game_is_the_harder_limit(limits: RateLimits) -> None:
    assert limits.note_limited(Endpoint.MOVE, retry_after_s=60.0).retry_after_s == 1.0
    assert limits.note_limited(Endpoint.GAME_STREAM, retry_after_s=60.0).retry_after_s == 10.0
    assert limits.note_limited(Endpoint.ACCOUNT, retry_after_s=60.0).retry_after_s == 60.0


def test_bare_limits_double_up_to_their_cap_and_start_anew_after_success(limits: RateLimits, clock: Clock) -> None:
    waits = []
    for _ in range(12):
        waits.append(limits.note_limited(Endpoint.CHALLENGE).retry_after_s)
        clock.now_s += waits[-1]
    assert waits[:4] == [60.0, 120.0, 240.0, 480.0]
    assert waits[-1] == 4 * 3600.0
    limits.note_success(Endpoint.CHALLENGE)
    assert limits.note_limited(Endpoint.CHALLENGE).retry_after_s == 60.0


def test_the_window_opens_by_itself(limits: RateLimits, clock: Clock) -> None:
    limits.note_limited(Endpoint.CHAT, retry_after_s=17.0)
    with pytest.raises(RateLimited) as limited:
        limits.check(Endpoint.CHAT)
    assert limited.value.retry_after_s == pytest.approx(17.0)
    clock.now_s += 17.0
    limits.check(Endpoint.CHAT)
    assert limits.snapshot() == {}


def test_classes_do_not_touch_each_other(limits: RateLimits) -> None:
    limits.note_limited(Endpoint.CHALLENGE, retry_after_s=1000.0)
    for endpoint in Endpoint:
        if endpoint is not Endpoint.CHALLENGE:
            limits.check(endpoint)


def test_a_network_wide_limit_spares_the_games(limits: RateLimits) -> None:
    limits.note_limited(Endpoint.MOVE, network_wide=True)
    for endpoint in (Endpoint.CHAT, Endpoint.CHALLENGE, Endpoint.OTHER):
        with pytest.raises(RateLimited):
            limits.check(endpoint)
    for endpoint in (Endpoint.GAME_ACTION, Endpoint.GAME_STREAM, Endpoint.ANSWER):
        limits.check(endpoint)


def test_a_named_limit_closes_the_name_only(limits: RateLimits) -> None:
    limits.note_limited(Endpoint.ANSWER, retry_after_s=3600.0, key=BOT_VS_BOT_DAY)
    limits.check(Endpoint.ANSWER)
    with pytest.raises(RateLimited, match=re.escape(BOT_VS_BOT_DAY)):
        limits.check(Endpoint.CHALLENGE, BOT_VS_BOT_DAY)


def test_a_shorter_word_does_not_open_a_longer_window(limits: RateLimits) -> None:
    limits.note_limited(Endpoint.CHALLENGE, retry_after_s=1000.0)
    limits.note_limited(Endpoint.CHALLENGE, retry_after_s=5.0)
    assert limits.seconds_left(Endpoint.CHALLENGE) == pytest.approx(1000.0)


def test_the_event_stream_is_not_opened_too_often(limits: RateLimits, clock: Clock) -> None:
    for _ in range(STREAM_OPENS):
        limits.note_stream_open()
        clock.now_s += 1.0
    with pytest.raises(RateLimited) as limited:
        limits.note_stream_open()
    assert limited.value.retry_after_s == pytest.approx(STREAM_WINDOW_S - STREAM_OPENS)
    clock.now_s += limited.value.retry_after_s
    limits.note_stream_open()


def test_all_is_remembered_over_a_restart(tmp_path: Path) -> None:
    store = Store(tmp_path / "limits.sqlite3")
    limits = RateLimits(store)
    limits.note_limited(Endpoint.CHALLENGE, retry_after_s=5000.0)
    limits.note_limited(Endpoint.ANSWER, retry_after_s=9000.0, key=BOT_VS_BOT_DAY)
    for _ in range(STREAM_OPENS):
        limits.note_stream_open()
    store.close()
    again = RateLimits(Store(tmp_path / "limits.sqlite3"))
    assert again.seconds_left(Endpoint.CHALLENGE) > 4000
    assert again.seconds_left(BOT_VS_BOT_DAY) > 8000
    with pytest.raises(RateLimited):
        again.note_stream_open()


def test_backoff_doubles_with_jitter_and_resets() -> None:
    backoff = Backoff(1.0, 60.0, seed=1)
    waits = [backoff.next_s() for _ in range(12)]
    for index, wait in enumerate(waits):
        middle = min(60.0, 2.0**index)
        assert 0.5 * middle <= wait <= 1.5 * middle
    assert len(set(waits)) == len(waits)
    backoff.reset()
    assert backoff.next_s() <= 1.5
