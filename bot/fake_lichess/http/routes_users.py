"""Facts about users: current game, ratings, leaderboards, arenas, preferences, completed names."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

import chess

from .. import errors
from ..errors import ApiError, check_field
from ..tournaments.arena import Arena, performance_rating
from ..tournaments.arena_json import listed_arena
from ..tournaments.arenas import now_ms
from ..wire.responses import Response, lines_response
from ..world.accounts import STANDARD_PERFS, Account
from ..world.json_objects import Json, light_user
from ..world.server_game import Game
from ..world.variants import VARIANTS, perf_name
from .endpoint import AppState, Spec
from .export import flag, game_response, number
from .request import Request

LEADERBOARD = "application/vnd.lichess.v3+json"
RANKED = (*STANDARD_PERFS[:5], *(key for key in VARIANTS if key not in ("standard", "fromPosition")))
TOP, MAX_TOP = 10, 200
PREFERENCES: Json = {
    "dark": False,
    "is3d": False,
    "autoQueen": 2,
    "autoThreefold": 2,
    "moretime": 3,
    "clockTenths": 1,
    "premove": True,
    "challenge": 4,
    "message": 3,
    "submitMove": 4,
}
MAX_NAMES, SHORTEST_TERM = 10, 3
BEST = 5
Played = tuple[Game, chess.Color]


def get_current_game(state: AppState, request: Request) -> Response:
    """Return the running game of a user, or the last one."""
    account = state.world.account(request.params["username"])
    mine = [game for game in state.world.games.values() if game.color_of(account) is not None]
    if not mine:
        raise ApiError(404, errors.NOT_FOUND)
    game = max(mine, key=lambda game: (game.playable, game.created_at_ms))
    return game_response(request, game, state.world.base_url)


def get_rating_history(state: AppState, request: Request) -> Response:
    """Return the last rating of each day by category: [year, month from 0, day, rating]."""
    account = state.world.account(request.params["username"])
    found = []
    for perf in (*RANKED, "correspondence"):
        by_day = dict(account.perfs[perf].history) if perf in account.perfs else {}
        points = [[day.year, day.month - 1, day.day, rating] for day, rating in by_day.items()]
        found.append({"name": perf_name(perf), "points": points})
    return Response(found)


def get_perf(state: AppState, request: Request) -> Response:
    """One rating category of a user, with the results of the games that are remembered."""
    account, perf = state.world.account(request.params["username"]), request.params["perf"]
    if perf not in (*RANKED, "correspondence"):
        raise ApiError(404, errors.NOT_FOUND)
    record = account.perf(perf)
    glicko: Json = {"rating": round(record.glicko.rating, 2), "deviation": round(record.glicko.deviation, 2)}
    glicko |= {"provisional": True} if record.provisional else {}
    return Response(
        {
            "user": {"name": account.name},
            "perf": {"glicko": glicko, "nb": record.games, "progress": record.progress},
            "rank": None,
            "percentile": 0,
            "stat": stat_json(state.world.games.values(), account, perf),
        }
    )


def _leaders(state: AppState, perf: str, number: int) -> list[Json]:
    """Return the best people with an established rating; bots are not ranked, as on Lichess."""
    accounts = [account for account in state.world.registry.all() if perf in account.perfs and not account.is_bot]
    settled = [account for account in accounts if not account.perfs[perf].provisional]
    settled.sort(key=lambda account: -account.perfs[perf].rating)
    return [_leader(account, perf) for account in settled[:number]]


def _leader(account: Account, perf: str) -> Json:
    record = account.perfs[perf]
    found: Json = {"id": account.id, "username": account.name}
    found["perfs"] = {perf: {"rating": record.rating, "progress": record.progress}}
    return found | ({"title": account.title} if account.title else {}) | ({"online": True} if account.online else {})


def get_top_tens(state: AppState, _request: Request) -> Response:
    """Return the ten best of every category."""
    return Response({perf: _leaders(state, perf, TOP) for perf in RANKED})


def get_leaderboard(state: AppState, request: Request) -> Response:
    """Return the best of one category."""
    number, perf = request.params["nb"], request.params["perf"]
    if perf not in RANKED or not (number.isascii() and number.isdigit()):
        raise ApiError(404, errors.NOT_FOUND)
    return Response({"users": _leaders(state, perf, min(MAX_TOP, int(number[:6])))}, media=LEADERBOARD)


def get_email(_state: AppState, request: Request) -> Response:
    """Return the address of the account."""
    return Response({"email": f"{request.me.id}@fake-lichess.example"})


def get_preferences(_state: AppState, request: Request) -> Response:
    """Return the preferences: the server's defaults, but for takebacks."""
    takeback = {False: 1, "casual": 2, True: 3}[request.me.takebacks]
    return Response({"prefs": PREFERENCES | {"takeback": takeback}, "language": "en-GB"})


