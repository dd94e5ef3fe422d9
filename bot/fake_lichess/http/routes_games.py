"""Games that anyone may read: exports, imports, spectators' streams, and streams of games by users or ids."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Iterable

import chess

from .. import errors
from ..errors import ApiError
from ..wire.responses import Response, Streaming, Subscriber, json_line, streaming
from ..world import json_objects, limits
from ..world.json_objects import STATUS_IDS, Json, clock_json
from ..world.server_game import Game
from ..world.variants import COLOR_NAMES
from .endpoint import AppState, Spec
from .export import PGN, attachment, flag, game_response, games_response, is_wanted, number
from .import_game import import_game
from .request import Request

MAX_LISTED = 300
MAX_USERS, MAX_GAMES, MAX_GAMES_KNOWN = 300, 500, 1000


def get_export(state: AppState, request: Request) -> Response:
    """One game: PGN, or JSON where the client asks for it."""
    return game_response(request, state.world.game(request.params["game_id"]), state.world.base_url)


def get_games_of(state: AppState, request: Request) -> Response:
    """Return a user's games, newest first unless `sort` is dateAsc."""
    account = state.world.account(request.params["username"])
    if request.query.get("vs"):
        state.world.account(request.query["vs"])
    games = [game for game in reversed(state.world.games.values()) if game.color_of(account) is not None]
    chosen = [game for game in games if is_wanted(request, game, account)]
    if request.query.get("sort") == "dateAsc":
        chosen.reverse()
    found = games_response(request, chosen[: number(request, "max", MAX_LISTED)], state.world.base_url)
    today = datetime.datetime.now(datetime.UTC).date()
    suffix = "pgn" if found.media == PGN else "ndjson"
    return dataclasses.replace(found, headers=(attachment(f"lichess_{account.name}_{today}.{suffix}"),))


def post_export_ids(state: AppState, request: Request) -> Response:
    """Return games by their ids, joined by commas in a plain body; unknown ones are left out."""
    ids = request.body.decode("utf-8", "replace").split(",")[:MAX_LISTED]
    found = [state.world.games[text.strip()[:8]] for text in ids if text.strip()[:8] in state.world.games]
    return games_response(request, found, state.world.base_url)


def post_import(state: AppState, request: Request) -> Response:
    """Keep a game that was played elsewhere."""
    game = import_game(state.world, request.text("pgn"))
    return Response({"id": game.id, "url": f"{state.world.base_url}/{game.id}"})


def get_watch(state: AppState, request: Request) -> Streaming:
    """Stream any game: a description, a line per position, and the description again at the end."""
    world = state.world
    game, address = world.game(request.params["game_id"]), request.address
    if world.limiter.enabled and world.watched[address] >= limits.MAX_WATCHED:
        raise ApiError(429, errors.TOO_MANY_AT_ONCE.format(most=limits.MAX_WATCHED))

    def opened(subscriber: Subscriber) -> None:
        subscriber.push_now(json_line(json_objects.watch_head(game)))
        for line in json_objects.watch_past(game):
            subscriber.push(json_line(line))
        world.watched[address] += 1
        world.broadcaster.watch_streams.setdefault(game.id, []).append(subscriber)
        subscriber.on_close.append(lambda: closed(subscriber))
        if not game.playable:
            subscriber.close()

    def closed(subscriber: Subscriber) -> None:
        world.watched[address] -= 1
        watchers = world.broadcaster.watch_streams[game.id]
        watchers.remove(subscriber)
        if not watchers:
            del world.broadcaster.watch_streams[game.id]

    delay_s = _delay_s(world.config.spectator_delay_s, game) if game.playable and not request.from_page else 0.0
    return streaming(world.config.game_keepalive_s, opened, delay_s=delay_s)


