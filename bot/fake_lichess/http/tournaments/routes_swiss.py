"""Swiss tournaments over HTTP."""

from __future__ import annotations

import time

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError, FormError
from bot.fake_lichess.http.endpoint import AppState, Spec
from bot.fake_lichess.http.export_query import NDJSON, games_answer, number
from bot.fake_lichess.http.request import MAX_EPOCH_MS, Request
from bot.fake_lichess.http.tournaments.swiss_form import read_terms
from bot.fake_lichess.tournaments.swiss_json import result_line, swiss_json
from bot.fake_lichess.tournaments.swiss_trf import trf_of
from bot.fake_lichess.wire import encoding
from bot.fake_lichess.wire.answer import Answer

MAX_LISTED = 100
NO_BOT_CREATES = "This account cannot create tournaments"
NOT_LEADER = "You're not a leader of that team"
NOT_YOURS_TO_END = "Can't terminate that tournament: Permission denied"


def post_new(state: AppState, request: Request) -> Answer:
    """Create a tournament for a team that one leads."""
    team = state.teams.find(request.params["team_id"])
    if request.me.is_bot:
        raise ApiError(404, NO_BOT_CREATES)
    if team.leader is not request.me:
        raise ApiError(404, NOT_LEADER)
    swiss = state.swisses.create(request.me, read_terms(state, request, team))
    return Answer(swiss_json(swiss, request.me))


def get_swiss(state: AppState, request: Request) -> Answer:
    """One tournament."""
    return Answer(swiss_json(state.swisses.find(request.params["id"]), request.account))


def post_edit(state: AppState, request: Request) -> Answer:
    """Change one's own tournament."""
    swiss = state.swisses.own(request.me, request.params["id"])
    terms = read_terms(state, request, swiss.terms.team, fewest_rounds=max(1, swiss.round))
    state.swisses.edit(swiss, terms)
    return Answer(swiss_json(swiss, request.me))


def post_schedule(state: AppState, request: Request) -> Answer:
    """Set the time of the next round, in epoch milliseconds."""
    swiss = state.swisses.own(request.me, request.params["id"])
    at_ms = request.number("date", MAX_EPOCH_MS)
    past = at_ms is not None and at_ms < time.time() * 1000
    if at_ms is None or (past and not state.world.config.allow_any_clock):
        raise FormError({"date": [errors.INVALID_VALUE]})
    state.swisses.schedule(swiss, int(at_ms))
    return Answer(b"", 204)


def post_join(state: AppState, request: Request) -> Answer:
    """Join, or come back."""
    state.swisses.find(request.params["id"]).join(request.me, request.form.get("password"))
    return Answer()


def post_withdraw(state: AppState, request: Request) -> Answer:
    """Leave, or miss the rounds to come."""
    state.swisses.find(request.params["id"]).withdraw(request.me)
    return Answer()


def post_terminate(state: AppState, request: Request) -> Answer:
    """End one's own tournament."""
    swiss = state.swisses.find(request.params["id"])
    if swiss.created_by is not request.me:
        raise ApiError(400, NOT_YOURS_TO_END)
    state.swisses.end(swiss)
    return Answer()


def get_swiss_games(state: AppState, request: Request) -> Answer:
    """The games, by round."""
    swiss, wanted = state.swisses.find(request.params["id"]), request.query.get("player", "").lower()
    chosen = [one.game_id for one in swiss.games.values() if not wanted or wanted in (one.white, one.black)]
    games = [state.world.games[game_id] for game_id in chosen if game_id in state.world.games]
    return games_answer(request, games, state.world.base_url)


def get_results(state: AppState, request: Request) -> Answer:
    """The players by rank, a line each."""
    lines = state.swisses.find(request.params["id"]).standings()
    shown = lines[: number(request, "nb", len(lines))]
    return Answer(b"".join(encoding.line(result_line(line)) for line in shown), media=NDJSON)


def get_trf(state: AppState, request: Request) -> Answer:
    """The tournament as a report file for pairing programs."""
    text = trf_of(state.swisses.find(request.params["id"]), state.world.base_url)
    return Answer(text.encode(), media="text/plain")


def get_team_swisses(state: AppState, request: Request) -> Answer:
    """The tournaments of a team, the last to start first."""
    query = request.query
    found = [
        swiss
        for swiss in state.swisses.of_team(state.teams.find(request.params["team_id"]))
        if query.get("status", swiss.status) == swiss.status
        and query.get("createdBy", swiss.created_by.id).lower() == swiss.created_by.id
        and query.get("name", "").lower() in swiss.terms.name.lower()
    ]
    shown = found[: number(request, "max", MAX_LISTED)]
    return Answer(b"".join(encoding.line(swiss_json(one, request.account)) for one in shown), media=NDJSON)


_WRITE = ("tournament:write",)
_ROOT = "/api/swiss/{id}"
SWISS_SPECS = [
    Spec("swiss_create", "POST", "/api/swiss/new/{team_id}", post_new, _WRITE),
    Spec("swiss", "GET", _ROOT, get_swiss, None),
    Spec("swiss_edit", "POST", f"{_ROOT}/edit", post_edit, _WRITE),
    Spec("swiss_schedule", "POST", f"{_ROOT}/schedule-next-round", post_schedule, _WRITE),
    Spec("swiss_join", "POST", f"{_ROOT}/join", post_join, _WRITE),
    Spec("swiss_withdraw", "POST", f"{_ROOT}/withdraw", post_withdraw, _WRITE),
    Spec("swiss_terminate", "POST", f"{_ROOT}/terminate", post_terminate, _WRITE),
    Spec("swiss_games", "GET", f"{_ROOT}/games", get_swiss_games, None),
    Spec("swiss_results", "GET", f"{_ROOT}/results", get_results, None),
    Spec("swiss_trf", "GET", "/swiss/{id}.trf", get_trf, None),
    Spec("team_swisses", "GET", "/api/team/{team_id}/swiss", get_team_swisses, None),
]
