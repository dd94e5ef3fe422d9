"""Matchmaking over HTTP with bots that accept, decline and say nothing."""

from __future__ import annotations

import functools
import threading
from typing import Any

import pytest

from bot.account.challenges import match_sender, matchmaking
from bot.errors import LichessError
from bot.events.account import ChallengeReceived
from bot.fake_lichess import FakeLichess
from bot.lichess.gateway import Gateway
from bot.lichess.values import ChallengeTerms
from bot.service.service import Service
from bot.settings import Settings
from tests.helpers.ending import closed_at_end
from tests.helpers.engines import tiny_entry
from tests.helpers.other_bots import DecliningBot
from tests.helpers.processes import wait_until


@pytest.mark.slow
def test_bots_that_decline_and_one_that_accepts(fake: FakeLichess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_sender, "LOOK_EVERY_S", 0.05)
    monkeypatch.setattr(match_sender, "ANSWER_GRACE_S", 0.5)
    monkeypatch.setattr(match_sender, "FRUITLESS_PAUSES_S", (0.05, 0.1))
    others = [
        DecliningBot(fake, "TooFast", "tooFast"),
        DecliningBot(fake, "Silent", ""),
        DecliningBot(fake, "No", "noBot"),
    ]
    engine = tiny_entry(slots=2)
    partner = closed_at_end(
        Service(Settings.model_validate({"lichess": lichess(fake, "OtherBot"), "engines": [engine]}))
    )
    matchmaking = {
        "enabled": True,
        "idle_s": 0.0,
        "cancel_after_s": 5.0,
        "games_per_day": 2,
        "profiles": [{"limit_s": 60, "increment_s": 0, "color": "white"}],
    }
    content = {"lichess": lichess(fake, "bot88"), "engines": [engine], "matchmaking": matchmaking}
    service = closed_at_end(Service(Settings.model_validate(content)))
    partner.start()
    assert wait_until(lambda: fake.is_online("OtherBot"))
    service.start()
    for number in (1, 2):
        assert wait_until(functools.partial(has_begun, fake, number), 120.0)
        game = fake.games()[number - 1]
        assert {game.white, game.black} == {"bot88", "OtherBot"}
        fake.wait_for_end(game.id)  # the tiny engines repeat their moves until it is a draw
        service.store.clear_match_cool_downs("otherbot")  # as if its ten minutes had passed
    assert sum(not game.over for game in fake.games()) == 0
    assert len(fake.games()) == 2
    assert all(other.asked <= 1 for other in others)


class FloodingBot:
    """A bot that challenges us again and again, and is never taken."""

    def __init__(self, fake: FakeLichess) -> None:
        self.gateway = Gateway(fake.url, fake.add_account("Flood", title="BOT"))
        self.sent = 0
        self._thread = threading.Thread(target=self._send, daemon=True)
        self._ending = threading.Event()

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._ending.set()
        self._thread.join()
        self.gateway.close()

    def _send(self) -> None:
        while not self._ending.wait(0.02):
            try:
                self.gateway.create_challenge(ChallengeTerms("bot88", 60, 0), against_bot=True)
                self.sent += 1
            except LichessError:
                continue  # the server's limit of challenges


class VanishingBot(DecliningBot):
    """A bot that goes away as soon as it is challenged."""

    def _read(self) -> None:
        for event in self.stream:
            if isinstance(event, ChallengeReceived):
                self.asked += 1
                self.stream.close()
                return


TWO_PROFILES_IN_TURN: dict[str, Any] = {
    "enabled": True,
    "idle_s": 0.0,
    "games_per_day": 2,
    "concurrent": 2,
    "selection": "cyclic",
    "profiles": [
        {"limit_s": 60, "increment_s": 0, "prefer": "near"},
        {"limit_s": 180, "increment_s": 2, "mode": "rated", "min_rating": 1000, "max_rating_difference": 2000},
    ],
}


@pytest.mark.slow
def test_days_that_last_a_second(fake: FakeLichess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots accept, decline, flood and vanish; no day has more games than it may, also over several profiles in turn."""
    for name, value in (("DAY_S", 1.0), ("ASKED_AGAIN_S", 0.1), ("COOL_DOWNS_S", (0.2, 30.0))):
        monkeypatch.setattr(matchmaking, name, value)
    for name, seconds in (("LOOK_EVERY_S", 0.02), ("ANSWER_GRACE_S", 0.2), ("NOBODY_PAUSE_S", 0.1)):
        monkeypatch.setattr(match_sender, name, seconds)
    monkeypatch.setattr(match_sender, "FRUITLESS_PAUSES_S", (0.05, 0.1))
    engine = tiny_entry(slots=2)
    content = {"lichess": lichess(fake, "bot88"), "engines": [engine], "matchmaking": TWO_PROFILES_IN_TURN}
    settings = Settings.model_validate(content | {"challenges": {"opponents": ["human"]}})
    impatient = settings.matchmaking.model_copy(update={"cancel_after_s": 0.3})
    service = Service(settings.model_copy(update={"matchmaking": impatient}))
    partner = Service(Settings.model_validate({"lichess": lichess(fake, "OtherBot"), "engines": [engine]}))
    others = [DecliningBot(fake, "TooFast", "tooFast"), VanishingBot(fake, "Gone", "")]
    flood = FloodingBot(fake)
    try:
        partner.start()
        assert wait_until(lambda: fake.is_online("OtherBot"))
        service.start()
        flood.start()
        assert wait_until(lambda: len(fake.games()) >= 5 and both_profiles_played(fake), 200.0)
        assert wait_until(lambda: flood.sent and all(other.asked for other in others))
    finally:
        flood.close()
        service.close()
        partner.close()
    assert {player for game in fake.games() for player in (game.white, game.black)} == {"bot88", "OtherBot"}
    begun = fake.call(lambda: [game.created_at_ms / 1000 for game in fake.world.games.values()])
    assert all(sum(first <= at_s < first + 0.95 for at_s in begun) <= 2 for first in begun)


def both_profiles_played(fake: FakeLichess) -> bool:
    """Whether there were casual games and rated ones."""
    return {game.rated for game in fake.games()} == {True, False}


def has_begun(fake: FakeLichess, count: int) -> bool:
    """Whether so many games have begun."""
    return len(fake.games()) == count


def lichess(fake: FakeLichess, name: str) -> dict[str, str]:
    """How to reach the fake as somebody."""
    return {"url": fake.url, "token": fake.token(name)}
