"""B6: accepted games count toward the games with bots of a day."""

from __future__ import annotations

import time

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.other_bots import DecliningBot
from tests.helpers.running_bot import Run

SECONDS_BETWEEN_LOOKS = 5.0


@pytest.mark.xfail(reason="B6")
def test_a_game_that_another_bot_asked_for_counts(fake: FakeLichess, run: Run) -> None:
    silent = DecliningBot(fake, "Silent", "")
    profile = {"limit_s": 60, "increment_s": 1}
    run(matchmaking={"enabled": True, "idle_s": 6, "games_per_day": 1, "profiles": [profile]})
    game_id = fake.challenge("OtherBot", "bot88", clock=(600, 0), color="black")
    fake.wait_for_moves(game_id, 1)
    fake.player("OtherBot", game_id).resign()
    time.sleep(3 * SECONDS_BETWEEN_LOOKS)
    assert silent.asked == 0
    silent.gateway.close()
