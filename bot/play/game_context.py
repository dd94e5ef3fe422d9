"""What all games share: the server, the engines, the lag meter, the settings. Built once, at the composition root."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

import chess
import chess.engine

from bot.backoff import Pacer
from bot.engine_pool import Answer, Requirement
from bot.events import GameExport
from bot.lichess.server import Server
from bot.move_sources import Choice
from bot.play.actions import ChatQueue
from bot.play.chat.facts import NO_ACCOUNT_FACTS, AccountFacts
from bot.play.game import Game
from bot.play.lag import LagMeter
from bot.play.levels import LevelMemory
from bot.play.observer import Observers
from bot.settings import Settings

STREAMS_PER_S, STREAM_BURST = 4.0, 8  # reopenings of game streams that ended early, over all games


class EndReason(Enum):
    """Why a game loop ended."""

    OVER = "over"  # reported by the server
    PARKED = "parked"  # correspondence, the opponent's move: left until there is something to do
    LEFT = "left"  # the bot stops; the game runs on


class SearchHandle(Protocol):
    """A search under way."""

    def abandon(self) -> None:
        """Drop the answer and end the search; returns at once."""


class Engine(Protocol):
    """An engine lent to one game; the process behind it is replaced when it fails."""

    @property
    def name(self) -> str:
        """What the engine calls itself (UCI `id name`); empty until a process serves the game."""

    @property
    def elo(self) -> int | None:
        """The strength that it is limited to; None for all it has, and until a process serves the game."""

    def play(
        self, board: chess.Board, limit: chess.engine.Limit, *, ponder: bool, on_done: Callable[[Answer], None]
    ) -> SearchHandle:
        """Search for a move; returns at once, the answer comes on the pool's thread."""

    def give_back(self) -> None:
        """Return it to the pool."""


Source = Callable[[chess.Board], Choice | None]


def no_sources(_game: Game, _limit: chess.engine.Limit) -> Source | None:
    """The engine alone chooses the moves."""
    return None


class LookUp(Protocol):
    """Asks the server for its export of a game, on another thread."""

    def __call__(
        self, game_id: str, on_answer: Callable[[GameExport], None], /, *, is_wanted: Callable[[], bool]
    ) -> None:
        """Call `on_answer(export)` later, unless the answer is not wanted any more; return at once."""


def no_look_up(_game_id: str, _on_answer: Callable[[GameExport], None], /, *, is_wanted: Callable[[], bool]) -> None:
    """Ask nothing."""


@dataclass(frozen=True)
class GameContext:
    """`lend` may block and raises EngineError; `source_for` gives what is asked before the engine, None for nothing.

    `account` gives chat the facts about the account; `levels` holds the levels that opponents have asked for.
    """

    server: Server
    my_id: str
    my_name: str
    settings: Settings
    lend: Callable[[Requirement], Engine]
    lag: LagMeter
    chat: ChatQueue
    source_for: Callable[[Game, chess.engine.Limit], Source | None] = no_sources
    server_url: str = "https://lichess.org"
    account: AccountFacts = NO_ACCOUNT_FACTS
    levels: LevelMemory = field(default_factory=LevelMemory)
    look_up: LookUp = no_look_up
    observers: Observers = field(default_factory=Observers)
    stream_pacer: Pacer = field(default_factory=lambda: Pacer(STREAMS_PER_S, STREAM_BURST))

    @property
    def overhead_ms(self) -> float:
        """What a move costs beyond thinking: measured, and no less than the configured floor until that is settled."""
        measured = self.lag.overhead_ms
        floor = float(self.settings.clock.min_overhead_ms)
        if measured is None:
            return floor
        return measured if self.lag.settled else max(measured, floor)
