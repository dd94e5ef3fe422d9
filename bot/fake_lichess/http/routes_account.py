"""Accounts: profiles, tokens, presence, and the event stream."""

from __future__ import annotations

import time

from .. import errors
from ..errors import ApiError
from ..wire.responses import Response, Streaming, Subscriber, json_line, lines_response, streaming
from ..world import json_objects, limits
from ..world.accounts import STANDARD_PERFS, Account, PerfRecord
from ..world.challenges import challenge_event, time_control_json
from ..world.json_objects import Json
from ..world.server_game import Game
from ..world.variants import COLOR_NAMES
from .endpoint import AppState, Spec
from .request import Request, trueish

MAX_PLAYING, MAX_STATUSES, MAX_ONLINE = 50, 100, 200


def perf_json(perf: PerfRecord) -> Json:
    """Return a rating category of a user."""
    found: Json = {"games": perf.games, "rating": perf.rating, "rd": round(perf.glicko.deviation)}
    return found | {"prog": perf.progress} | ({"prov": True} if perf.provisional else {})


def user_json(account: Account) -> Json:
    """Return a user as lists show it."""
    perfs = {name: perf_json(perf) for name, perf in account.perfs.items() if perf.games or name in STANDARD_PERFS}
    found: Json = {
        "id": account.id,
        "username": account.name,
        "perfs": perfs,
        "createdAt": account.created_at_ms,
        "seenAt": account.seen_at_ms or account.created_at_ms,
        "playTime": {"total": account.played_s, "tv": 0, "human": account.played_people_s},
    }
    found |= {"title": account.title} if account.title else {}
    return found | ({"profile": {"bio": account.bio}} if account.bio else {})


def extended_json(state: AppState, account: Account) -> Json:
    """Return a user's profile with counts and links."""
    playing = state.world.ongoing(account)
    count = {
        "all": account.games_played,
        **account.record,
        "bookmark": 0,
        "playing": len(playing),
        "import": 0,
        "me": 0,
    }
    found = user_json(account) | {"url": f"{state.world.base_url}/@/{account.name}", "count": count}
    if playing:
        color = COLOR_NAMES[playing[-1].color_of(account) or False]
        found["playing"] = f"{state.world.base_url}/{playing[-1].id}/{color}"
    return found


def get_account(state: AppState, request: Request) -> Response:
    """Return the account of the token."""
    return Response(extended_json(state, request.me) | {"followable": True, "following": False, "blocking": False})


def get_user(state: AppState, request: Request) -> Response:
    """Return an account."""
    return Response(extended_json(state, state.world.account(request.params["username"])))


def post_users(state: AppState, request: Request) -> Response:
    """Return accounts by their names, joined by commas in a plain body; unknown ones are left out."""
    names = request.body.decode("utf-8", "replace").split(",")[:300]
    found = [state.world.registry.find(name.strip()) for name in names]
    return Response([user_json(account) for account in found if account is not None])


def _asked_number(request: Request, default: int, most: int) -> int:
    """Return `nb` within its bounds; raises ApiError 400."""
    try:
        return min(most, max(1, int(request.query.get("nb", default))))
    except ValueError as error:
        raise ApiError(400, f"Invalid nb: {request.query['nb'][:20]}") from error


def get_playing(state: AppState, request: Request) -> Response:
    """Return the running games of the account."""
    world = state.world
    most = _asked_number(request, 9, MAX_PLAYING)
    games = [(game, game.color_of(request.me)) for game in world.ongoing(request.me)]
    infos = [json_objects.game_info(game, color, world.now_ms()) for game, color in games if color is not None]
    for info in infos:
        for unused in ("rating", "winner", "ratingDiff"):
            info.pop(unused, None)
        info["status"] = "started"
    infos.sort(key=lambda info: not info["isMyTurn"])
    mine = sum(bool(info["isMyTurn"]) for info in infos)
    return Response({"nbMyTurn": mine, "nowPlaying": infos[:most]})


def post_upgrade(state: AppState, request: Request) -> Response:
    """Turn a new account into a bot permanently."""
    if request.me.is_bot:
        raise ApiError(400, errors.ALREADY_BOT)
    if request.me.games_played or state.world.ongoing(request.me):
        raise ApiError(400, errors.HAS_GAMES)
    request.me.title = "BOT"
    return Response()


