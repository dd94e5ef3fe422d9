"""Teams over HTTP: search, join, leave, lead, and messages to all members."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from .. import errors
from ..errors import ApiError, check_field
from ..tournaments.arena import STATUS_NAMES
from ..tournaments.arena_json import listed_arena
from ..tournaments.arenas import now_ms
from ..tournaments.teams import Team, TeamRequest, TeamUpdate
from ..wire.responses import Response, lines_response
from ..world.accounts import Account
from ..world.json_objects import Json, light_user
from .endpoint import AppState, Spec
from .export import flag, number
from .request import Request
from .routes_account import user_json

T = TypeVar("T")
PAGE_SIZE, MAX_LISTED = 15, 100
MESSAGE_LENGTHS = range(30, 2001)
_READ, _WRITE, _LEAD = ("team:read",), ("team:write",), ("team:lead",)
_ROOT = "/api/team/{team_id}"
UPDATES_PAGE_SIZE = 6


def page_of(request: Request, found: Sequence[T], size: int, shown: Callable[[T], Json]) -> Json:
    """Return the page that the query asks for, the first one without."""
    page, pages = max(1, number(request, "page", 1)), -(-len(found) // size)
    return {
        "currentPage": page,
        "maxPerPage": size,
        "currentPageResults": [shown(one) for one in found[(page - 1) * size : page * size]],
        "nbResults": len(found),
        "previousPage": page - 1 if page > 1 else None,
        "nextPage": page + 1 if page < pages else None,
        "nbPages": pages,
    }


def team_json(team: Team) -> Json:
    """Return a team as lists show it."""
    leader = light_user(team.leader)
    return {
        "id": team.id,
        "name": team.name,
        "description": "",
        "open": team.open,
        "leader": leader,
        "leaders": [leader],
        "nbMembers": len(team.members),
    }


def get_all(state: AppState, request: Request) -> Response:
    """Return all teams, the largest first."""
    return Response(page_of(request, state.teams.by_size(), PAGE_SIZE, team_json))


def get_search(state: AppState, request: Request) -> Response:
    """Return the teams whose names have a text."""
    found = state.teams.by_size(request.query.get("text", "").strip())
    return Response(page_of(request, found, PAGE_SIZE, team_json))


def get_team(state: AppState, request: Request) -> Response:
    """Return one team, and whether the account belongs to it."""
    team = state.teams.find(request.params["team_id"])
    joined = team.has(request.account)
    requested = not joined and team.asked_by(request.account)
    return Response(team_json(team) | {"joined": joined, "requested": requested})


def get_teams_of(state: AppState, request: Request) -> Response:
    """Return the teams of a user."""
    account = state.world.account(request.params["username"])
    return Response([team_json(team) for team in state.teams.of(account)])


def get_members(state: AppState, request: Request) -> Response:
    """Return the members of a team, the newest first; `full` shows them as in lists of users."""
    team, full = state.teams.find(request.params["team_id"]), flag(request, "full", False)
    members = [(state.world.account(name), joined) for name, joined in reversed(team.members.items())]
    shown = [(user_json if full else light_user)(account) | {"joinedTeamAt": joined} for account, joined in members]
    return lines_response(shown)


def post_join(state: AppState, request: Request) -> Response:
    """Join a team or ask to join it; raises FormError for a message of a wrong length."""
    message = request.form.get("message") or None
    if message is not None:
        check_field(len(message) >= MESSAGE_LENGTHS.start, "message", "Minimum length is 30")
        check_field(len(message) < MESSAGE_LENGTHS.stop, "message", "Maximum length is 2000")
    state.teams.find(request.params["team_id"]).join(request.me, message, request.form.get("password"))
    return Response()


def post_quit(state: AppState, request: Request) -> Response:
    """Leave a team, or withdraw the request."""
    state.teams.find(request.params["team_id"]).quit(request.me)
    return Response()


def _request_json(team: Team, asked: TeamRequest) -> Json:
    account: Account = asked.account
    request = {"teamId": team.id, "userId": account.id, "date": asked.at_ms, "message": asked.message}
    return {"request": request, "user": user_json(account)}


def get_requests(state: AppState, request: Request) -> Response:
    """Return the pending or declined requests of a team that the account leads."""
    team, declined = state.teams.led_by(request.me, request.params["team_id"]), flag(request, "declined", False)
    return Response([_request_json(team, asked) for asked in team.requests.values() if asked.declined == declined])


def post_accept(state: AppState, request: Request) -> Response:
    """Accept a request to join a team."""
    state.teams.led_by(request.me, request.params["team_id"]).answer(request.params["user_id"], accept=True)
    return Response()


def post_decline(state: AppState, request: Request) -> Response:
    """Decline a request to join a team."""
    state.teams.led_by(request.me, request.params["team_id"]).answer(request.params["user_id"], accept=False)
    return Response()


def post_kick(state: AppState, request: Request) -> Response:
    """Exclude a member of a team."""
    state.teams.led_by(request.me, request.params["team_id"]).kick(request.params["user_id"].lower())
    return Response()


def get_team_arenas(state: AppState, request: Request) -> Response:
    """Return the arenas for members of a team, the last to start first."""
    team, query = state.teams.find(request.params["team_id"]), request.query
    arenas = [
        arena
        for arena in sorted(state.arenas.arenas.values(), key=lambda arena: -arena.terms.starts_at_ms)
        if arena.terms.team is team
        and query.get("status", STATUS_NAMES[arena.status]) == STATUS_NAMES[arena.status]
        and query.get("createdBy", arena.created_by.id).lower() == arena.created_by.id
        and query.get("name", "").lower() in arena.terms.name.lower()
    ]
    shown = arenas[: number(request, "max", MAX_LISTED)]
    return lines_response(listed_arena(arena, now_ms()) for arena in shown)


def _light_team(team: Team) -> Json:
    return {"id": team.id, "name": team.name}


def _by_team(state: AppState, request: Request) -> list[Json]:
    """Return the account's teams that have messages, the latest first."""
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
    messages = [(update, team) for team in teams for update in reversed(team.updates)]
    messages.sort(key=lambda one: -one[0].at_ms)
    by_team = _by_team(state, request)

    def shown(one: tuple[TeamUpdate, Team]) -> Json:
        update, team = one
        seen = request.me.id in update.readers
        update.readers.add(request.me.id)
        message = {"id": update.id, "date": update.at_ms, "sender": light_user(update.sender), "text": update.text}
        return {"msg": message | {"team": _light_team(team)}, "seen": seen}

    return {"updates": page_of(request, messages, UPDATES_PAGE_SIZE, shown), "byTeam": by_team}


