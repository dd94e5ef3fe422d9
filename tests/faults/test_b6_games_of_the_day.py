"""B6: all games with bots count for the day, and the server's answers about them are understood."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from bot.errors import LichessError, OpponentLimited, RateLimited
from bot.fake_lichess import FakeLichess
from bot.lichess.gateway import Gateway
from bot.lichess.values import ChallengeTerms
from tests.helpers.ending import closed_at_end
from tests.helpers.other_bots import DecliningBot
from tests.helpers.running_bot import Run

SECONDS_BETWEEN_LOOKS = 5.0


@pytest.mark.slow
def test_a_game_that_another_bot_asked_for_counts(fake: FakeLichess, run: Run) -> None:
    silent = DecliningBot(fake, "Silent", "")
    profile = {"limit_s": 60, "increment_s": 1}
    run(matchmaking={"enabled": True, "idle_s": 6, "games_per_day": 1, "profiles": [profile]})
    game_id = fake.challenge("OtherBot", "bot88", clock=(600, 0), color="black")
    fake.wait_for_moves(game_id, 1)
    fake.player("OtherBot", game_id).resign()
    time.sleep(3 * SECONDS_BETWEEN_LOOKS)
    assert silent.asked == 0


@pytest.mark.parametrize(
    ("limited", "expected"), [("OtherBot", OpponentLimited), ("bot88", RateLimited)], ids=["opponent", "we"]
)
def test_the_server_names_who_is_at_the_limit_and_for_how_long(
    make_fake: Callable[..., FakeLichess], limited: str, expected: type[LichessError]
) -> None:
    fake = make_fake(bot_games_per_day=1, rate_limits=True)
    fake.add_account("Third", title="BOT")
    fake.start_game(limited, "Third", clock=(600, 0))
    gateway = closed_at_end(Gateway(fake.url, fake.token("bot88")))
    with pytest.raises(expected) as caught:
        gateway.create_challenge(ChallengeTerms("OtherBot"), against_bot=True)
    assert isinstance(caught.value, OpponentLimited | RateLimited)
    assert 80_000 < caught.value.retry_after_s <= 86_400
