"""Matchmaking over HTTP with bots that accept, decline and say nothing."""

from __future__ import annotations

import functools
import threading

import pytest

from bot.account.challenges import match_sender
from bot.app.service import Service
from bot.errors import LichessError
from bot.events import AccountEvent, ChallengeReceived
from bot.fake_lichess import FakeLichess
from bot.lichess import EventStream, Gateway
from bot.settings import Settings
from tests.helpers.engines import tiny_entry
from tests.helpers.processes import wait_until


class DecliningBot:
    """A bot that is online and declines every challenge with a reason, or says nothing."""

    def __init__(self, fake: FakeLichess, name: str, reason: str) -> None:
        self.gateway = Gateway(fake.url, fake.add_account(name, title="BOT"))
        self.reason = reason
        self.asked = 0
        self.stream: EventStream[AccountEvent] = self.gateway.stream_events()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for event in self.stream:
                if isinstance(event, ChallengeReceived):
                    self.asked += 1
                    if self.reason:
                        self.gateway.decline_challenge(event.challenge.id, self.reason)
        except LichessError:
            return  # the server went away at the end of the test


def test_bots_that_decline_and_one_that_accepts(fake: FakeLichess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_sender, "LOOK_EVERY_S", 0.05)
    monkeypatch.setattr(match_sender, "ANSWER_GRACE_S", 0.5)
    others = [
        DecliningBot(fake, "TooFast", "tooFast"),
        DecliningBot(fake, "Silent", ""),
        DecliningBot(fake, "No", "noBot"),
    ]
    engine = tiny_entry(slots=2)
    partner = Service(Settings.model_validate({"lichess": lichess(fake, "OtherBot"), "engines": [engine]}))
    matchmaking = {
        "enabled": True,
        "idle_s": 0.0,
        "cancel_after_s": 5.0,
        "games_per_day": 2,
        "profiles": [{"limit_s": 60, "increment_s": 0, "color": "white"}],
    }
    content = {"lichess": lichess(fake, "bot88"), "engines": [engine], "matchmaking": matchmaking}
    service = Service(Settings.model_validate(content))
    try:
        partner.start()
        assert wait_until(lambda: fake.is_online("OtherBot"))
        service.start()
        for number in (1, 2):
            assert wait_until(functools.partial(has_begun, service, number), 120.0)
            game = fake.games()[number - 1]
            assert {game.white, game.black} == {"bot88", "OtherBot"}
            fake.wait_for_end(game.id)  # the tiny engines repeat their moves until it is a draw
            service.store.clear_match_cool_downs("otherbot")  # as if its ten minutes had passed
        assert sum(not game.over for game in fake.games()) == 0
        assert len(fake.games()) == 2
        assert all(other.asked <= 1 for other in others)
    finally:
        service.close()
        partner.close()
        for other in others:
            other.gateway.close()


def has_begun(service: Service, count: int) -> bool:
    """Whether matchmaking has counted so many games."""
    return service.store.match_games_since(0.0) == count


def lichess(fake: FakeLichess, name: str) -> dict[str, str]:
    """How to reach the fake as somebody."""
    return {"url": fake.url, "token": fake.token(name)}
