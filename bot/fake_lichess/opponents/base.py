"""What an opponent is: an `Opponent` belongs to an account, a `Driver` plays one seat of one game."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import chess

from bot.fake_lichess import offers
from bot.fake_lichess.chat_room import ChatLine
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.game import Game

if TYPE_CHECKING:
    from bot.fake_lichess.challenges import Challenge
    from bot.fake_lichess.config import FakeConfig
    from bot.fake_lichess.lobby import Lobby
    from bot.fake_lichess.world import World

Picker = Callable[[chess.Board, random.Random], chess.Move]


class Seat:
    """One side of one game: every act of a player, under the same rules as over HTTP. Acts raise ApiError."""

    def __init__(self, world: World, game: Game, color: chess.Color) -> None:
        self.world = world
        self.game = game
        self.color = color

    @property
    def to_move(self) -> bool:
        """The game goes on and it is this side's turn."""
        return self.game.playable and self.game.board.turn == self.color

    def move(self, uci: str, *, offering_draw: bool | None = None) -> None:
        """Make a move: True offers a draw with it or takes the opponent's offer, False withdraws one's own."""
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
        """Resign, or abort a game that has hardly begun."""
        self.game.resign(self.color, self.world.now_ms())

    def abort(self) -> None:
        """Abort."""
        self.game.abort(self.world.now_ms())

    def say(self, text: str, room: str = "player") -> None:
        """Chat."""
        self.game.say(self.game.players[self.color].name, text, room, self.world.now_ms())

    def claim(self, *, win: bool) -> None:
        """Claim the win or a draw against an opponent who has left."""
        patience = self.world.config.claim_after_s * 1000
        offers.claim(self.game, self.color, win, self.world.now_ms(), patience)

    def leave(self) -> None:
        """Be gone, as a closed stream makes a player gone."""
        offers.leave(self.game, self.color, self.world.now_ms())

    def come_back(self) -> None:
        """Be here again."""
        player = self.game.players[self.color]
        offers.arrive(self.game, self.color)
        player.connections -= 1

    def give_time(self, seconds: int) -> None:
        """Give the opponent time."""
        self.game.clock.add(not self.color, seconds * 1000)
        self.game.listener.state_changed(self.game)


class Driver(Protocol):
    """Plays one seat."""

    def wake(self) -> None:
        """Something has changed: look at the game and act. May come more than once for one state."""

    def heard(self, line: ChatLine) -> None:
        """The opponent has said something."""

    def leave(self) -> None:
        """The game is over: let everything go."""


class Opponent(Protocol):
    """The behaviour of an account that the server plays."""

    def sit(self, seat: Seat) -> Driver:
        """Take a seat in a new game."""

    def challenged(self, lobby: Lobby, challenge: Challenge) -> None:
        """Answer a challenge."""


class Accepting:
    """Takes every challenge that still stands and that it may take."""

    def challenged(self, lobby: Lobby, challenge: Challenge) -> None:
        """Accept; decline what the server does not let it accept."""
        if not challenge.pending or challenge.dest is None:
            return
        try:
            lobby.accept(challenge.dest, challenge.id)
        except ApiError:
            lobby.decline(challenge.dest, challenge.id, "later")


class MoverDriver:
    """Moves after a fixed delay, accepts takebacks, declines draws unless it is lost."""

    def __init__(self, seat: Seat, pick: Picker, delay_s: float) -> None:
        self.seat = seat
        self.pick = pick
        self.delay_s = delay_s
        self._timer: asyncio.TimerHandle | None = None

    def wake(self) -> None:
        """Answer offers; plan a move when it is the turn."""
        opponent = self.seat.game.players[not self.seat.color]
        if self.seat.game.playable and opponent.offers_takeback:
            self.seat.takeback(True)
        elif self.seat.to_move and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.delay_s, self._move)

    def _move(self) -> None:
        self._timer = None
        if self.seat.to_move and not self.seat.world.down:
            move = self.pick(self.seat.game.board, self.seat.world.rng)
            self._post(self.seat.game.board.uci(move))
        elif self.seat.to_move:
            self._timer = asyncio.get_running_loop().call_later(0.05, self._move)

    def _post(self, uci: str) -> None:
        try:
            self.seat.move(uci)
        except ApiError:
            if self.seat.game.playable:  # only a flag that has just fallen may refuse it
                raise

    def heard(self, line: ChatLine) -> None:
        """Say nothing."""

    def leave(self) -> None:
        """Stop the planned move."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Mover(Accepting):
    """An opponent that picks each move by a function of the position."""

    def __init__(self, pick: Picker, delay_s: float) -> None:
        self.pick = pick
        self.delay_s = delay_s

    def sit(self, seat: Seat) -> Driver:
        """Take a seat."""
        return MoverDriver(seat, self.pick, self.delay_s)


def make_opponent(text: str, config: FakeConfig) -> Opponent:
    """The opponent of a name: random, greedy, scripted:FILE, engine[LEVEL]:COMMAND. Raises ValueError for others."""
    from bot.fake_lichess.opponents.catalogue import opponent_named

    return opponent_named(text, config)


def ai_driver(seat: Seat, level: int) -> Driver:
    """Who plays the computer at a level."""
    from bot.fake_lichess.opponents.catalogue import computer

    return computer(seat.world.config, level).sit(seat)
