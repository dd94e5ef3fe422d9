"""Teams over HTTP: found, joined, left, and led."""

from __future__ import annotations

from bot.fake_lichess.errors import FormError
from bot.fake_lichess.http.endpoint import AppState, Spec
from bot.fake_lichess.http.export_query import NDJSON, flag, number
from bot.fake_lichess.http.request import Request
from bot.fake_lichess.http.routes_account import user_json
from bot.fake_lichess.http.tournaments.paging import page_of
from bot.fake_lichess.tournaments.arena import STATUS_NAMES
from bot.fake_lichess.tournaments.arena_json import listed_arena
from bot.fake_lichess.tournaments.arenas import now_ms
from bot.fake_lichess.tournaments.teams import Team, TeamRequest
from bot.fake_lichess.wire import encoding
from bot.fake_lichess.wire.answer import Answer
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.json_objects import Json, light_user

PAGE_SIZE, MAX_LISTED = 15, 100
MESSAGE_LENGTHS = range(30, 2001)


def team_json(team: Team) -> Json:
    """A team as lists show it."""
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


def get_all(state: AppState, request: Request) -> Answer:
    """All teams, the largest first."""
    return Answer(page_of(request, state.teams.by_size(), PAGE_SIZE, team_json))


def get_search(state: AppState, request: Request) -> Answer:
    """The teams whose names have a text."""
    found = state.teams.by_size(request.query.get("text", "").strip())
    return Answer(page_of(request, found, PAGE_SIZE, team_json))


def get_team(state: AppState, request: Request) -> Answer:
    """One team, and how the asker stands to it."""
    team = state.teams.find(request.params["team_id"])
    joined = team.has(request.account)
    requested = not joined and team.asked_by(request.account)
    return Answer(team_json(team) | {"joined": joined, "requested": requested})


def get_teams_of(state: AppState, request: Request) -> Answer:
    """The teams of a user."""
    account = state.world.account(request.params["username"])
    return Answer([team_json(team) for team in state.teams.of(account)])


def get_members(state: AppState, request: Request) -> Answer:
    """The members of a team, who joined last first; `full` shows them as lists of users do."""
    team, full = state.teams.find(request.params["team_id"]), flag(request, "full", False)
    members = [(state.world.account(name), joined) for name, joined in reversed(team.members.items())]
    shown = [(user_json if full else light_user)(account) | {"joinedTeamAt": joined} for account, joined in members]
    return Answer(b"".join(encoding.line(one) for one in shown), media=NDJSON)


def post_join(state: AppState, request: Request) -> Answer:
    """Join a team, or ask to be admitted; raises FormError for a message of a wrong length."""
    message = request.form.get("message") or None
    if message is not None and len(message) not in MESSAGE_LENGTHS:
        wrong = "Minimum length is 30" if len(message) < MESSAGE_LENGTHS.start else "Maximum length is 2000"
        raise FormError({"message": [wrong]})
    state.teams.find(request.params["team_id"]).join(request.me, message, request.form.get("password"))
    return Answer()


def post_quit(state: AppState, request: Request) -> Answer:
    """Leave a team, or take back the request."""
    state.teams.find(request.params["team_id"]).quit(request.me)
    return Answer()


def _request_json(team: Team, asked: TeamRequest) -> Json:
    account: Account = asked.account
    request = {"teamId": team.id, "userId": account.id, "date": asked.at_ms, "message": asked.message}
    return {"request": request, "user": user_json(account)}


def get_requests(state: AppState, request: Request) -> Answer:
    """Who waits to be admitted to a team that one leads, or was declined."""
    team, declined = state.teams.led_by(request.me, request.params["team_id"]), flag(request, "declined", False)
    return Answer([_request_json(team, asked) for asked in team.requests.values() if asked.declined == declined])


def post_accept(state: AppState, request: Request) -> Answer:
    """Admit somebody to a team that one leads."""
    state.teams.led_by(request.me, request.params["team_id"]).answer(request.params["user_id"], accept=True)
    return Answer()


def post_decline(state: AppState, request: Request) -> Answer:
    """Decline somebody's request."""
    state.teams.led_by(request.me, request.params["team_id"]).answer(request.params["user_id"], accept=False)
    return Answer()


def post_kick(state: AppState, request: Request) -> Answer:
    """Exclude a member of a team that one leads."""
    state.teams.led_by(request.me, request.params["team_id"]).kick(request.params["user_id"].lower())
    return Answer()


def get_team_arenas(state: AppState, request: Request) -> Answer:
    """The arenas for members of a team, the last to start first."""
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
    return Answer(b"".join(encoding.line(listed_arena(arena, now_ms())) for arena in shown), media=NDJSON)


_READ, _WRITE, _LEAD = ("team:read",), ("team:write",), ("team:lead",)
_ROOT = "/api/team/{team_id}"
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
    Spec("team_kick", "POST", f"{_ROOT}/kick/{{user_id}}", post_kick, _LEAD),
]
