"""Streams of games as they start and end: between users, or by ids; and what spectators said of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import chess
from starlette.types import Receive, Send

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.http.endpoint import AppState, Spec
from bot.fake_lichess.http.export_query import flag
from bot.fake_lichess.http.request import Request
from bot.fake_lichess.wire import encoding
from bot.fake_lichess.wire.answer import Answer, Streaming
from bot.fake_lichess.wire.streams import Subscriber, serve_lines
from bot.fake_lichess.world.game import Game
from bot.fake_lichess.world.json_objects import STATUS_IDS, Json, clock_json
from bot.fake_lichess.world.variants import COLOR_NAMES

MAX_USERS, MAX_GAMES, MAX_GAMES_KNOWN = 300, 500, 1000


def streamed_game(game: Game) -> Json:
    """A game's line: what it is, who plays, and how it stands."""
    players: Json = {}
    for color in (chess.WHITE, chess.BLACK):
        player = game.players[color]
        name: Json = {"userId": player.account.id} if player.account is not None else {}
        players[COLOR_NAMES[color]] = name | {"rating": player.rating}
    found: Json = {
        "id": game.id,
        "rated": game.spec.rated,
        "variant": game.spec.variant.key,
        "speed": game.spec.speed,
        "perf": game.spec.perf,
        "createdAt": game.created_at_ms,
        "status": STATUS_IDS[game.status],
        "statusName": game.status,
        "players": players,
        **clock_json(game.spec.control),
    }
    return found | ({"winner": COLOR_NAMES[game.winner]} if game.winner is not None else {})


def _words(request: Request, most: int) -> list[str]:
    """The words of a plain body, joined by commas; raises ApiError 400 for too many."""
    found = [word.strip() for word in request.body.decode("utf-8", "replace").split(",") if word.strip()]
    if len(found) > most:
        raise ApiError(400, f"Too many ids: at most {most}")
    return found


class _Games:
    """The games that are wanted: those that exist first, then each when it starts and when it ends."""

    def __init__(
        self, state: AppState, is_wanted: Callable[[Game], bool], first: Iterable[Game], name: str = ""
    ) -> None:
        self.state, self.is_wanted, self.first, self.name = state, is_wanted, list(first), name
        self.subscriber: Subscriber | None = None

    def show(self, game: Game) -> None:
        """Send a game, where it is wanted."""
        if self.subscriber is not None and self.is_wanted(game):
            self.subscriber.push(encoding.line(streamed_game(game)))

    async def __call__(self, receive: Receive, send: Send) -> None:
        """Serve until one side ends it."""
        world = self.state.world
        self.subscriber = subscriber = Subscriber(world.config.game_keepalive_s)
        for game in self.first:
            self.show(game)
        world.on_begun.append(self.show)
        world.on_finished.append(self.show)
        world.broadcaster.other_streams.add(subscriber)
        await serve_lines(subscriber, receive, send)
        world.broadcaster.other_streams.discard(subscriber)
        world.on_begun.remove(self.show)
        world.on_finished.remove(self.show)
        named = self.state.game_streams.get(self.name)
        if named is not None and named[1] == self.show:  # else a later stream has taken the name
            del self.state.game_streams[self.name]


def post_by_users(state: AppState, request: Request) -> Streaming:
    """Games in which both players are among the users of the body."""
    names = {name.lower() for name in _words(request, MAX_USERS)}

    def is_wanted(game: Game) -> bool:
        return all(player.account is not None and player.account.id in names for player in game.players.values())

    running = [game for game in state.world.games.values() if game.playable]
    return _Games(state, is_wanted, running if flag(request, "withCurrentGames", False) else ())


def post_by_ids(state: AppState, request: Request) -> Streaming:
    """Games by the ids of the body, and by those that are added later."""
    ids = set(_words(request, MAX_GAMES if request.account is None else MAX_GAMES_KNOWN))
    name = request.params["stream_id"]
    stream = _Games(state, lambda game: game.id in ids, state.world.games.values(), name)
    state.game_streams[name] = (ids, stream.show)
    return stream


def post_add(state: AppState, request: Request) -> Answer:
    """Watch more games in a stream that is open."""
    found = state.game_streams.get(request.params["stream_id"])
    if found is None:
        raise ApiError(404, errors.NOT_FOUND)
    ids, show = found
    added = [game_id for game_id in _words(request, MAX_GAMES) if game_id not in ids]
    ids.update(added)
    for game_id in added:
        if game_id in state.world.games:
            show(state.world.games[game_id])
    return Answer()


def get_spectators_chat(state: AppState, request: Request) -> Answer:
    """What the spectators of a game have said."""
    lines = state.world.game(request.params["game_id"]).chat.lines
    return Answer([{"text": said.text, "user": said.username} for said in lines if said.room == "spectator"])


GAME_STREAM_SPECS = [
    Spec("games_by_users", "POST", "/api/stream/games-by-users", post_by_users, None, stream=True),
    Spec("games_by_ids", "POST", "/api/stream/games/{stream_id}", post_by_ids, None, stream=True),
    Spec("games_by_ids_add", "POST", "/api/stream/games/{stream_id}/add", post_add, None),
    Spec("spectators_chat", "GET", "/api/game/{game_id}/chat", get_spectators_chat, None),
]
