"""A whole bot in this process, with tiny engines, against a fake server: what the incidents need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from bot.account.challenges.challenge_rules import ChallengeJudge, Profiles
from bot.account.challenges.user_lists import UserLists
from bot.account.dispatcher import Dispatcher, slots_of
from bot.account.slots import Slots
from bot.backoff import Backoff
from bot.engine_pool.pool import FALLBACK, EnginePool
from bot.fake_lichess import FakeLichess, GameReport
from bot.fake_lichess.opponents.script import Act, Script
from bot.lichess.gateway import Gateway
from bot.move_sources import MoveSources
from bot.play.chat.chat_queue import ChatQueue
from bot.play.game_context import GameContext
from bot.play.observer import EndedGame, Observers
from bot.play.outbox import LagMeter
from bot.settings import EngineEntry, Settings
from tests.helpers.engines import tiny_entry
from tests.helpers.observing import GameNotes
from tests.helpers.processes import is_running, wait_until


class PlayingBot:
    """The bot of account `name`, playing until `close`; `over` holds the ended games, in order.

    `pool`: engines that it shares with others, who close them.
    """

    def __init__(
        self,
        fake: FakeLichess,
        *,
        name: str = "bot88",
        url: str = "",
        engine: EngineEntry | None = None,
        fallback: EngineEntry | None = FALLBACK,
        pool: EnginePool | None = None,
        reconcile_every_s: float = 60.0,
        stream_silence_s: float = 20.0,
        **settings: Any,
    ) -> None:
        self.fake = fake
        self.name = name
        self.notes = GameNotes()
        entry = engine or tiny_entry(slots=8)
        self.settings = Settings.model_validate({"concurrency": 8, "engines": [entry]} | settings)
        self.gateway = Gateway(url or fake.url, fake.token(name), stream_silence_s=stream_silence_s)
        self._shares_pool = pool is not None
        self.pool = pool or EnginePool([entry], fallback)
        if pool is None:
            self.pool.start()
        self.chat = ChatQueue(self.gateway, read_every_s=0.1)
        self.sources = MoveSources(self.settings.move_sources, self.gateway.fetch_json)
        self.lists = UserLists(self.settings, self.gateway.fetch_text)
        self.context = self._build_context()
        self.dispatcher = Dispatcher(
            self.gateway,
            self.context,
            reconcile_every_s=reconcile_every_s,
            judge=ChallengeJudge(
                self.settings,
                Slots(slots_of(self.settings)),
                Profiles(self.gateway),
                listed=self.lists.contains,
            ),
        )
        self.dispatcher.reader._backoff = Backoff(0.1)

    def _build_context(self) -> GameContext:
        return GameContext(
            self.gateway,
            self.name.lower(),
            self.name,
            self.settings,
            self.pool.lend,
            LagMeter(),
            self.chat,
            source_for=self.sources.source_for,
            observers=Observers(self.notes),
        )

    def start(self) -> PlayingBot:
        """Go online; returns when the server sees us."""
        self.lists.start()
        self.dispatcher.start()
        assert wait_until(lambda: self.fake.is_online(self.name)), "the bot is not online"
        return self

    def close(self) -> None:
        """Leave everything; no engine may be left."""
        pids = [] if self._shares_pool else self.engine_pids()
        self.lists.close()
        self.dispatcher.close()
        self.chat.close()
        if not self._shares_pool:
            self.pool.close()
        self.gateway.close()
        self.sources.close()
        assert wait_until(lambda: not any(map(is_running, pids))), f"engines left behind: {pids}"

    @property
    def over(self) -> list[EndedGame]:
        """Return the games that have ended."""
        return self.notes.over

    def finished(self, game_id: str) -> EndedGame:
        """Return a game that has ended, once all that belonged to it is given back."""
        assert wait_until(lambda: game_id in self.notes.over_ids), f"{game_id} did not end for the bot"
        assert wait_until(lambda: game_id not in [record.game_id for record in self.dispatcher.slots.records()])
        return next(one for one in self.over if one.game_id == game_id)

    def engine_pids(self) -> list[int]:
        """All engine processes now."""
        return [pid for entry in self.pool.snapshot() for pid in entry.pids]

    def lent(self) -> int:
        """Engines in use by games."""
        return sum(entry.leased for entry in self.pool.snapshot())


@pytest.fixture
def make_bot() -> Iterator[Callable[..., PlayingBot]]:
    """Start bots; all are closed at the end, and none may leave an engine behind."""
    with ExitStack() as stack:

        def start(fake: FakeLichess, **options: Any) -> PlayingBot:
            bot = PlayingBot(fake, **options)
            stack.callback(bot.close)
            return bot.start()

        yield start


#: How a game ends by the rules. The last is a draw that the bot claims against a king that can never win.
BY_THE_RULES = frozenset({"mate", "stalemate", "draw", "insufficientMaterialClaim"})
#: Where a game may stop without anybody having lost on time or having been left alone.
PROPER = BY_THE_RULES | {"resign"}


def resigning_at(ply: int) -> Script:
    """An opponent that moves at random, never mates and resigns after so many plies: a short game with a proper end."""
    return Script(then="endless", acts=(Act(ply=ply, do="resign"),))


def play_to_the_end(
    bot: PlayingBot, opponent: str, *, clock: tuple[float, float] = (120, 0), color: str = "white", **terms: Any
) -> GameReport:
    """One game against an opponent that the server plays: it must end properly and leave nothing behind.

    `color` is the opponent's.
    """
    game_id = bot.fake.challenge(opponent, bot.name, clock=clock, color=color, **terms)
    report = bot.fake.wait_for_end(game_id)
    check_end(bot, report)
    return report


def check_end(bot: PlayingBot, report: GameReport) -> None:
    """The end was proper, no move was illegal, and slot and engine are free again."""
    assert report.status in PROPER, f"{report.id}: {report.status} after {len(report.moves)} plies"
    bot.finished(report.id)
    refusals = [one for one in bot.fake.requests(game_id=report.id) if one.endpoint == "move" and one.status == 400]
    repeated = len(bot.fake.requests("move", report.id)) - len(report.moves) // 2
    assert len(refusals) <= max(0, repeated), f"refused moves: {refusals}"
    assert wait_until(lambda: bot.lent() == len(bot.dispatcher.registry.loops()))
