"""A1: the server accepts the request for a stream and then sends nothing, not even headers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from bot.errors import NetworkError
from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from bot.fake_lichess.opponents.script import Script
from bot.lichess.gateway import Gateway
from tests.helpers.playing import PlayingBot
from tests.helpers.processes import wait_until

HEADERS_S = 5.0


def silent_openings(endpoint: str, times: int | None = None) -> FaultPlan:
    """Accept the openings of a stream and send no headers."""
    return FaultPlan(rules=(FaultRule(endpoint=endpoint, at="open", fault="silence", times=times),))


@pytest.mark.slow
@pytest.mark.parametrize("endpoint", ["game_stream", "event_stream"])
def test_a_silent_opening_is_repeated_within_seconds(
    fake: FakeLichess, make_bot: Callable[..., PlayingBot], endpoint: str
) -> None:
    fake.add_account("Idler", script=Script(then="idle"))
    bot = make_bot(fake)
    game_id = fake.challenge("Idler", bot.name, clock=(600, 0), color="white")
    assert wait_until(lambda: fake.open_game_streams(game_id) == 1)
    fake.set_faults(silent_openings(endpoint, times=1))
    before = len(fake.requests(endpoint))
    fake.drop_streams()
    assert wait_until(lambda: len(fake.requests(endpoint)) >= before + 2, 30)
    silent, repeated = fake.requests(endpoint)[before : before + 2]
    assert repeated.at_s - silent.at_s < HEADERS_S + 2.0


def test_closing_the_gateway_ends_an_opening_at_once(fake: FakeLichess) -> None:
    fake.set_faults(silent_openings("event_stream"))
    gateway = Gateway(fake.url, fake.token("bot88"))
    errors: list[NetworkError] = []

    def open_stream() -> None:
        try:
            gateway.stream_events()
        except NetworkError as error:
            errors.append(error)

    thread = threading.Thread(target=open_stream, daemon=True)
    thread.start()
    assert wait_until(lambda: fake.requests("event_stream"))
    closed_s = time.monotonic()
    gateway.close()
    thread.join(30)
    assert errors
    assert time.monotonic() - closed_s < 4.0
