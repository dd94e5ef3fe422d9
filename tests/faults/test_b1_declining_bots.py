"""B1: matchmaking pauses after a challenge that came to nothing."""

from __future__ import annotations

import time

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.other_bots import DecliningBot
from tests.helpers.processes import wait_until
from tests.helpers.running_bot import Run

SECONDS_BETWEEN_LOOKS = 5.0


@pytest.mark.slow
def test_the_next_bot_is_not_asked_right_after_a_decline(fake: FakeLichess, run: Run) -> None:
    others = [DecliningBot(fake, f"Decliner{number}", "generic") for number in range(4)]
    run(matchmaking={"enabled": True, "idle_s": 0, "profiles": [{"limit_s": 60, "increment_s": 1}]})
    assert wait_until(lambda: sum(other.asked for other in others) == 1)
    time.sleep(2 * SECONDS_BETWEEN_LOOKS + 1.0)
    assert sum(other.asked for other in others) == 1
