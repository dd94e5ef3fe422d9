"""A whole bot in this process, with tiny engines, against a fake server: what the incidents need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from bot.dispatcher import Dispatcher
from bot.engine_pool import EnginePool
from bot.errands import ChatLane
from bot.fake_lichess import FakeLichess
from bot.game_loop import GameLoop
from bot.house import House
from bot.lag import LagMeter
from bot.lichess import Gateway
from bot.settings import EngineEntry, Settings
from tests.helpers.engines import tiny_entry
from tests.helpers.processes import is_running, wait_until


class PlayingBot:
    """The bot of account `name`, playing until `close`; `over` holds the loops of ended games, in order."""

    def __init__(
        self,
        fake: FakeLichess,
        *,
        name: str = "bot88",
        engine: EngineEntry | None = None,
        reconcile_every_s: float = 60.0,
        stream_silence_s: float = 20.0,
        **settings: Any,
    ) -> None:
        self.fake = fake
        self.name = name
        self.over: list[GameLoop] = []
        entry = engine or tiny_entry(slots=8)
        self.settings = Settings.model_validate({"concurrency": 8, "engines": [entry]} | settings)
        self.gateway = Gateway(fake.url, fake.token(name), stream_silence_s=stream_silence_s)
        self.pool = EnginePool([entry])
        self.pool.start()
        self.chat = ChatLane(self.gateway.chat)
        self.house = House(self.gateway, name.lower(), name, self.settings, self.pool.lend, LagMeter(), self.chat)
        self.dispatcher = Dispatcher(
            self.gateway,
            self.house,
            on_game_over=self.over.append,
            reconcile_every_s=reconcile_every_s,
            first_pause_s=0.1,
        )

    def start(self) -> PlayingBot:
        """Go online; returns when the server sees us."""
        self.dispatcher.start()
        assert wait_until(lambda: self.fake.is_online(self.name)), "the bot did not come online"
        return self

    def close(self) -> None:
        """Leave everything; no engine may be left."""
        pids = self.engine_pids()
        self.dispatcher.close()
        self.chat.close()
        self.pool.close()
        self.gateway.close()
        assert wait_until(lambda: not any(map(is_running, pids))), f"engines left behind: {pids}"

    def engine_pids(self) -> list[int]:
        """All engine processes now."""
        return [pid for entry in self.pool.snapshot() for pid in entry.pids]

    def lent(self) -> int:
        """Engines in use by games."""
        return sum(entry.lent for entry in self.pool.snapshot())


@pytest.fixture
def make_bot() -> Iterator[Callable[..., PlayingBot]]:
    """Start bots; all are closed at the end, and none may leave an engine behind."""
    with ExitStack() as stack:

        def start(fake: FakeLichess, **options: Any) -> PlayingBot:
            bot = PlayingBot(fake, **options)
            stack.callback(bot.close)
            return bot.start()

        yield start
