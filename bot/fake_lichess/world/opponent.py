"""Players that the server plays: an `Opponent` per account, a `Driver` per side of a game."""

from __future__ import annotations

from typing import Protocol

from .accounts import Account
from .challenges import Challenge
from .seat import Seat


class Driver(Protocol):
    """Plays one side of one game."""

    def wake(self) -> None:
        """Act on the changed game. May be called more than once for one state."""

    def close(self) -> None:
        """Release all resources: the game is over."""


class ChallengeHandler(Protocol):
    """Answers challenges. Both methods raise ApiError if the server refuses."""

    def accept(self, account: Account, challenge_id: str) -> object:
        """Accept a challenge to the account."""

    def decline(self, account: Account, challenge_id: str, reason: str) -> object:
        """Decline a challenge to the account."""


class Opponent(Protocol):
    """The behaviour of an account that the server plays."""

    def join(self, seat: Seat) -> Driver:
        """Play one side of a new game."""

    def on_challenge(self, handler: ChallengeHandler, challenge: Challenge) -> None:
        """Answer a challenge."""


class OpponentFactory(Protocol):
    """Makes opponents by name."""

    def named(self, text: str) -> Opponent:
        """Return the opponent of a name in the configuration; raises ValueError for an unknown one."""

    def computer(self, level: int) -> Opponent:
        """Return the computer at a level from 1 to 8."""