def post_token_test(state: AppState, request: Request) -> Response:
    """Return what each of the given tokens grants."""
    found: Json = {}
    for text in request.body.decode("utf-8", "replace").split(",")[:1000]:
        token = state.world.registry.token(text.strip())
        known = None
        if token is not None:
            known = {"userId": token.account_id, "scopes": ",".join(token.scopes), "expires": None}
        found[text.strip()] = known
    return Response(found)


def get_statuses(state: AppState, request: Request) -> Response:
    """Return which of up to 100 users are online or playing."""
    if "ids" not in request.query:
        raise ApiError(400, "Missing query parameter: ids")
    names = [name for name in request.query["ids"].split(",") if name]
    if len(names) > MAX_STATUSES:
        raise ApiError(400, f"Too many IDs: {len(names)} (max {MAX_STATUSES})")
    found = []
    for account in filter(None, map(state.world.registry.find, names)):
        games = state.world.ongoing(account)
        status: Json = {"id": account.id, "name": account.name}
        status |= {"title": account.title} if account.title else {}
        status |= {"online": True} if account.online else {}
        status |= {"playing": True} if games else {}
        if games and trueish(request.query.get("withGameMetas", "")):
            status["playing"] = _game_meta(games[-1])
        elif games and trueish(request.query.get("withGameIds", "")):
            status["playingId"] = games[-1].id
        found.append(status)
    return Response(found)


def _game_meta(game: Game) -> Json:
    """Return id, clock and unusual variant of a running game."""
    found: Json = {"id": game.id}
    if game.spec.control.limit_ms is not None:
        found["clock"] = time_control_json(game.spec.control)["show"]
    return found | ({} if game.spec.variant.key == "standard" else {"variant": game.spec.variant.key})


def get_online_bots(state: AppState, request: Request) -> Response:
    """Return online bots that have a bio, by roles and time played against people (lila `UserRepo.botsByIdsCursor`)."""
    most = _asked_number(request, 100, MAX_ONLINE)
    bots = [one for one in state.world.registry.all() if one.is_bot and one.online and one.bio]
    bots.sort(key=lambda account: account.listed_first, reverse=True)
    return lines_response(user_json(account) for account in bots[:most])


def get_event_stream(state: AppState, request: Request) -> Streaming:
    """Stream running games and pending challenges, then every event. A newer stream closes the older one."""
    world, account, any_clock = state.world, request.me, state.world.config.allow_any_clock
    streams = world.broadcaster.event_streams.setdefault(account.id, [])

    def opened(subscriber: Subscriber) -> None:
        for old in list(streams):
            old.close()
        streams.append(subscriber)
        account.streams += 1
        subscriber.on_close.append(lambda: closed(subscriber))
        for game in world.ongoing(account):
            color = game.color_of(account)
            if color is not None:
                event = json_objects.game_event("gameStart", game, color, world.now_ms(), any_clock)
                subscriber.push(json_line(event))
        for challenge in state.lobby.incoming(account):
            # without a viewer: lila sends `compat` with new challenges only
            subscriber.push(json_line(challenge_event("challenge", challenge, world.base_url)))

    def closed(subscriber: Subscriber) -> None:
        streams.remove(subscriber)
        account.streams -= 1
        account.seen_at_ms = time.time_ns() // 1_000_000

    return streaming(world.config.event_keepalive_s, opened)


_STREAM_SCOPES = ("bot:play", "board:play", "challenge:read")
ACCOUNT_SPECS = [
    Spec("account", "GET", "/api/account", get_account, limit=limits.ACCOUNT),
    Spec("playing", "GET", "/api/account/playing", get_playing),
    Spec(
        "event_stream",
        "GET",
        "/api/stream/event",
        get_event_stream,
        _STREAM_SCOPES,
        limit=limits.EVENT_STREAM,
        limit_text=errors.NO_POLLING,
        stream=True,
    ),
    Spec("upgrade", "POST", "/api/bot/account/upgrade", post_upgrade, ("bot:play",)),
    Spec("online_bots", "GET", "/api/bot/online", get_online_bots, None),
    Spec("token_test", "POST", "/api/token/test", post_token_test, None),
    Spec("users_status", "GET", "/api/users/status", get_statuses, None),
    Spec("user", "GET", "/api/user/{username}", get_user, None),
    Spec("users", "POST", "/api/users", post_users, None),
]
