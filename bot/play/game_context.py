"""What all games share: the server, the engines, the lag meter, the settings. Built once, at the composition root."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

import chess
import chess.engine

from bot.backoff import Pacer
from bot.engine_pool.engine_lease import EngineLease
from bot.engine_pool.values import Requirement
from bot.lichess.server import Server
from bot.move_sources import Choice
from bot.play.chat.chat_queue import ChatQueue
from bot.play.chat.commands import NO_ACCOUNT_FACTS, AccountFacts, Scores
from bot.play.game import Game
from bot.play.levels import LevelMemory
from bot.play.observer import Observers
from bot.play.outbox import LagMeter
from bot.settings import Settings

STREAMS_PER_S, STREAM_BURST = 4.0, 8  # reopenings of game streams that ended early, over all games


class EndReason(Enum):
    """Why a game loop ended."""

    OVER = "over"  # reported by the server
    PARKED = "parked"  # correspondence, the opponent's move: left until there is something to do
    LEFT = "left"  # the bot stops; the game runs on


Source = Callable[[chess.Board], Choice | None]


#: Asks the server for its export of a game on another thread: `look_up(game_id, on_answer, is_wanted=...)`.
LookUp = Callable[..., None]


@dataclass(frozen=True)
class GameContext:
    """`lend` may block and raises EngineError; `source_for` gives what is asked before the engine, None for nothing.

    `account` gives chat the facts about the account; `levels` holds the levels that opponents have asked for.
    """

    server: Server
    my_id: str
    my_name: str
    settings: Settings
    lend: Callable[[Requirement], EngineLease]
    lag: LagMeter
    chat: ChatQueue
    source_for: Callable[[Game, chess.engine.Limit], Source | None] = lambda _game, _limit: None
    server_url: str = "https://lichess.org"
    account: AccountFacts = NO_ACCOUNT_FACTS
    levels: LevelMemory = field(default_factory=LevelMemory)
    look_up: LookUp = lambda *_question, **_when: None
    observers: Observers = field(default_factory=Observers)
    review: Callable[[Game, Scores, Callable[[str], object]], object] = lambda _game, _scores, _say: None
    stream_pacer: Pacer = field(default_factory=lambda: Pacer(STREAMS_PER_S, STREAM_BURST))

    @property
    def overhead_ms(self) -> float:
        """What a move costs beyond thinking: measured, and no less than the configured floor until that is settled."""
        measured = self.lag.overhead_ms
        floor = float(self.settings.clock.min_overhead_ms)
        if measured is None:
            return floor
        return measured if self.lag.settled else max(measured, floor)