def _delay_s(configured: float | None, game: Game) -> float:
    """Return how late spectators see a game: a 60th of its expected length, 3 to 60 s (lila `ApiMoveStream`)."""
    if configured is not None:
        return configured
    control = game.spec.control
    return 60.0 if control.limit_s is None else min(60.0, max(3.0, (control.limit_s + 40 * control.increment_s) // 60))


def get_crosstable(state: AppState, request: Request) -> Response:
    """Return the points of two users against each other in remembered games."""
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
    return Response({"users": points, "nbGames": number})


def streamed_game(game: Game) -> Json:
    """Return the line of a game: its terms, players and state."""
    players: Json = {}
    for color in (chess.WHITE, chess.BLACK):
        player = game.players[color]
        name: Json = {"userId": player.account.id} if player.account is not None else {}
        players[COLOR_NAMES[color]] = name | {"rating": player.rating}
    status: Json = {"status": STATUS_IDS[game.status], "statusName": game.status, "players": players}
    return json_objects.summary(game) | status | clock_json(game.spec.control)


def _words(request: Request, most: int) -> list[str]:
    """Return the words of a plain body, joined by commas; raises ApiError 400 for too many."""
    found = [word.strip() for word in request.body.decode("utf-8", "replace").split(",") if word.strip()]
    if len(found) > most:
        raise ApiError(400, f"Too many ids: at most {most}")
    return found


def _stream_games(
    state: AppState,
    is_wanted: Callable[[Game], bool],
    first: Iterable[Game],
    name: str = "",
    ids: set[str] | None = None,
) -> Streaming:
    """Stream the wanted games: existing ones first, then each when it starts and when it ends.

    Under a `name` further ids may be added to `ids` later.
    """
    world = state.world

    def opened(subscriber: Subscriber) -> None:
        def show(game: Game) -> None:
            if is_wanted(game):
                subscriber.push(json_line(streamed_game(game)))

        def closed() -> None:
            world.broadcaster.other_streams.discard(subscriber)
            world.on_begun.remove(show)
            world.on_finished.remove(show)
            if state.game_streams.get(name) is entry:  # otherwise a later stream uses the name
                del state.game_streams[name]

        for game in list(first):
            show(game)
        world.on_begun.append(show)
        world.on_finished.append(show)
        world.broadcaster.other_streams.add(subscriber)
        subscriber.on_close.append(closed)
        entry = (set() if ids is None else ids, show)
        if name:
            state.game_streams[name] = entry

    return streaming(world.config.game_keepalive_s, opened)


def post_by_users(state: AppState, request: Request) -> Streaming:
    """Return games in which both players are among the users of the body."""
    names = {name.lower() for name in _words(request, MAX_USERS)}

    def is_wanted(game: Game) -> bool:
        return all(player.account is not None and player.account.id in names for player in game.players.values())

    running = [game for game in state.world.games.values() if game.playable]
    return _stream_games(state, is_wanted, running if flag(request, "withCurrentGames", False) else ())


def post_by_ids(state: AppState, request: Request) -> Streaming:
    """Return games by the ids of the body, and by those that are added later."""
    ids = set(_words(request, MAX_GAMES if request.account is None else MAX_GAMES_KNOWN))
    games = state.world.games.values()
    return _stream_games(state, lambda game: game.id in ids, games, request.params["stream_id"], ids)


def post_add(state: AppState, request: Request) -> Response:
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
    return Response()


def get_spectators_chat(state: AppState, request: Request) -> Response:
    """Return the chat of a game's spectators."""
    lines = state.world.game(request.params["game_id"]).chat.lines
    return Response([{"text": said.text, "user": said.username} for said in lines if said.room == "spectator"])


GAMES_SPECS = [
    Spec("export", "GET", "/game/export/{game_id}", get_export, None),
    Spec("import", "POST", "/api/import", post_import, None),
    Spec("export_ids", "POST", "/api/games/export/_ids", post_export_ids, None, old_path="/games/export/_ids"),
    Spec("games_of", "GET", "/api/games/user/{username}", get_games_of, None, old_path="/games/export/{username}"),
    Spec("watch", "GET", "/api/stream/game/{game_id}", get_watch, None, stream=True),
    Spec("crosstable", "GET", "/api/crosstable/{user1}/{user2}", get_crosstable, None, limit=limits.CROSSTABLE),
    Spec("games_by_users", "POST", "/api/stream/games-by-users", post_by_users, None, stream=True),
    Spec("games_by_ids", "POST", "/api/stream/games/{stream_id}", post_by_ids, None, stream=True),
    Spec("games_by_ids_add", "POST", "/api/stream/games/{stream_id}/add", post_add, None),
    Spec("spectators_chat", "GET", "/api/game/{game_id}/chat", get_spectators_chat, None),
]
