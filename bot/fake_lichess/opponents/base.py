"""What the built-in opponents share: taking challenges, and moving by a function of the position."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import chess

from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.world.challenges import Challenge
from bot.fake_lichess.world.chat_room import ChatLine
from bot.fake_lichess.world.opponent import ChallengeDesk, Driver
from bot.fake_lichess.world.seat import Seat

Picker = Callable[[chess.Board, random.Random], chess.Move]


class Accepting:
    """Takes every challenge that still stands and that it may take."""

    def challenged(self, desk: ChallengeDesk, challenge: Challenge) -> None:
        """Accept; decline what the server does not let it accept."""
        if not challenge.pending or challenge.dest is None:
            return
        try:
            desk.accept(challenge.dest, challenge.id)
        except ApiError:
            desk.decline(challenge.dest, challenge.id, "later")


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
