"""Game streams that break, fall silent or lie: the game is played to its end all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from tests.helpers.playing import PlayingBot, check_end, play_to_the_end, resigning_at

MakeBot = Callable[..., PlayingBot]
BREAKS = ["cut", "reset", "half_line", "garbage"]
BEFORE_GAME_FULL, IN_MID_GAME = 0, 9


@pytest.fixture
def opponent(fake: FakeLichess) -> str:
    """One who resigns after 24 plies."""
    fake.add_account("Shorty", script=resigning_at(24))
    return "Shorty"


def on_game_stream(fault: Any, **fields: Any) -> FaultPlan:
    """This fault on the game's stream."""
    return FaultPlan(rules=(FaultRule(endpoint="game_stream", fault=fault, **fields),))


@pytest.mark.parametrize("skip", [BEFORE_GAME_FULL, IN_MID_GAME])
@pytest.mark.parametrize("fault", BREAKS)
def test_stream_breaks(fake: FakeLichess, make_bot: MakeBot, opponent: str, fault: str, skip: int) -> None:
    bot = make_bot(fake)
    fake.set_faults(on_game_stream(fault, skip=skip, times=2))
    report = play_to_the_end(bot, opponent)
    assert report.winner == "black"
    assert report.black_ms > 60_000
    assert len(fake.requests("game_stream", report.id)) >= 2  # it was opened again


@pytest.mark.slow
@pytest.mark.parametrize("skip", [BEFORE_GAME_FULL, IN_MID_GAME])
@pytest.mark.parametrize("fault", ["silence", "keepalives_only"])
def test_stream_falls_silent(make_fake: Any, make_bot: MakeBot, fault: str, skip: int) -> None:
    fake = make_fake(game_keepalive_s=0.5, event_keepalive_s=0.5)
    fake.add_account("Shorty", script=resigning_at(24))
    bot = make_bot(fake, stream_silence_s=2.0)
    fake.set_faults(on_game_stream(fault, skip=skip, times=1))
    report = play_to_the_end(bot, "Shorty")
    assert report.winner == "black"


@pytest.mark.parametrize("fault", ["duplicate", "reorder", "unknown_event"])
def test_stream_repeats_swaps_or_invents_lines(fake: FakeLichess, make_bot: MakeBot, opponent: str, fault: str) -> None:
    bot = make_bot(fake)
    fake.set_faults(on_game_stream(fault, chance=0.1))
    assert play_to_the_end(bot, opponent).winner == "black"


def test_stream_ends_cleanly_in_mid_game(fake: FakeLichess, make_bot: MakeBot, opponent: str) -> None:
    bot = make_bot(fake)
    game_id = fake.challenge(opponent, bot.name, clock=(120, 0), color="white")
    for plies in (4, 8, 12):
        fake.wait_for_moves(game_id, plies)
        fake.drop_streams()
    check_end(bot, fake.wait_for_end(game_id))


@pytest.mark.slow
@pytest.mark.parametrize(
    "fields",
    [
        {"fault": "status", "status": 502},
        {"fault": "status", "status": 500, "body": "json"},
        {"fault": "rate_limit", "limit": "html"},
        {"fault": "reset"},
        {"fault": "garbage"},
    ],
)
def test_stream_does_not_open(fake: FakeLichess, make_bot: MakeBot, opponent: str, fields: dict[str, Any]) -> None:
    bot = make_bot(fake)
    fake.set_faults(FaultPlan(rules=(FaultRule(endpoint="game_stream", at="open", times=1, **fields),)))
    assert play_to_the_end(bot, opponent).winner == "black"


def test_stream_answers_404_for_a_game_that_is_not_there(fake: FakeLichess, make_bot: MakeBot) -> None:
    fake.add_account("Quick", script=resigning_at(0))
    bot = make_bot(fake, reconcile_every_s=1.0)
    fake.set_faults(FaultPlan(rules=(FaultRule(endpoint="game_stream", at="open", fault="status", status=404),)))
    game_id = fake.challenge("Quick", bot.name, clock=(120, 0), color="white")
    fake.wait_for_end(game_id)
    bot.finished(game_id)
    assert bot.dispatcher.slots.free() == 8
