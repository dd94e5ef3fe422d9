"""Bots that others run: online on the fake, each with one way to answer a challenge."""

from __future__ import annotations

import threading

from bot.errors import LichessError
from bot.events.account import AccountEvent, ChallengeReceived
from bot.fake_lichess import FakeLichess
from bot.lichess.formats import EventStream
from bot.lichess.gateway import Gateway
from tests.helpers.ending import closed_at_end


class DecliningBot:
    """A bot that declines every challenge with a reason; "" leaves them unanswered."""

    def __init__(self, fake: FakeLichess, name: str, reason: str) -> None:
        self.gateway = closed_at_end(Gateway(fake.url, fake.add_account(name, title="BOT")))
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
