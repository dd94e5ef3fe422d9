"""One state for the account: what is still sent with a rejected token, and what is logged."""

from __future__ import annotations

import pytest
import requests_mock
from requests_mock import ANY
from structlog.testing import capture_logs

from bot.errors import Rejected, Unauthorized
from bot.lichess import Gateway
from bot.lichess.rate_limits import Endpoint, TokenState
from tests.helpers.fake_clock import FakeClock


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


def test_a_rejected_token_is_tried_at_growing_intervals_and_logged_once() -> None:
    clock = FakeClock()
    state = TokenState(clock)
    with capture_logs() as lines:
        assert sent_s(state, clock, 3000.0) == [0.0, 5.0, 15.0, 35.0, 75.0, 155.0, 315.0, 635.0, 1275.0, 2175.0]
        state.note_accepted(Endpoint.MOVE)
        assert sent_s(state, clock, 20.0) == [0.0, 5.0, 15.0]
    assert [line["event"] for line in lines] == ["token_rejected", "token_accepted", "token_rejected"]
    assert "new token" in lines[0]["remedy"]


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


def test_a_refused_request_shows_that_the_token_is_accepted_again() -> None:
    state = TokenState(FakeClock())
    state.note_rejected(Endpoint.MOVE, "No such token")
    state._next_s = 0.0
    with pytest.raises(Rejected), state.asking(Endpoint.MOVE):
        raise Rejected(400, "Not your turn, or game already over")
    state.check(Endpoint.MOVE)


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
