"""Requests that are held back: by limits of the server, and while it rejects the token."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest
import requests_mock
from requests_mock import ANY
from structlog.typing import EventDict

from bot.archive.store import Store
from bot.errors import NetworkError, RateLimited, Rejected, Unauthorized
from bot.lichess.gateway import Gateway
from bot.lichess.rate_limits import (
    BOT_VS_BOT_DAY,
    FIRST_S,
    STREAM_OPENS,
    STREAM_WINDOW_S,
    Endpoint,
    RateLimits,
    TokenState,
    Window,
)
from tests.helpers.ending import closed_at_end
from tests.helpers.fake_clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def limits(clock: FakeClock) -> RateLimits:
    return RateLimits(now_s=clock)


def test_a_move_waits_one_second_however_often_it_is_limited(limits: RateLimits, clock: FakeClock) -> None:
    for _ in range(5):
        assert limits.note_limited(Endpoint.MOVE).retry_after_s == 1.0
        clock.now_s += 1.0
    limits.check(Endpoint.MOVE)


def test_bare_limits_double_up_to_their_cap_until_a_success(limits: RateLimits, clock: FakeClock) -> None:
    waits = []
    for _ in range(12):
        waits.append(limits.note_limited(Endpoint.CHALLENGE).retry_after_s)
        clock.now_s += waits[-1]
    assert waits[:4] == [60.0, 120.0, 240.0, 480.0]
    assert waits[-1] == 4 * 3600.0
    limits.note_success(Endpoint.CHALLENGE)
    assert limits.note_limited(Endpoint.CHALLENGE).retry_after_s == 60.0


def test_the_window_opens_by_itself(limits: RateLimits, clock: FakeClock) -> None:
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


def turns(limits: RateLimits, clock: FakeClock, *waiting: Endpoint, seconds: float = 10.0) -> list[Endpoint]:
    """Let these requests try ten times a second; return those that may be sent, in order."""
    sent = []
    for _ in range(int(seconds * 10)):
        for endpoint in waiting:
            try:
                limits.check(endpoint)
            except RateLimited:
                continue
            sent.append(endpoint)
        clock.now_s += 0.1
    return sent


def test_a_network_wide_limit_holds_back_what_can_wait_and_spreads_the_rest(
    limits: RateLimits, clock: FakeClock
) -> None:
    limits.note_limited(Endpoint.MOVE, network_wide=True)
    assert turns(limits, clock, Endpoint.CHAT, Endpoint.CHALLENGE, Endpoint.OTHER) == []
    limits.note_limited(Endpoint.MOVE, network_wide=True)
    sent = turns(limits, clock, *[Endpoint.MOVE] * 8, *[Endpoint.GAME_STREAM] * 8)
    assert 8 <= len(sent) <= 10  # one a second, whatever the number of games
    assert sent.count(Endpoint.MOVE) == pytest.approx(len(sent) / 2, abs=1)


def test_moves_come_first_while_the_network_is_limited(limits: RateLimits, clock: FakeClock) -> None:
    limits.note_limited(Endpoint.GAME_ACTION, network_wide=True)
    clock.now_s += 2.0
    limits.check(Endpoint.GAME_STREAM)
    with pytest.raises(RateLimited):
        limits.check(Endpoint.MOVE)
    clock.now_s += 1.0
    with pytest.raises(RateLimited):  # it is a turn, but a move waits for it
        limits.check(Endpoint.GAME_STREAM)
    limits.check(Endpoint.MOVE)


def test_turns_are_shorter_after_a_success_and_end_with_the_minute(limits: RateLimits, clock: FakeClock) -> None:
    limits.note_limited(Endpoint.GAME_ACTION, network_wide=True)
    clock.now_s += 2.0
    limits.check(Endpoint.MOVE)
    limits.note_success(Endpoint.MOVE)
    assert 20 <= len(turns(limits, clock, Endpoint.MOVE)) <= 30
    limits.note_limited(Endpoint.GAME_ACTION, network_wide=True)
    assert len(turns(limits, clock, Endpoint.MOVE)) <= 10
    clock.now_s += 51.0
    for _ in range(100):
        limits.check(Endpoint.MOVE)


def test_a_named_limit_closes_the_name_only(limits: RateLimits) -> None:
    limits.note_limited(Endpoint.ANSWER, retry_after_s=3600.0, key=BOT_VS_BOT_DAY)
    limits.check(Endpoint.ANSWER)
    with pytest.raises(RateLimited, match=re.escape(BOT_VS_BOT_DAY)):
        limits.check(Endpoint.CHALLENGE, BOT_VS_BOT_DAY)


def test_the_wall_clock_may_jump(clock: FakeClock) -> None:
    """Set back an hour within a second after a 429, a bot once waited 3,562 s and lost three games of three."""
    limits = RateLimits(closed_at_end(Store()), wall_s=clock)
    limits.note_limited(Endpoint.GAME_STREAM, retry_after_s=2.0)
    limits.note_limited(Endpoint.ACCOUNT, retry_after_s=60.0)
    limits.note_stream_open()
    clock.now_s -= 3600.0
    assert limits.seconds_left(Endpoint.GAME_STREAM) <= 2.0
    assert 50.0 < limits.seconds_left(Endpoint.ACCOUNT) <= 60.0
    clock.now_s += 7200.0
    assert 50.0 < limits.seconds_left(Endpoint.ACCOUNT) <= 60.0
    for _ in range(STREAM_OPENS - 1):
        limits.note_stream_open()
    with pytest.raises(RateLimited):
        limits.note_stream_open()


WEEK_S = 7 * 86_400.0


@pytest.mark.parametrize(
    ("endpoint", "key", "asked_s", "wait_s", "is_logged"),
    [
        (Endpoint.MOVE, "", 60.0, 1.0, False),  # the clock of a running game is the harder limit
        (Endpoint.GAME_STREAM, "", 60.0, 10.0, False),
        (Endpoint.ACCOUNT, "", 60.0, 60.0, False),
        (Endpoint.ACCOUNT, "", 900.0, 900.0, False),
        (Endpoint.ACCOUNT, "", 901.0, 900.0, True),
        *[(one, "", WEEK_S, 900.0, True) for one in (Endpoint.EVENT_STREAM, Endpoint.OTHER, Endpoint.ANSWER)],
        (Endpoint.ANSWER, BOT_VS_BOT_DAY, WEEK_S, 86_400.0, True),
    ],
)
def test_long_waits_are_capped_and_logged(
    limits: RateLimits,
    endpoint: Endpoint,
    key: str,
    asked_s: float,
    wait_s: float,
    is_logged: bool,
    logs: list[EventDict],
) -> None:
    assert limits.note_limited(endpoint, retry_after_s=asked_s, key=key).retry_after_s == wait_s
    assert limits.seconds_left(key or endpoint) == wait_s
    found = [(line["event"], line["asked_s"], line["wait_s"]) for line in logs]
    assert found == ([("rate_limit_capped", asked_s, wait_s)] if is_logged else [])


@pytest.mark.parametrize(
    ("name", "most_s"),
    [("account", 900.0), ("event stream", 900.0), ("game stream", 10.0), ("move", 1.0), ("challenge", 14_400.0),
     (BOT_VS_BOT_DAY, 86_400.0), ("explorer.lichess.org", 86_400.0)],
)  # fmt: skip
def test_a_kept_window_that_ends_in_2096_is_capped_and_logged(name: str, most_s: float, logs: list[EventDict]) -> None:
    store = closed_at_end(Store())
    store.save_window(name, Window(4_000_000_000.0, 3))
    store.save_stream_opens([4_000_000_000.0] * STREAM_OPENS)
    limits = RateLimits(store)
    assert most_s - 5.0 < limits.seconds_left(name) <= most_s
    assert [line["event"] for line in logs] == ["rate_limit_capped"]
    limits.note_stream_open()  # openings in the future are none


def test_a_shorter_wait_does_not_replace_a_longer_one(limits: RateLimits) -> None:
    limits.note_limited(Endpoint.CHALLENGE, retry_after_s=1000.0)
    limits.note_limited(Endpoint.CHALLENGE, retry_after_s=5.0)
    assert limits.seconds_left(Endpoint.CHALLENGE) == pytest.approx(1000.0)


def test_the_event_stream_is_not_opened_too_often(limits: RateLimits, clock: FakeClock) -> None:
    for _ in range(STREAM_OPENS):
        limits.note_stream_open()
        clock.now_s += 1.0
    with pytest.raises(RateLimited) as limited:
        limits.note_stream_open()
    assert limited.value.retry_after_s == pytest.approx(STREAM_WINDOW_S - STREAM_OPENS)
    clock.now_s += limited.value.retry_after_s
    limits.note_stream_open()


def test_limits_survive_a_restart(tmp_path: Path) -> None:
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


class KeptInMemory:
    """What a store would keep."""

    def __init__(self) -> None:
        self.kept: dict[str, Window] = {}
        self.opens: list[float] = []

    def windows(self) -> dict[str, Window]:
        """All of them."""
        return self.kept

    def save_window(self, name: str, window: Window) -> None:
        """Keep one."""
        self.kept[name] = window

    def stream_opens(self) -> list[float]:
        """All of them."""
        return self.opens

    def save_stream_opens(self, opens: list[float]) -> None:
        """Keep them."""
        self.opens = opens


def test_kept_times_are_those_of_the_wall_clock(clock: FakeClock) -> None:
    """The clock of a process begins anywhere, and ten seconds pass before the next one starts."""
    wall, store = FakeClock(), KeptInMemory()
    wall.now_s = 5e9
    limits = RateLimits(store, now_s=clock, wall_s=wall)
    limits.note_limited(Endpoint.ACCOUNT, retry_after_s=100.0)
    limits.note_limited(Endpoint.CHAT, retry_after_s=4.9)  # gone before anybody could read it
    limits.note_limited(Endpoint.OTHER, retry_after_s=5.0)
    limits.note_stream_open()
    clock.now_s += 1.0
    wall.now_s += 1.0
    limits.note_stream_open()
    assert store.kept == {"account": Window(5e9 + 100.0, 1), "other": Window(5e9 + 5.0, 1)}
    assert store.opens == [5e9, 5e9 + 1.0]
    other = FakeClock()
    other.now_s, wall.now_s = 50.0, 5e9 + 11.0
    again = RateLimits(store, now_s=other, wall_s=wall)
    assert again.snapshot() == {"account": 89.0}
    assert again.note_limited(Endpoint.ACCOUNT).retry_after_s == 120.0  # the second in a row
    assert list(again._opens) == [50.0 - 11.0, 50.0 - 10.0]
    again.note_success(Endpoint.ACCOUNT)
    assert store.kept["account"] == Window(0.0)


def test_kept_openings_count_for_ten_minutes(clock: FakeClock) -> None:
    wall, store = FakeClock(), KeptInMemory()
    store.opens = [wall.now_s - age_s for age_s in (STREAM_WINDOW_S, STREAM_WINDOW_S - 1.0, 0.0, -1.0)]
    assert list(RateLimits(store, now_s=clock, wall_s=wall)._opens) == [
        clock.now_s - STREAM_WINDOW_S + 1.0, clock.now_s,
    ]  # fmt: skip


def test_every_429_is_counted_under_its_class(limits: RateLimits) -> None:
    limits.note_limited(Endpoint.MOVE)
    limits.note_limited(Endpoint.ANSWER, key=BOT_VS_BOT_DAY, retry_after_s=9.0)
    limits.note_limited(Endpoint.ANSWER)
    assert limits.limited_counts() == {"move": 1, "challenge answer": 2}


def sent_s(state: TokenState, clock: FakeClock, duration_s: float) -> list[float]:
    """Try a move every second; return when one was sent, in seconds from the start."""
    start_s, found = clock.now_s, []
    while clock.now_s - start_s <= duration_s:
        try:
            state.check(Endpoint.MOVE)
        except Unauthorized:
            pass
        else:
            found.append(clock.now_s - start_s)
            state.note_rejected(Endpoint.MOVE, "No such token")
        clock.now_s += 1.0
    return found


def test_a_rejected_token_is_tried_at_growing_intervals_and_logged_once(logs: list[EventDict]) -> None:
    clock = FakeClock()
    state = TokenState(clock)
    assert sent_s(state, clock, 3000.0) == [0.0, 5.0, 15.0, 35.0, 75.0, 155.0, 315.0, 635.0, 1275.0, 2175.0]
    state.note_accepted(Endpoint.MOVE)
    assert sent_s(state, clock, 20.0) == [0.0, 5.0, 15.0]
    assert [line["event"] for line in logs] == ["token_rejected", "token_accepted", "token_rejected"]
    assert "new token" in logs[0]["remedy"]


def test_what_the_server_still_accepts_goes_on() -> None:
    state = TokenState(FakeClock())
    state.note_rejected(Endpoint.EVENT_STREAM, "No such token")
    state.note_rejected(Endpoint.ACCOUNT, "No such token")
    state.check(Endpoint.MOVE)
    state.note_accepted(Endpoint.MOVE)
    for endpoint in (Endpoint.EVENT_STREAM, Endpoint.ACCOUNT, Endpoint.OTHER):
        with pytest.raises(Unauthorized, match="retry in 5 s"):
            state.check(endpoint)
    state.note_accepted(Endpoint.ACCOUNT)
    state.check(Endpoint.EVENT_STREAM)
    state.check(Endpoint.OTHER)


def test_a_retry_without_an_answer_is_soon_repeated() -> None:
    clock = FakeClock()
    state = TokenState(clock)
    state.note_rejected(Endpoint.MOVE, "No such token")
    for _ in range(5):
        clock.now_s += FIRST_S
        with pytest.raises(NetworkError), state.asking(Endpoint.MOVE):
            raise NetworkError("timed out")


def test_another_request_without_an_answer_leaves_the_growing_pause_alone() -> None:
    clock = FakeClock()
    state = TokenState(clock)
    assert sent_s(state, clock, 100.0)[-1] == 75.0  # the next one at 155 s
    with pytest.raises(NetworkError), state.asking(Endpoint.CHAT):
        raise NetworkError("timed out")
    with pytest.raises(Unauthorized, match="retry in 54 s"):
        state.check(Endpoint.MOVE)


def test_a_refused_request_shows_that_the_token_is_accepted_again() -> None:
    state = TokenState(FakeClock())
    state.note_rejected(Endpoint.MOVE, "No such token")
    state._next_s = 0.0
    with pytest.raises(Rejected), state.asking(Endpoint.MOVE):
        raise Rejected(400, "Not your turn, or game already over")
    state.check(Endpoint.MOVE)


@pytest.mark.parametrize("answer", [None, Rejected(400, "Not your turn, or game already over")])
def test_the_answer_to_a_request_from_before_the_rejection_does_not_end_it(
    answer: Rejected | None, logs: list[EventDict]
) -> None:
    state = TokenState(FakeClock())
    with suppress(Rejected), state.asking(Endpoint.MOVE):
        with pytest.raises(Unauthorized), state.asking(Endpoint.MOVE):
            raise Unauthorized(401, "No such token")
        if answer:
            raise answer
    with pytest.raises(Unauthorized, match="retry in 5 s"):
        state.check(Endpoint.MOVE)
    assert [line["event"] for line in logs] == ["token_rejected"]


def test_only_401_concerns_the_token_and_public_pages_do_not(requests_mock: requests_mock.Mocker) -> None:
    gateway = Gateway("https://lichess.test", "t")
    for call, status, times in (
        (gateway.ongoing_games, 403, 2),  # a scope is missing
        (lambda: gateway.export_game("abcdefgh"), 401, 2),
        (gateway.ongoing_games, 401, 1),
        (lambda: gateway.export_game("abcdefgh"), 401, 0),
    ):
        requests_mock.get(ANY, status_code=status, json={"error": "no"})
        before = requests_mock.call_count
        for _ in range(2):
            with pytest.raises(Unauthorized):
                call()
        assert requests_mock.call_count == before + times