def get_updates(state: AppState, request: Request) -> Response:
    """Return the messages of all teams of the account, the latest first, and mark them as read."""
    return Response(_updates(state, request, state.teams.of(request.me)))


def get_team_updates(state: AppState, request: Request) -> Response:
    """Return the messages of one team of the account; raises ApiError 404 for another team."""
    team = state.teams.find(request.params["team_id"])
    if not team.has(request.me):
        raise ApiError(404, errors.NOT_FOUND)
    return Response({"team": _light_team(team), "subscribed": True} | _updates(state, request, [team]))


def post_to_all(state: AppState, request: Request) -> Response:
    """Send a message to all members of a team."""
    team, text = state.teams.led_by(request.me, request.params["team_id"]), request.text("message", "").strip()
    check_field(text, "message", errors.REQUIRED)
    update = TeamUpdate(state.world.new_id(), request.me, text, time.time_ns() // 1_000_000, {request.me.id})
    team.updates.append(update)
    return Response()


TEAM_SPECS = [
    Spec("teams", "GET", "/api/team/all", get_all, None),
    Spec("teams_search", "GET", "/api/team/search", get_search, None),
    Spec("teams_of", "GET", "/api/team/of/{username}", get_teams_of, None),
    Spec("team", "GET", _ROOT, get_team, None),
    Spec("team_members", "GET", f"{_ROOT}/users", get_members, None),
    Spec("team_arenas", "GET", f"{_ROOT}/arena", get_team_arenas, None),
    Spec("team_join", "POST", "/team/{team_id}/join", post_join, _WRITE),
    Spec("team_quit", "POST", "/team/{team_id}/quit", post_quit, _WRITE),
    Spec("team_requests", "GET", f"{_ROOT}/requests", get_requests, _READ),
    Spec("team_accept", "POST", f"{_ROOT}/request/{{user_id}}/accept", post_accept, _LEAD),
    Spec("team_decline", "POST", f"{_ROOT}/request/{{user_id}}/decline", post_decline, _LEAD),
    Spec("team_kick", "POST", f"{_ROOT}/kick/{{user_id}}", post_kick, _LEAD, old_path="/team/{team_id}/kick/{user_id}"),
    Spec("team_updates", "GET", "/team/updates", get_updates, ("team:read",)),
    Spec("team_updates_of", "GET", "/team/updates/{team_id}", get_team_updates, ("team:read",)),
    Spec("team_message", "POST", "/team/{team_id}/pm-all", post_to_all, ("team:lead",)),
]
