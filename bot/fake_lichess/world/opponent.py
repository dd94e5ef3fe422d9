"""Players that the server plays itself: an `Opponent` belongs to an account, a `Driver` to one seat of one game."""

from __future__ import annotations

from typing import Protocol

from .accounts import Account
from .challenges import Challenge
from .chat_room import ChatLine
from .seat import Seat


class Driver(Protocol):
    """Plays one side of one game."""

    def wake(self) -> None:
        """Something has changed: look at the game and act. May come more than once for one state."""

    def on_chat(self, line: ChatLine) -> None:
        """React to a chat line of the opponent."""

    def close(self) -> None:
        """Release all resources: the game is over."""


class ChallengeHandler(Protocol):
    """Answers challenges. Both methods raise ApiError as the server refuses."""

    def accept(self, account: Account, challenge_id: str) -> object:
        """Accept a challenge to the account."""

    def decline(self, account: Account, challenge_id: str, reason: str) -> object:
        """Decline a challenge to the account."""


class Opponent(Protocol):
    """The behaviour of an account that the server plays."""

    def join(self, seat: Seat) -> Driver:
        """Play one side of a new game."""

    def on_challenge(self, handler: ChallengeHandler, challenge: Challenge) -> None:
        """Response a challenge."""


class OpponentFactory(Protocol):
    """Makes opponents; given to the world, which knows none of them by name."""

    def named(self, text: str) -> Opponent:
        """The opponent of a name in the configuration; raises ValueError for an unknown one."""

    def computer(self, level: int) -> Opponent:
        """The computer at a level from 1 to 8."""
