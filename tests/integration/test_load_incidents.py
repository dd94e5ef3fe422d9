"""Many games at once, and bad days."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.playing import PROPER, PlayingBot, check_end, resigning_at

MakeBot = Callable[..., PlayingBot]
NAMES = tuple(f"Shorty{number}" for number in range(8))


def invite(fake: FakeLichess, bot: PlayingBot, plies: int) -> list[str]:
    """Eight opponents, eight challenges."""
    for name in NAMES:
        fake.add_account(name, script=resigning_at(plies))
    return [fake.challenge(name, bot.name, clock=(180, 0), color="white") for name in NAMES]


def test_eight_games_at_once(fake: FakeLichess, make_bot: MakeBot) -> None:
    bot = make_bot(fake)
    games = invite(fake, bot, 40)
    for game_id in games:
        report = fake.wait_for_end(game_id)
        check_end(bot, report)
        assert report.winner == "black"
        assert report.black_ms > 120_000


@pytest.mark.slow
def test_eight_challenges_and_two_slots(fake: FakeLichess, make_bot: MakeBot) -> None:
    bot = make_bot(fake, concurrency=2)
    games = invite(fake, bot, 12)
    most = 0
    for game_id in games:
        assert took(fake, game_id)
        most = max(most, sum(not game.over for game in fake.games()))
        fake.wait_for_end(game_id)
    assert most <= 2


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["flaky", "storm"])
def test_bad_days(make_fake: Any, make_bot: MakeBot, profile: str) -> None:
    fake = make_fake(game_keepalive_s=1.0, event_keepalive_s=1.0)
    bot = make_bot(fake, stream_silence_s=4.0, reconcile_every_s=2.0)
    fake.set_faults(profile, seed=88)
    games = invite(fake, bot, 30)
    played = [fake.wait_for_end(game_id, 120) for game_id in games if took(fake, game_id)]
    assert len(played) >= 6  # an acceptance may be lost for good
    fake.set_faults("calm")
    for report in played:
        assert report.status in PROPER, f"{report.id}: {report.status} after {len(report.moves)} plies"
        bot.finished(report.id)


def took(fake: FakeLichess, game_id: str) -> bool:
    """Wait for the answer to a challenge; a storm may keep the event stream shut for a minute, then two."""
    fake.wait_for(lambda: fake.challenge_status(game_id) != "created", 300, "an answer to the challenge")
    return fake.challenge_status(game_id) == "accepted"
