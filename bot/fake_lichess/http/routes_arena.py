"""Arenas over HTTP."""

from __future__ import annotations

import dataclasses

import chess

from ..errors import ApiError, check_field
from ..tournaments.arena import CREATED, FINISHED, STARTED, Arena, ArenaTerms, Battle
from ..tournaments.arena_json import full_arena, listed_arena, result_line, team_standings
from ..tournaments.arenas import now_ms
from ..tournaments.teams import Team
from ..wire.responses import Response, lines_response
from ..world.challenges import Terms
from ..world.clocks import TimeControl
from ..world.json_objects import Json
from .challenge_form import read_variant
from .endpoint import AppState, Spec
from .export import flag, games_response, number
from .request import MAX_EPOCH_MS, Request, trueish

CLOCK_MINUTES = (0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 40, 50, 60)
INCREMENTS = (0, 1, 2, 3, 4, 5, 6, 7, 10, 15, 20, 25, 30, 40, 50, 60)
MAX_MINUTES, MAX_WAIT, NAME_LENGTHS, LEADERS = 720, 60, range(2, 31), range(1, 21)


def read_terms(state: AppState, request: Request) -> ArenaTerms:
    """Return the form of a new arena; raises FormError."""
    variant = read_variant(request)
    clock, increment = request.required_number("clockTime"), request.required_number("clockIncrement")
    minutes, wait = request.required_number("minutes"), request.number("waitMinutes")
    wait = 5.0 if wait is None else wait
    known = state.world.config.allow_any_clock or (clock in CLOCK_MINUTES and increment in INCREMENTS)
    check_field(known and min(clock, increment) >= 0 < clock + increment, "clockTime")
    check_field(0 < minutes <= MAX_MINUTES and 0 <= wait <= MAX_WAIT, "minutes")
    name = request.text("name", "") or request.me.name
    check_field(len(name) in NAME_LENGTHS, "name")
    control = TimeControl(round(clock * 60_000), round(increment * 1000))
    start, battle = request.number("startDate", MAX_EPOCH_MS), _team(state, request, "teamBattleByTeam")
    return ArenaTerms(
        name=name,
        game=Terms(variant, control, trueish(request.text("rated", "true"))),
        minutes=minutes,
        starts_at_ms=int(start) if start is not None else now_ms() + round(wait * 60_000),
        bots_allowed=trueish(request.text("conditions.bots", "false")),
        streakable=trueish(request.text("streakable", "true")),
        berserkable=trueish(request.text("berserkable", "true")),
        password=request.form.get("password") or None,
        min_rating=request.whole_number("conditions.minRating.rating"),
        max_rating=request.whole_number("conditions.maxRating.rating"),
        team=_team(state, request, "conditions.teamMember.teamId"),
        battle=None if battle is None else Battle((battle,)),
    )


def _team(state: AppState, request: Request, field: str) -> Team | None:
    """Return the team of a field, None where there is none; it must be one's own. Raises FormError."""
    team_id = request.form.get(field)
    if not team_id:
        return None
    team = state.teams.teams.get(team_id)
    check_field(team is not None and team.has(request.me), field)
    return team


def _full(state: AppState, arena: Arena, page: int = 1) -> Response:
    games = [state.world.games[game_id] for game_id in arena.game_ids if game_id in state.world.games]
    over = [game for game in games if not game.playable]
    stats: Json = {
        "games": len(over),
        "moves": sum(len(game.moves) for game in over),
        "whiteWins": sum(game.winner == chess.WHITE for game in over),
        "blackWins": sum(game.winner == chess.BLACK for game in over),
        "draws": sum(game.winner is None for game in over),
        "berserks": sum(player.berserks for player in arena.players.values()),
        "averageRating": round(sum(p.rating for g in games for p in g.players.values()) / max(1, 2 * len(games))),
    }
    ranks = {player.account.id: rank for rank, player in enumerate(arena.standings(), start=1)}
    duels = [
        {"id": g.id, "p": [{"n": p.name, "r": p.rating, "k": ranks[p.name.lower()]} for p in g.players.values()]}
        for g in games
        if g.playable
    ]
    return Response(full_arena(arena, now_ms(), page, {"duels": duels, "stats": stats}))


def get_arenas(state: AppState, _request: Request) -> Response:
    """Return all arenas by their state."""
    found = {}
    for name, status in (("created", CREATED), ("started", STARTED), ("finished", FINISHED)):
        found[name] = [listed_arena(a, now_ms()) for a in state.arenas.arenas.values() if a.status == status]
    return Response(found)


def post_arena(state: AppState, request: Request) -> Response:
    """Create an arena."""
    return _full(state, state.arenas.create(request.me, read_terms(state, request)))


