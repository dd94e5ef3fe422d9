"""Moves that the server limits, drops, applies in silence or never answers: posted until it shows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from tests.helpers.playing import PlayingBot, play_to_the_end, resigning_at

MakeBot = Callable[..., PlayingBot]


@pytest.fixture
def opponent(fake: FakeLichess) -> str:
    """One who resigns after 20 plies."""
    fake.add_account("Shorty", script=resigning_at(20))
    return "Shorty"


def on(endpoint: str, **fields: Any) -> FaultPlan:
    """One fault on an endpoint."""
    return FaultPlan(rules=(FaultRule(endpoint=endpoint, **fields),))


@pytest.mark.slow
@pytest.mark.parametrize(
    "fields",
    [
        {"fault": "rate_limit", "limit": "bare"},
        {"fault": "rate_limit", "limit": "html"},
        {"fault": "rate_limit", "limit": "retry_after", "seconds": 60},
        {"fault": "status", "status": 502},
        {"fault": "status", "status": 504},
        {"fault": "status", "status": 504, "applied": True},
        {"fault": "status", "status": 500, "body": "json"},
        {"fault": "reset"},
        {"fault": "reset", "applied": True},
        {"fault": "cut", "applied": True},
        {"fault": "lost_answer"},
        {"fault": "half_line"},
        {"fault": "garbage"},
    ],
    ids=lambda fields: "-".join(str(value) for value in fields.values()),
)
def test_move_is_answered_badly(fake: FakeLichess, make_bot: MakeBot, opponent: str, fields: dict[str, Any]) -> None:
    bot = make_bot(fake)
    fake.set_faults(on("move", skip=2, times=3, **fields))
    report = play_to_the_end(bot, opponent)
    assert report.winner == "black"
    assert report.black_ms > 90_000  # of two minutes: no pause was long


@pytest.mark.slow
@pytest.mark.parametrize("applied", [True, False])
def test_move_is_never_answered(fake: FakeLichess, make_bot: MakeBot, opponent: str, applied: bool) -> None:
    bot = make_bot(fake)
    fake.set_faults(on("move", fault="silence", applied=applied, skip=2, times=2))
    report = play_to_the_end(bot, opponent)
    assert report.winner == "black"
    assert report.black_ms > 90_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "fields",
    [
        {"fault": "status", "status": 400, "body": "json"},
        {"fault": "rate_limit", "limit": "bare"},
        {"fault": "rate_limit", "limit": "html"},
        {"fault": "silence"},
    ],
    ids=["400", "429", "429-html", "hangs"],
)
def test_greeting_fails(fake: FakeLichess, make_bot: MakeBot, opponent: str, fields: dict[str, Any]) -> None:
    chat = {"greeting": "Hello {opponent}", "spectator_greeting": "Welcome", "farewell": "Thank you"}
    bot = make_bot(fake, conduct={"chat": chat})
    fake.set_faults(on("chat", **fields))
    report = play_to_the_end(bot, opponent)
    assert report.winner == "black"
    assert report.black_ms > 110_000
    assert fake.requests("chat", report.id)


def test_greeting_is_said(fake: FakeLichess, make_bot: MakeBot, opponent: str) -> None:
    bot = make_bot(fake, conduct={"chat": {"greeting": "Hello {opponent}, I am {me}", "farewell": "Thank you"}})
    report = play_to_the_end(bot, opponent)
    fake.wait_for(lambda: len(fake.game(report.id).chat) >= 2, what="the farewell")
    texts = [text for _name, text, _room in fake.game(report.id).chat]
    assert texts[:2] == ["Hello Shorty, I am bot88", "Thank you"]
