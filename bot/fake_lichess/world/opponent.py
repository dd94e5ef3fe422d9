"""Players that the server plays itself: an `Opponent` belongs to an account, a `Driver` to one seat of one game."""

from __future__ import annotations

from typing import Protocol

from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.challenges import Challenge
from bot.fake_lichess.world.chat_room import ChatLine
from bot.fake_lichess.world.seat import Seat


class Driver(Protocol):
    """Plays one seat."""

    def wake(self) -> None:
        """Something has changed: look at the game and act. May come more than once for one state."""

    def heard(self, line: ChatLine) -> None:
        """The opponent has said something."""

    def leave(self) -> None:
        """The game is over: let everything go."""


class ChallengeDesk(Protocol):
    """Where challenges are answered. Both raise ApiError as the server refuses."""

    def accept(self, account: Account, challenge_id: str) -> object:
        """Accept a challenge to the account."""

    def decline(self, account: Account, challenge_id: str, reason: str) -> object:
        """Decline a challenge to the account."""


class Opponent(Protocol):
    """The behaviour of an account that the server plays."""

    def sit(self, seat: Seat) -> Driver:
        """Take a seat in a new game."""

    def challenged(self, desk: ChallengeDesk, challenge: Challenge) -> None:
        """Answer a challenge."""


class OpponentFactory(Protocol):
    """Makes opponents; given to the world, which knows none of them by name."""

    def named(self, text: str) -> Opponent:
        """The opponent of a name in the configuration; raises ValueError for an unknown one."""

    def computer(self, level: int) -> Opponent:
        """The computer at a level from 1 to 8."""
