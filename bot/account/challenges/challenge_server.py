"""The part of the gateway that challenges need; all methods raise LichessError alone."""

from __future__ import annotations

from typing import Protocol

from bot.lichess.values import UserProfile


class ProfileServer(Protocol):
    """The part of the gateway that tells who a challenger is."""

    def user_profile(self, user_id: str) -> UserProfile:
        """What is public about a user."""


class ChallengeServer(ProfileServer, Protocol):
    """The part of the gateway that answers challenges."""

    def accept_challenge(self, challenge_id: str, *, against_bot: bool) -> None:
        """Accept."""

    def decline_challenge(self, challenge_id: str, reason: str = "generic") -> None:
        """Decline with a reason."""
