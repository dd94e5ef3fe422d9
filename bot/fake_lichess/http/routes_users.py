"""More about users: their current game, ratings and their history, leaderboards, and one's own preferences."""

from __future__ import annotations

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.http.endpoint import AppState, Spec
from bot.fake_lichess.http.export import json_of, pgn_of
from bot.fake_lichess.http.export_query import PGN, read_options
from bot.fake_lichess.http.perf_stat import stat_json
from bot.fake_lichess.http.request import Request
from bot.fake_lichess.wire.answer import Answer
from bot.fake_lichess.world.accounts import STANDARD_PERFS, Account
from bot.fake_lichess.world.json_objects import Json
from bot.fake_lichess.world.variants import VARIANTS, perf_name

LEADERBOARD = "application/vnd.lichess.v3+json"
RANKED = (*STANDARD_PERFS[:5], *(key for key in VARIANTS if key not in ("standard", "fromPosition")))
TOP, MAX_TOP = 10, 200
PREFERENCES: Json = {
    "dark": False,
    "is3d": False,
    "autoQueen": 2,
    "autoThreefold": 2,
    "takeback": 3,
    "moretime": 3,
    "clockTenths": 1,
    "premove": True,
    "challenge": 4,
    "message": 3,
    "submitMove": 4,
}


def get_current_game(state: AppState, request: Request) -> Answer:
    """The running game of a user, or the last one."""
    account = state.world.account(request.params["username"])
    mine = [game for game in state.world.games.values() if game.color_of(account) is not None]
    if not mine:
        raise ApiError(404, errors.NOT_FOUND)
    game = max(mine, key=lambda game: (game.playable, game.created_at_ms))
    options, base_url = read_options(request, single=True), state.world.base_url
    if "json" in request.headers.get("accept", ""):
        return Answer(json_of(game, base_url, options))
    return Answer(pgn_of(game, base_url, options).encode(), media=PGN)


def get_rating_history(state: AppState, request: Request) -> Answer:
    """The last rating of each day by category: [year, month from 0, day, rating]."""
    account = state.world.account(request.params["username"])
    found = []
    for perf in (*RANKED, "correspondence"):
        by_day = dict(account.perfs[perf].history) if perf in account.perfs else {}
        points = [[day.year, day.month - 1, day.day, rating] for day, rating in by_day.items()]
        found.append({"name": perf_name(perf), "points": points})
    return Answer(found)


def get_perf(state: AppState, request: Request) -> Answer:
    """One rating category of a user, with the results of the games that are remembered."""
    account, perf = state.world.account(request.params["username"]), request.params["perf"]
    if perf not in (*RANKED, "correspondence"):
        raise ApiError(404, errors.NOT_FOUND)
    record = account.perf(perf)
    glicko: Json = {"rating": round(record.glicko.rating, 2), "deviation": round(record.glicko.deviation, 2)}
    glicko |= {"provisional": True} if record.provisional else {}
    return Answer(
        {
            "user": {"name": account.name},
            "perf": {"glicko": glicko, "nb": record.games, "progress": record.progress},
            "rank": None,
            "percentile": 0,
            "stat": stat_json(state.world.games.values(), account, perf),
        }
    )


def _leaders(state: AppState, perf: str, number: int) -> list[Json]:
    """The best persons with a settled rating; bots are not ranked, as on Lichess."""
    accounts = [account for account in state.world.registry.all() if perf in account.perfs and not account.is_bot]
    settled = [account for account in accounts if not account.perfs[perf].provisional]
    settled.sort(key=lambda account: -account.perfs[perf].rating)
    return [_leader(account, perf) for account in settled[:number]]


def _leader(account: Account, perf: str) -> Json:
    record = account.perfs[perf]
    found: Json = {"id": account.id, "username": account.name}
    found["perfs"] = {perf: {"rating": record.rating, "progress": record.progress}}
    return found | ({"title": account.title} if account.title else {}) | ({"online": True} if account.online else {})


def get_top_tens(state: AppState, _request: Request) -> Answer:
    """The ten best of every category."""
    return Answer({perf: _leaders(state, perf, TOP) for perf in RANKED})


def get_leaderboard(state: AppState, request: Request) -> Answer:
    """The best of one category."""
    number, perf = request.params["nb"], request.params["perf"]
    if perf not in RANKED or not (number.isascii() and number.isdigit()):
        raise ApiError(404, errors.NOT_FOUND)
    return Answer({"users": _leaders(state, perf, min(MAX_TOP, int(number[:6])))}, media=LEADERBOARD)


def get_email(_state: AppState, request: Request) -> Answer:
    """One's own address."""
    return Answer({"email": f"{request.me.id}@fake-lichess.example"})


def get_preferences(_state: AppState, _request: Request) -> Answer:
    """Preferences: the server's defaults for everyone."""
    return Answer({"prefs": PREFERENCES, "language": "en-GB"})


USER_SPECS = [
    Spec("current_game", "GET", "/api/user/{username}/current-game", get_current_game, None),
    Spec("rating_history", "GET", "/api/user/{username}/rating-history", get_rating_history, None),
    Spec("user_perf", "GET", "/api/user/{username}/perf/{perf}", get_perf, None),
    Spec("top_tens", "GET", "/api/player", get_top_tens, None),
    Spec("leaderboard", "GET", "/api/player/top/{nb}/{perf}", get_leaderboard, None),
    Spec("email", "GET", "/api/account/email", get_email, ("email:read",)),
    Spec("preferences", "GET", "/api/account/preferences", get_preferences, ("preference:read",)),
]
