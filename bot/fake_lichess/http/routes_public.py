"""What anyone may read: games to watch and to export, records between players, explorer, cloud and tablebase stubs."""

from __future__ import annotations

import chess
from starlette.types import Receive, Send

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.http.endpoint import AppState, Spec
from bot.fake_lichess.http.export import json_of, pgn_of
from bot.fake_lichess.http.request import Request, trueish
from bot.fake_lichess.wire import encoding
from bot.fake_lichess.wire.answer import Answer, Streaming
from bot.fake_lichess.wire.streams import Subscriber, serve_lines
from bot.fake_lichess.world import json_objects
from bot.fake_lichess.world.game import Game
from bot.fake_lichess.world.json_objects import Json
from bot.fake_lichess.world.variants import COLOR_NAMES, COLORS, SPEED_NAMES, VARIANTS

NDJSON, PGN = "application/x-ndjson", "application/x-chess-pgn"
CHANNELS = {"best": None, "bot": None, "computer": None} | dict.fromkeys(SPEED_NAMES) | dict.fromkeys(VARIANTS)
MAX_LISTED = 300


def _number(request: Request, name: str, default: int) -> int:
    text = request.query.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else default


def _flag(request: Request, name: str, default: bool) -> bool:
    return trueish(request.query[name]) if name in request.query else default


def _as_json(state: AppState, request: Request, game: Game) -> Json:
    wanted = {name: _flag(request, key, name == "moves") for name, key in _JSON_FLAGS.items()}
    return json_of(game, state.world.base_url, **wanted)


_JSON_FLAGS = {"moves": "moves", "pgn": "pgnInJson", "clocks": "clocks"}


def get_export(state: AppState, request: Request) -> Answer:
    """One game: PGN, or JSON where the client asks for it."""
    game = state.world.game(request.params["game_id"])
    if "json" in request.headers.get("accept", ""):
        return Answer(_as_json(state, request, game))
    text = pgn_of(game, state.world.base_url, clocks=_flag(request, "clocks", True))
    return Answer(text.encode(), media=PGN)


def get_games_of(state: AppState, request: Request) -> Answer:
    """A user's games, newest first."""
    account = state.world.account(request.params["username"])
    games = [game for game in reversed(state.world.games.values()) if game.color_of(account) is not None]
    chosen = [game for game in games if _is_wanted(state, request, game)][: _number(request, "max", MAX_LISTED)]
    if "ndjson" in request.headers.get("accept", ""):
        return Answer(b"".join(encoding.line(_as_json(state, request, game)) for game in chosen), media=NDJSON)
    texts = [pgn_of(game, state.world.base_url, clocks=_flag(request, "clocks", False)) for game in chosen]
    return Answer("".join(texts).encode(), media=PGN)


def _is_wanted(state: AppState, request: Request, game: Game) -> bool:
    if game.playable and not _flag(request, "ongoing", False):
        return False
    if not game.playable and not _flag(request, "finished", True):
        return False
    if "rated" in request.query and trueish(request.query["rated"]) != game.spec.rated:
        return False
    names = [player.account.id if player.account else "" for player in game.players.values()]
    if request.query.get("vs", "").lower() not in ("", *names):
        return False
    color = COLORS.get(request.query.get("color", ""))
    account = state.world.account(request.params["username"])
    return color is None or game.color_of(account) == color


def _running(state: AppState, channel: str) -> list[Game]:
    games = [game for game in reversed(state.world.games.values()) if game.playable]
    if channel == "bot":
        return [game for game in games if all(p.account and p.account.is_bot for p in game.players.values())]
    if channel == "computer":
        return [game for game in games if any(p.account is None for p in game.players.values())]
    return games if channel == "best" else [game for game in games if game.spec.perf == channel]


def get_channels(state: AppState, _call: Request) -> Answer:
    """The newest running game of each channel that has one."""
    found: Json = {}
    for channel in CHANNELS:
        games = _running(state, channel)
        if games:
            color = chess.WHITE
            player = games[0].players[color]
            user = {"id": player.account.id if player.account else None, "name": player.name}
            found[channel] = {
                "user": user,
                "rating": player.rating,
                "gameId": games[0].id,
                "color": COLOR_NAMES[color],
            }
    return Answer(found)


def get_channel(state: AppState, request: Request) -> Answer:
    """The running games of a channel, newest first: `best` has them all."""
    if request.params["channel"] not in CHANNELS:
        raise ApiError(404, errors.NOT_FOUND)
    games = _running(state, request.params["channel"])[: max(1, min(30, _number(request, "nb", 10)))]
    return Answer(b"".join(encoding.line(_as_json(state, request, game)) for game in games), media=NDJSON)


def get_watch(state: AppState, request: Request) -> Streaming:
    """Watch any game: the game, a line per position, the game again at its end."""
    return _Watching(state, state.world.game(request.params["game_id"]))


class _Watching:
    def __init__(self, state: AppState, game: Game) -> None:
        self.state, self.game = state, game

    async def __call__(self, receive: Receive, send: Send) -> None:
        """Serve until one side ends it."""
        broadcaster, game = self.state.world.broadcaster, self.game
        subscriber = Subscriber(self.state.world.config.game_keepalive_s)
        subscriber.push(encoding.line(json_objects.watch_head(game)))
        for line in json_objects.watch_past(game):
            subscriber.push(encoding.line(line))
        watchers = broadcaster.watch_streams.setdefault(game.id, [])
        watchers.append(subscriber)

        def close() -> None:
            watchers.remove(subscriber)
            if not watchers:
                broadcaster.watch_streams.pop(game.id, None)

        subscriber.on_close.append(close)
        if not game.playable:
            subscriber.close()
        await serve_lines(subscriber, receive, send)


def get_crosstable(state: AppState, request: Request) -> Answer:
    """Points of two users against each other, in the games that are remembered."""
    one, other = state.world.account(request.params["user1"]), state.world.account(request.params["user2"])
    points, number = {one.id: 0.0, other.id: 0.0}, 0
    for game in state.world.games.values():
        color = game.color_of(one)
        if game.playable or game.status == "aborted" or color is None or game.players[not color].account is not other:
            continue
        number += 1
        score = 0.5 if game.winner is None else float(game.winner == color)
        points[one.id] += score
        points[other.id] += 1 - score
    return Answer({"users": points, "nbGames": number})


PUBLIC_SPECS = [
    Spec("export", "GET", "/game/export/{game_id}", get_export, None),
    Spec("games_of", "GET", "/api/games/user/{username}", get_games_of, None),
    Spec("tv_channels", "GET", "/api/tv/channels", get_channels, None),
    Spec("tv_channel", "GET", "/api/tv/{channel}", get_channel, None),
    Spec("watch", "GET", "/api/stream/game/{game_id}", get_watch, None, stream=True),
    Spec("crosstable", "GET", "/api/crosstable/{user1}/{user2}", get_crosstable, None),
]
