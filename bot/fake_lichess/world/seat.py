"""One side of one game: what a player can do."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import chess

from ..config import FakeConfig
from . import offers
from .server_game import Game


class GameHost(Protocol):
    """The part of the world that a seat uses: settings, clock, and whether the server is up."""

    config: FakeConfig
    down: bool
    offer_rematch: Callable[[Game, chess.Color], object]

    def now_ms(self) -> float:
        """Return the clock of all games."""

    def rematches_before(self, game: Game) -> int:
        """Return how many games of a chain of rematches came before this one."""

    def background(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background."""


class Seat:
    """One side of one game. Its methods follow the same rules as over HTTP and raise ApiError."""

    def __init__(self, world: GameHost, game: Game, color: chess.Color) -> None:
        self.world = world
        self.game = game
        self.color = color

    @property
    def to_move(self) -> bool:
        """Whether the game is running and it is this side's turn."""
        return self.game.playable and self.game.board.turn == self.color

    def move(self, uci: str, *, offering_draw: bool | None = None) -> None:
        """Make a move. True offers a draw or accepts the opponent's offer, False withdraws an offer."""
        now_ms = self.world.now_ms()
        if offering_draw is False:
            self.game.players[self.color].offers_draw = False
        if offering_draw and self.to_move:
            offers.draw(self.game, self.color, True, now_ms)
            if not self.game.playable:
                return
        self.game.play(self.color, uci, now_ms)

    def draw(self, yes: bool) -> None:
        """Offer, accept or decline a draw."""
        offers.draw(self.game, self.color, yes, self.world.now_ms())

    def takeback(self, yes: bool) -> None:
        """Propose, accept or decline a takeback."""
        offers.takeback(self.game, self.color, yes, self.world.now_ms())

    def resign(self) -> None:
        """Resign, or abort a game that can be aborted."""
        self.game.resign(self.color, self.world.now_ms())

    def abort(self) -> None:
        """Abort."""
        self.game.abort(self.world.now_ms())

    def say(self, text: str, room: str = "player") -> None:
        """Write a chat line."""
        self.game.say(self.game.players[self.color].name, text, room, self.world.now_ms())

    def claim(self, *, win: bool) -> None:
        """Claim the win or a draw against an opponent who has left."""
        offers.claim(self.game, self.color, win, self.world.now_ms(), self.world.config.claim_after_s)

    def leave(self) -> None:
        """Leave, as if the stream had closed."""
        offers.leave(self.game, self.color, self.world.now_ms())

    def come_back(self) -> None:
        """Return to the game."""
        player = self.game.players[self.color]
        offers.arrive(self.game, self.color)
        player.connections -= 1

    def give_time(self, seconds: int) -> None:
        """Give the opponent time."""
        self.game.clock.add(not self.color, seconds * 1000)
        self.game.listener.state_changed(self.game)
