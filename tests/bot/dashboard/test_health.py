"""Each fault alone turns the bot unwell, and each is named."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from bot.dashboard.health import STALE_AFTER_S, HealthFacts, assess

WELL = HealthFacts(
    started=True, connected=True, stream_age_s=6.0, token_rejected=False, token_used_twice=False, engine_processes=1
)


def test_a_bot_without_fault_is_well_and_ready() -> None:
    assert assess(WELL).well
    assert assess(WELL).ready


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ({"started": False}, "it is starting"),
        ({"stream_age_s": None}, "the event stream has not been opened yet"),
        ({"stream_age_s": STALE_AFTER_S + 0.1}, "the event stream is silent"),
        ({"token_rejected": True}, "Lichess rejects the token"),
        ({"token_used_twice": True}, "another program uses the same token"),
        ({"engine_processes": 0}, "no engine answers"),
    ],
)
def test_each_fault_is_named(fault: dict[str, Any], reason: str) -> None:
    health = assess(dataclasses.replace(WELL, **fault))
    assert health.reasons == (reason,)
    assert not health.ready


@pytest.mark.parametrize("fault", [{"connected": False}, {"ending": True}])
def test_a_short_gap_or_the_end_is_no_illness_but_takes_no_new_games(fault: dict[str, Any]) -> None:
    health = assess(dataclasses.replace(WELL, **fault))
    assert health.well
    assert not health.ready


def test_red_comes_within_thirty_seconds_of_a_cut() -> None:
    assert STALE_AFTER_S < 30
