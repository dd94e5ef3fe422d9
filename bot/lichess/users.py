"""Requests about other users."""

from __future__ import annotations

from urllib.parse import quote

from bot.lichess.api_client import ApiClient
from bot.lichess.rate_limits import Endpoint
from bot.lichess.values import (
    OnlineBot,
    UserProfile,
    UserStatus,
    parse_online_bot,
    parse_user_profile,
    parse_user_status,
)


class UserRequests(ApiClient):
    """The part of the gateway that asks about others; every method raises LichessError alone."""

    def users_status(self, *user_ids: str) -> tuple[UserStatus, ...]:
        """Return which of up to 100 users are online and which are playing."""
        answer = self._get("/api/users/status", Endpoint.OTHER, ids=",".join(user_ids))
        return tuple(parse_user_status(entry) for entry in answer) if isinstance(answer, list) else ()

    def online_bots(self, most: int = 200) -> tuple[OnlineBot, ...]:
        """Bots that are online now, up to 512."""
        lines = self._get_lines("/api/bot/online", Endpoint.OTHER, nb=most)
        return tuple(bot for bot in map(parse_online_bot, lines) if bot.id)

    def user_profile(self, user_id: str) -> UserProfile:
        """Return what is public about a user. Raises NotFound."""
        return parse_user_profile(self._get(f"/api/user/{quote(user_id, safe='')}", Endpoint.OTHER))
