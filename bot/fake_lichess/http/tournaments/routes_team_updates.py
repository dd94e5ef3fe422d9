"""Updates of teams over HTTP: what leaders tell all members, and who has read it."""

from __future__ import annotations

import time
from collections.abc import Sequence

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError, FormError
from bot.fake_lichess.http.endpoint import AppState, Spec
from bot.fake_lichess.http.request import Request
from bot.fake_lichess.http.tournaments.paging import page_of
from bot.fake_lichess.tournaments.teams import Team, TeamUpdate
from bot.fake_lichess.wire.answer import Answer
from bot.fake_lichess.world.json_objects import Json, light_user

PAGE_SIZE = 6


def _light_team(team: Team) -> Json:
    return {"id": team.id, "name": team.name}


def _by_team(state: AppState, request: Request) -> list[Json]:
    """The asker's teams that have told something, the latest first."""
    found = [team for team in state.teams.of(request.me) if team.updates]
    found.sort(key=lambda team: -team.updates[-1].at_ms)
    return [
        {
            "team": _light_team(team),
            "last": team.updates[-1].at_ms,
            "unread": sum(request.me.id not in update.readers for update in team.updates),
        }
        for team in found
    ]


def _updates(state: AppState, request: Request, teams: Sequence[Team]) -> Json:
    told = [(update, team) for team in teams for update in reversed(team.updates)]
    told.sort(key=lambda one: -one[0].at_ms)
    by_team = _by_team(state, request)

    def shown(one: tuple[TeamUpdate, Team]) -> Json:
        update, team = one
        seen = request.me.id in update.readers
        update.readers.add(request.me.id)
        message = {"id": update.id, "date": update.at_ms, "sender": light_user(update.sender), "text": update.text}
        return {"msg": message | {"team": _light_team(team)}, "seen": seen}

    return {"updates": page_of(request, told, PAGE_SIZE, shown), "byTeam": by_team}


def get_updates(state: AppState, request: Request) -> Answer:
    """What the leaders of one's teams have told, the latest first; to read it is to have seen it."""
    return Answer(_updates(state, request, state.teams.of(request.me)))


def get_team_updates(state: AppState, request: Request) -> Answer:
    """What one of one's teams has told; raises ApiError 404 for another."""
    team = state.teams.find(request.params["team_id"])
    if not team.has(request.me):
        raise ApiError(404, errors.NOT_FOUND)
    return Answer({"team": _light_team(team), "subscribed": True} | _updates(state, request, [team]))


def post_to_all(state: AppState, request: Request) -> Answer:
    """Tell something to all members of a team that one leads."""
    team, text = state.teams.led_by(request.me, request.params["team_id"]), request.text("message", "").strip()
    if not text:
        raise FormError({"message": ["This field is required"]})
    update = TeamUpdate(state.world.new_id(), request.me, text, time.time_ns() // 1_000_000, {request.me.id})
    team.updates.append(update)
    return Answer()


TEAM_UPDATE_SPECS = [
    Spec("team_updates", "GET", "/team/updates", get_updates, ("team:read",)),
    Spec("team_updates_of", "GET", "/team/updates/{team_id}", get_team_updates, ("team:read",)),
    Spec("team_message", "POST", "/team/{team_id}/pm-all", post_to_all, ("team:lead",)),
]
