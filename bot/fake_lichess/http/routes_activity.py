"""What a user did by day, which arenas it played, and names that begin with a text."""

from __future__ import annotations

from bot.fake_lichess.errors import FormError
from bot.fake_lichess.http.endpoint import AppState, Spec
from bot.fake_lichess.http.export_query import NDJSON, flag, number
from bot.fake_lichess.http.request import Request
from bot.fake_lichess.tournaments import scores
from bot.fake_lichess.tournaments.arena import Arena
from bot.fake_lichess.tournaments.arena_json import listed_arena
from bot.fake_lichess.tournaments.arenas import now_ms
from bot.fake_lichess.wire import encoding
from bot.fake_lichess.wire.answer import Answer
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.json_objects import Json, light_user

DAY_MS = 86_400_000
MAX_DAYS, MAX_NAMES, SHORTEST_TERM = 10, 10, 3


def get_played(state: AppState, request: Request) -> Answer:
    """The arenas that a user has played, the last to start first."""
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
    return Answer(b"".join(encoding.line(one) for one in shown), media=NDJSON)


def _standing(arena: Arena, account: Account, *, with_performance: bool) -> Json:
    table = arena.standings()
    player = arena.players[account.id]
    points = sum(player.points(arena.terms.streakable))
    found: Json = {"games": len(player.results), "score": points, "rank": table.index(player) + 1}
    return found | ({"performance": scores.performance(player.results)} if with_performance else {})


def get_autocomplete(state: AppState, request: Request) -> Answer:
    """Names that begin with a text of three letters or more."""
    term = request.query.get("term", "").lower()
    if len(term) < SHORTEST_TERM:
        raise FormError({"term": [f"Minimum length is {SHORTEST_TERM}"]})
    accounts = [one for one in state.world.registry.all() if one.id.startswith(term)][:MAX_NAMES]
    if not flag(request, "object", False):
        return Answer([one.name if flag(request, "names", False) else one.id for one in accounts])
    return Answer({"result": [light_user(one) | ({"online": True} if one.online else {}) for one in accounts]})


ACTIVITY_SPECS = [
    Spec("arenas_played", "GET", "/api/user/{username}/tournament/played", get_played, None),
    Spec("autocomplete", "GET", "/api/player/autocomplete", get_autocomplete, None),
]
