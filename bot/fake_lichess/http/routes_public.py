"""What anyone may read: games to watch and to export, records between players, explorer, cloud and tablebase stubs."""

from __future__ import annotations

from starlette.types import Receive, Send

from bot.fake_lichess.http.endpoint import AppState, Spec
from bot.fake_lichess.http.export import json_of, pgn_of
from bot.fake_lichess.http.export_query import PGN, games_answer, is_wanted, number, read_options
from bot.fake_lichess.http.import_game import import_game
from bot.fake_lichess.http.request import Request
from bot.fake_lichess.wire import encoding
from bot.fake_lichess.wire.answer import Answer, Streaming
from bot.fake_lichess.wire.streams import Subscriber, serve_lines
from bot.fake_lichess.world import json_objects
from bot.fake_lichess.world.game import Game

MAX_LISTED = 300


def get_export(state: AppState, request: Request) -> Answer:
    """One game: PGN, or JSON where the client asks for it."""
    game, base_url = state.world.game(request.params["game_id"]), state.world.base_url
    options = read_options(request, single=True)
    if "json" in request.headers.get("accept", ""):
        return Answer(json_of(game, base_url, options))
    return Answer(pgn_of(game, base_url, options).encode(), media=PGN)


def get_games_of(state: AppState, request: Request) -> Answer:
    """A user's games, newest first unless `sort` is dateAsc."""
    account = state.world.account(request.params["username"])
    games = [game for game in reversed(state.world.games.values()) if game.color_of(account) is not None]
    chosen = [game for game in games if is_wanted(request, game, account)]
    if request.query.get("sort") == "dateAsc":
        chosen.reverse()
    return games_answer(request, chosen[: number(request, "max", MAX_LISTED)], state.world.base_url)


def post_export_ids(state: AppState, request: Request) -> Answer:
    """Games by their ids, joined by commas in a plain body; unknown ones are left out."""
    ids = request.body.decode("utf-8", "replace").split(",")[:MAX_LISTED]
    found = [state.world.games[text.strip()[:8]] for text in ids if text.strip()[:8] in state.world.games]
    return games_answer(request, found, state.world.base_url)


def post_import(state: AppState, request: Request) -> Answer:
    """Keep a game that was played elsewhere."""
    game = import_game(state.world, request.text("pgn"))
    return Answer({"id": game.id, "url": f"{state.world.base_url}/{game.id}"})


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
    Spec("import", "POST", "/api/import", post_import, None),
    Spec("export_ids", "POST", "/api/games/export/_ids", post_export_ids, None),
    Spec("games_of", "GET", "/api/games/user/{username}", get_games_of, None),
    Spec("watch", "GET", "/api/stream/game/{game_id}", get_watch, None, stream=True),
    Spec("crosstable", "GET", "/api/crosstable/{user1}/{user2}", get_crosstable, None),
]
