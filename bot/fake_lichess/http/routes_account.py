"""Accounts: one's own, others', tokens, presence, and the account's event stream."""

from __future__ import annotations

import time

from starlette.types import Receive, Send

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.http.endpoint import Site, Spec
from bot.fake_lichess.http.request import Call, trueish
from bot.fake_lichess.wire import encoding
from bot.fake_lichess.wire.answer import Answer, Streaming
from bot.fake_lichess.wire.streams import Subscriber, serve_lines
from bot.fake_lichess.world import json_objects, limits
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.challenges import challenge_event
from bot.fake_lichess.world.json_objects import Json

MAX_PLAYING, MAX_STATUSES, MAX_ONLINE = 50, 100, 512
NDJSON = "application/x-ndjson"


def user_json(account: Account) -> Json:
    """A user as lists show it."""
    perfs = {
        name: {"games": perf.games, "rating": perf.rating, "rd": 45, "prog": perf.progress}
        | ({"prov": True} if perf.games < 10 else {})
        for name, perf in account.perfs.items()
    }
    found: Json = {
        "id": account.id,
        "username": account.name,
        "perfs": perfs,
        "createdAt": account.created_at_ms,
        "seenAt": account.seen_at_ms or account.created_at_ms,
        "playTime": {"total": 0, "tv": 0},
    }
    return found | ({"title": account.title} if account.title else {})


def extended_json(site: Site, account: Account) -> Json:
    """A user's page: with counts and links."""
    record, playing = account.record, site.world.ongoing(account)
    count = {
        "all": account.games_played,
        "rated": record["rated"],
        "draw": record["draw"],
        "loss": record["loss"],
        "win": record["win"],
        "bookmark": 0,
        "playing": len(playing),
        "import": 0,
        "me": 0,
    }
    found = user_json(account) | {"url": f"{site.world.base_url}/@/{account.name}", "count": count}
    if playing:
        found["playing"] = f"{site.world.base_url}/{playing[-1].id}"
    return found


def get_account(site: Site, call: Call) -> Answer:
    """One's own account."""
    for perf in ("bullet", "blitz", "rapid", "classical", "correspondence"):
        call.me.perf(perf)
    return Answer(extended_json(site, call.me) | {"followable": True, "following": False, "blocking": False})


def get_user(site: Site, call: Call) -> Answer:
    """Anyone's account."""
    return Answer(extended_json(site, site.world.account(call.params["username"])))


def post_users(site: Site, call: Call) -> Answer:
    """Accounts by their names, joined by commas in a plain body; unknown ones are left out."""
    names = call.body.decode("utf-8", "replace").split(",")[:300]
    found = [site.world.registry.find(name.strip()) for name in names]
    return Answer([user_json(account) for account in found if account is not None])


def get_playing(site: Site, call: Call) -> Answer:
    """One's running games."""
    world = site.world
    try:
        most = min(MAX_PLAYING, max(1, int(call.query.get("nb", "9"))))
    except ValueError as error:
        raise ApiError(400, f"Invalid nb: {call.query['nb'][:20]}") from error
    games = [(game, game.color_of(call.me)) for game in world.ongoing(call.me)]
    infos = [json_objects.game_info(game, color, world.now_ms()) for game, color in games if color is not None]
    for info in infos:
        for unused in ("status", "rating", "winner", "ratingDiff"):
            info.pop(unused, None)
    infos.sort(key=lambda info: not info["isMyTurn"])
    mine = sum(bool(info["isMyTurn"]) for info in infos)
    return Answer({"nbMyTurn": mine, "nowPlaying": infos[:most]})


def post_upgrade(site: Site, call: Call) -> Answer:
    """Turn a fresh account into a bot, for good."""
    if call.me.is_bot:
        raise ApiError(400, errors.ALREADY_BOT)
    if call.me.games_played or site.world.ongoing(call.me):
        raise ApiError(400, errors.HAS_GAMES)
    call.me.title = "BOT"
    return Answer()


def post_token_test(site: Site, call: Call) -> Answer:
    """What each of the given tokens grants."""
    found: Json = {}
    for text in call.body.decode("utf-8", "replace").split(",")[:1000]:
        token = site.world.registry.token(text.strip())
        known = None
        if token is not None:
            known = {"userId": token.account_id, "scopes": ",".join(token.scopes), "expires": None}
        found[text.strip()] = known
    return Answer(found)


def get_statuses(site: Site, call: Call) -> Answer:
    """Who of up to 100 users is online or playing."""
    names = [name for name in call.query.get("ids", "").split(",") if name]
    if len(names) > MAX_STATUSES:
        raise ApiError(400, f"Too many IDs: {len(names)} (max {MAX_STATUSES})")
    found = []
    for account in filter(None, map(site.world.registry.find, names)):
        games = site.world.ongoing(account)
        status: Json = {"id": account.id, "name": account.name}
        status |= {"title": account.title} if account.title else {}
        status |= {"online": True} if account.online else {}
        status |= {"playing": True} if games else {}
        if games and trueish(call.query.get("withGameIds", "")):
            status["playingId"] = games[-1].id
        found.append(status)
    return Answer(found)


def get_online_bots(site: Site, call: Call) -> Answer:
    """Bots that follow their event stream."""
    try:
        most = min(MAX_ONLINE, max(1, int(call.query.get("nb", "100"))))
    except ValueError as error:
        raise ApiError(400, f"Invalid nb: {call.query['nb'][:20]}") from error
    bots = [account for account in site.world.registry.all() if account.is_bot and account.online]
    return Answer(b"".join(encoding.line(user_json(account)) for account in bots[:most]), media=NDJSON)


def get_event_stream(site: Site, call: Call) -> Streaming:
    """Open the account's event stream."""
    return _EventStreaming(site, call.me)


class _EventStreaming:
    """Running games and pending challenges, then every event; a newer stream closes the older one."""

    def __init__(self, site: Site, account: Account) -> None:
        self.site, self.account = site, account

    async def __call__(self, receive: Receive, send: Send) -> None:
        """Serve until one side ends it."""
        subscriber = Subscriber(self.site.world.config.event_keepalive_s)
        self._open(subscriber)
        await serve_lines(subscriber, receive, send)

    def _open(self, subscriber: Subscriber) -> None:
        world, account = self.site.world, self.account
        for old in list(world.herald.event_streams.get(account.id, ())):
            old.close()
        world.herald.event_streams.setdefault(account.id, []).append(subscriber)
        account.streams += 1
        subscriber.on_close.append(lambda: self._close(subscriber))
        for game in world.ongoing(account):
            color = game.color_of(account)
            if color is not None:
                subscriber.push(encoding.line(json_objects.game_event("gameStart", game, color, world.now_ms())))
        for challenge in self.site.lobby.incoming(account):
            event = challenge_event("challenge", challenge, world.base_url)
            del event["compat"]  # lila sends it with new challenges only
            subscriber.push(encoding.line(event))

    def _close(self, subscriber: Subscriber) -> None:
        self.site.world.herald.event_streams[self.account.id].remove(subscriber)
        self.account.streams -= 1
        self.account.seen_at_ms = time.time_ns() // 1_000_000


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