def _own(state: AppState, request: Request) -> Arena:
    arena = state.arenas.find(request.params["id"])
    if arena.created_by is not request.me or arena.status == FINISHED:
        raise ApiError(401, "You cannot edit this tournament")
    return arena


def post_battle(state: AppState, request: Request) -> Response:
    """Set the teams of one's own battle, and how many players of each count."""
    arena, leaders = _own(state, request), request.required_number("nbLeaders")
    ids = [team_id.strip() for team_id in request.text("teams").split(",") if team_id.strip()]
    teams = tuple(state.teams.teams[team_id] for team_id in ids if team_id in state.teams.teams)
    check_field(arena.terms.battle is not None and teams and len(teams) == len(ids), "teams")
    check_field(leaders in LEADERS, "nbLeaders")
    arena.terms = dataclasses.replace(arena.terms, battle=Battle(teams, int(leaders)))
    return _full(state, arena)


def get_teams(state: AppState, request: Request) -> Response:
    """Return the teams of a battle by rank."""
    arena = state.arenas.find(request.params["id"])
    return Response({"id": arena.id, "teams": team_standings(arena)})


def post_update(state: AppState, request: Request) -> Response:
    """Change one's own arena; what the games are is settled once it has started."""
    arena = _own(state, request)
    terms = dataclasses.replace(read_terms(state, request), battle=arena.terms.battle)
    if arena.status == STARTED:
        terms = dataclasses.replace(terms, game=arena.terms.game, starts_at_ms=arena.terms.starts_at_ms)
    arena.terms = terms
    return _full(state, arena)


def get_arena(state: AppState, request: Request) -> Response:
    """One arena with a page of its standings."""
    return _full(state, state.arenas.find(request.params["id"]), max(1, number(request, "page", 1)))


def post_join(state: AppState, request: Request) -> Response:
    """Join, or come back from a break."""
    form = request.form
    state.arenas.find(request.params["id"]).join(request.me, form.get("password"), form.get("team", ""))
    return Response()


def post_withdraw(state: AppState, request: Request) -> Response:
    """Leave, or take a break."""
    state.arenas.find(request.params["id"]).withdraw(request.me)
    return Response()


def post_terminate(state: AppState, request: Request) -> Response:
    """End one's own arena."""
    state.arenas.terminate(request.me, request.params["id"])
    return Response()


def get_arena_games(state: AppState, request: Request) -> Response:
    """Return the games of an arena, newest first."""
    arena = state.arenas.find(request.params["id"])
    games = [state.world.games[game_id] for game_id in reversed(arena.game_ids) if game_id in state.world.games]
    wanted = request.query.get("player", "").lower()
    chosen = [game for game in games if not wanted or wanted in [p.name.lower() for p in game.players.values()]]
    return games_response(request, chosen, state.world.base_url)


def get_results(state: AppState, request: Request) -> Response:
    """Return the players by rank, a line each."""
    arena = state.arenas.find(request.params["id"])
    ranked = list(enumerate(arena.standings(), start=1))[: number(request, "nb", len(arena.players))]
    sheet = flag(request, "sheet", False)
    return lines_response(result_line(arena, rank, player, sheet=sheet) for rank, player in ranked)


def get_created(state: AppState, request: Request) -> Response:
    """Return the arenas that a user has created."""
    account = state.world.account(request.params["username"])
    mine = [arena for arena in reversed(state.arenas.arenas.values()) if arena.created_by is account]
    return lines_response(listed_arena(arena, now_ms()) for arena in mine)


_WRITE = ("tournament:write",)
_ROOT = "/api/tournament/{id}"
ARENA_SPECS = [
    Spec("arenas", "GET", "/api/tournament", get_arenas, None),
    Spec("arena_create", "POST", "/api/tournament", post_arena, _WRITE),
    Spec("arena", "GET", _ROOT, get_arena, None),
    Spec("arena_update", "POST", _ROOT, post_update, _WRITE),
    Spec("arena_battle", "POST", "/api/tournament/team-battle/{id}", post_battle, _WRITE),
    Spec("arena_teams", "GET", f"{_ROOT}/teams", get_teams, None),
    Spec("arena_join", "POST", f"{_ROOT}/join", post_join, _WRITE),
    Spec("arena_withdraw", "POST", f"{_ROOT}/withdraw", post_withdraw, _WRITE),
    Spec("arena_terminate", "POST", f"{_ROOT}/terminate", post_terminate, _WRITE),
    Spec("arena_games", "GET", f"{_ROOT}/games", get_arena_games, None),
    Spec("arena_results", "GET", f"{_ROOT}/results", get_results, None),
    Spec("arenas_created", "GET", "/api/user/{username}/tournament/created", get_created, None),
]
