"""Requests about arenas and teams."""

from __future__ import annotations

from urllib.parse import quote

from bot.events.reading import mapping
from bot.lichess.api_client import ApiClient
from bot.lichess.rate_limits import Endpoint
from bot.lichess.values import Arena, Team, parse_arena, parse_team


class TournamentRequests(ApiClient):
    """The part of the gateway that takes part in arenas; every method raises LichessError alone."""

    def arena(self, arena_id: str) -> Arena:
        """Return an arena as it stands. Raises NotFound."""
        return parse_arena(self._get(f"/api/tournament/{quote(arena_id, safe='')}", Endpoint.OTHER))

    def join_arena(self, arena_id: str, *, team: str = "", password: str = "", pair_now: bool = False) -> None:
        """Join an arena, or come back from a break; `pair_now`: also ask for a game, which holds for a minute.

        Raises Rejected with the server's reason.
        """
        form = {"team": team, "password": password, "pairMeAsap": "true" if pair_now else ""}
        path = f"/api/tournament/{quote(arena_id, safe='')}/join"
        self._post(path, Endpoint.OTHER, {name: value for name, value in form.items() if value})

    def withdraw_from_arena(self, arena_id: str) -> None:
        """Leave an arena that has not begun, or take a break from one that has."""
        self._post(f"/api/tournament/{quote(arena_id, safe='')}/withdraw", Endpoint.OTHER)

    def team(self, team_id: str) -> Team:
        """Return a team and whether we belong to it. Raises NotFound."""
        return parse_team(mapping(self._get(f"/api/team/{quote(team_id, safe='')}", Endpoint.OTHER)))

    def join_team(self, team_id: str, *, password: str = "", message: str = "") -> None:
        """Join a team, or ask to be admitted. Raises Rejected with the server's reason."""
        form = {"password": password, "message": message}
        path = f"/team/{quote(team_id, safe='')}/join"
        self._post(path, Endpoint.OTHER, {name: value for name, value in form.items() if value})
