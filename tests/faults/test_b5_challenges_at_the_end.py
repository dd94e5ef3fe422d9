"""B5: challenges that we sent are cancelled when the bot ends."""

from __future__ import annotations

import signal

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.other_bots import DecliningBot
from tests.helpers.running_bot import Run


@pytest.mark.slow
def test_a_challenge_under_way_is_cancelled(fake: FakeLichess, run: Run) -> None:
    silent = DecliningBot(fake, "Silent", "")
    profile = {"limit_s": 60, "increment_s": 1}
    bot = run(matchmaking={"enabled": True, "idle_s": 0, "cancel_after_s": 600, "profiles": [profile]})
    fake.wait_for(lambda: silent.asked == 1, what="the challenge")
    (sent,) = fake.call(lambda: list(fake.lobby.challenges))
    bot.process.send_signal(signal.SIGTERM)
    assert bot.end() == 0
    assert fake.challenge_status(sent) == "canceled"
