"""What all games share: the way to the server, the engines, the meter of lag, the settings. Built once, at the top."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import chess
import chess.engine

from bot.engine_pool import Answer, Requirement
from bot.events import GameEvent, GameInfo
from bot.play.actions import ChatLane
from bot.play.game import Game
from bot.play.lag import LagMeter
from bot.settings import Settings


class Ending(Enum):
    """Why a game loop ended."""

    OVER = "over"  # the server says so
    PARKED = "parked"  # correspondence, the opponent's move: left until there is something to do
    LEFT = "left"  # the bot goes; the game runs on


class GameStream(Protocol):
    """What the gateway's stream gives: events, and None for keep-alives; close() from any thread ends it."""

    def __iter__(self) -> Iterator[GameEvent | None]:
        """Until the clean end; raises StreamBroken."""

    def close(self) -> None:
        """End the iteration at once."""


class Server(Protocol):
    """The part of the gateway that a game needs; all methods raise LichessError alone."""

    def stream_game(self, game_id: str) -> GameStream:
        """Open the game's stream."""

    def ongoing_games(self) -> tuple[GameInfo, ...]:
        """All running games of the account."""

    def post_move(self, game_id: str, uci: str, offering_draw: bool = False, *, timeout_s: float = 10.0) -> object:
        """Play a move."""

    def abort(self, game_id: str) -> None:
        """Abort."""

    def resign(self, game_id: str) -> None:
        """Resign."""

    def draw(self, game_id: str, accept: bool) -> None:
        """Offer or accept (True), or decline (False)."""

    def takeback(self, game_id: str, accept: bool) -> None:
        """Accept or decline."""

    def claim_victory(self, game_id: str) -> None:
        """Claim the win over one who left."""

    def claim_draw(self, game_id: str) -> None:
        """Claim the draw against one who left."""


class SearchHandle(Protocol):
    """A search under way."""

    def abandon(self) -> None:
        """Its answer is not wanted any more; returns at once."""


class Engine(Protocol):
    """A lent engine process, replaced behind the scenes when it fails."""

    def play(
        self, board: chess.Board, limit: chess.engine.Limit, *, ponder: bool, on_done: Callable[[Answer], None]
    ) -> SearchHandle:
        """Think; returns at once, the answer comes on the pool's thread."""

    def give_back(self) -> None:
        """Return it to the pool."""


Source = Callable[[chess.Board], chess.Move | None]


def no_sources(_game: Game, _limit: chess.engine.Limit) -> Source | None:
    """The engine alone chooses the moves."""
    return None


@dataclass(frozen=True)
class GameContext:
    """`lend` may block and raises EngineError; `source_for` gives what is asked before the engine, None for nothing."""

    server: Server
    my_id: str
    my_name: str
    settings: Settings
    lend: Callable[[Requirement], Engine]
    lag: LagMeter
    chat: ChatLane
    source_for: Callable[[Game, chess.engine.Limit], Source | None] = no_sources

    def is_ongoing(self, game_id: str) -> bool:
        """Whether the server's list of running games holds it; raises LichessError."""
        return any(info.game_id == game_id for info in self.server.ongoing_games())

    @property
    def overhead_ms(self) -> float:
        """What a move costs beyond thinking: measured, and no less than the configured floor until that is settled."""
        measured = self.lag.overhead_ms
        floor = float(self.settings.clock.min_overhead_ms)
        if measured is None:
            return floor
        return measured if self.lag.settled else max(measured, floor)