def get_played(state: AppState, request: Request) -> Response:
    """Return the arenas that a user has played, the last to start first."""
    account, with_performance = state.world.account(request.params["username"]), flag(request, "performance", False)
    played = [arena for arena in state.arenas.arenas.values() if account.id in arena.players]
    played.sort(key=lambda arena: -arena.terms.starts_at_ms)
    shown = [
        {
            "tournament": listed_arena(arena, now_ms()),
            "player": _standing(arena, account, with_performance=with_performance),
        }
        for arena in played[: number(request, "nb", len(played))]
    ]
    return lines_response(shown)


def _standing(arena: Arena, account: Account, *, with_performance: bool) -> Json:
    table = arena.standings()
    player = arena.players[account.id]
    points = sum(player.points(arena.terms.streakable))
    found: Json = {"games": len(player.results), "score": points, "rank": table.index(player) + 1}
    return found | ({"performance": performance_rating(player.results)} if with_performance else {})


def get_autocomplete(state: AppState, request: Request) -> Response:
    """Return the names that begin with a text of at least three letters."""
    term = request.query.get("term", "").lower()
    check_field(len(term) >= SHORTEST_TERM, "term", f"Minimum length is {SHORTEST_TERM}")
    accounts = [one for one in state.world.registry.all() if one.id.startswith(term)][:MAX_NAMES]
    if not flag(request, "object", False):
        return Response([one.name if flag(request, "names", False) else one.id for one in accounts])
    return Response({"result": [light_user(one) | ({"online": True} if one.online else {}) for one in accounts]})


def stat_json(games: Iterable[Game], account: Account, perf: str) -> Json:
    """Return the `stat` object: counts, best wins, worst losses and streaks."""
    of_perf = [game for game in games if game.spec.perf == perf and not game.playable and game.status != "aborted"]
    mine = [(game, color) for game in of_perf if (color := game.color_of(account)) is not None]
    wins = [(game, color) for game, color in mine if game.winner == color]
    losses = [(game, color) for game, color in mine if game.winner == (not color)]
    return {
        "count": _count(mine, wins, losses),
        "bestWins": _results(sorted(wins, key=lambda played: -_opponent_rating(played))),
        "worstLosses": _results(sorted(losses, key=_opponent_rating)),
        "resultStreak": {
            "win": _streak([game.winner == color for game, color in mine]),
            "loss": _streak([game.winner == (not color) for game, color in mine]),
        },
        "playStreak": {"nb": _streak([True] * len(mine)), "time": {"cur": {"v": 0}, "max": {"v": 0}}},
    }


def _opponent_rating(played: Played) -> int:
    game, color = played
    return game.players[not color].rating


def _count(mine: list[Played], wins: list[Played], losses: list[Played]) -> Json:
    ratings = [_opponent_rating(played) for played in mine]
    return {
        "all": len(mine),
        "rated": sum(game.spec.rated for game, _ in mine),
        "win": len(wins),
        "loss": len(losses),
        "draw": len(mine) - len(wins) - len(losses),
        "tour": sum(game.spec.tournament_id is not None for game, _ in mine),
        "berserk": 0,
        "opAvg": round(sum(ratings) / len(ratings), 2) if ratings else 0,
        "seconds": sum((game.last_move_at_ms - game.created_at_ms) // 1000 for game, _ in mine),
        "disconnects": 0,
    }


def _results(played: list[Played]) -> Json:
    """Return the first few rated games against accounts."""
    found = []
    for game, color in played:
        opponent = game.players[not color]
        if game.spec.rated and opponent.account is not None:
            at = datetime.datetime.fromtimestamp(game.last_move_at_ms / 1000, datetime.UTC)
            user = {"id": opponent.account.id, "name": opponent.name}
            line = {"opRating": opponent.rating, "opId": user, "at": at.isoformat(), "gameId": game.id}
            found.append(line)
    return {"results": found[:BEST]}


def _streak(hits: list[bool]) -> Json:
    """Return the current and the longest streak, oldest game first."""
    current = longest = 0
    for hit in hits:
        current = current + 1 if hit else 0
        longest = max(longest, current)
    return {"cur": {"v": current}, "max": {"v": longest}}


USER_SPECS = [
    Spec("current_game", "GET", "/api/user/{username}/current-game", get_current_game, None),
    Spec("rating_history", "GET", "/api/user/{username}/rating-history", get_rating_history, None),
    Spec("user_perf", "GET", "/api/user/{username}/perf/{perf}", get_perf, None),
    Spec("top_tens", "GET", "/api/player", get_top_tens, None),
    Spec(
        "leaderboard", "GET", "/api/player/top/{nb}/{perf}", get_leaderboard, None, old_path="/player/top/{nb}/{perf}"
    ),
    Spec("email", "GET", "/api/account/email", get_email, ("email:read",)),
    Spec("preferences", "GET", "/api/account/preferences", get_preferences, ("preference:read",)),
    Spec("arenas_played", "GET", "/api/user/{username}/tournament/played", get_played, None),
    Spec("autocomplete", "GET", "/api/player/autocomplete", get_autocomplete, None, old_path="/player/autocomplete"),
]
