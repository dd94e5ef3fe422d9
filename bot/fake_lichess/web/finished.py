"""The lists of running and finished games in the lobby."""

from __future__ import annotations

from collections.abc import Mapping

import chess

from bot.fake_lichess.http.export import ExportOptions, json_of
from bot.fake_lichess.world import json_objects
from bot.fake_lichess.world.game import Game
from bot.fake_lichess.world.json_objects import Json
from bot.fake_lichess.world.world import World

PAGE_LENGTH = 12
RESULTS = ("", "win", "draw", "loss", "white", "black")


def finished_games(world: World, query: Mapping[str, str]) -> Json:
    """Return one page of finished games, newest first: `games`, and whether there are `more`.

    `query`: `player` (an account's id), `variant`, `rated` ("true", "false"), `result` ("white", "black", "draw", or
    for a chosen player "win", "loss"), `page` from 0. Raises ValueError for another result or page.
    """
    result, page = query.get("result", ""), query.get("page", "0")
    if result not in RESULTS:
        raise ValueError(f"result {result[:20]!r}: one of win, draw, loss, white, black")
    if not (page.isascii() and page.isdigit() and len(page) < 6):
        raise ValueError(f"page {page[:20]!r}: a number from 0")
    found = [game for game in reversed(world.games.values()) if not game.playable and _is_wanted(game, query)]
    start = int(page) * PAGE_LENGTH
    shown = found[start : start + PAGE_LENGTH]
    return {"games": [_listed(game, world.base_url) for game in shown], "more": len(found) > start + PAGE_LENGTH}


def running_games(world: World) -> list[Json]:
    """Return the newest running games, with their current position."""
    found = [game for game in reversed(world.games.values()) if game.playable]
    return [_listed(game, world.base_url) | {"lastFen": game.board.fen()} for game in found[:PAGE_LENGTH]]


def _is_wanted(game: Game, query: Mapping[str, str]) -> bool:
    player, variant, rated = query.get("player", ""), query.get("variant", ""), query.get("rated", "")
    color = _color_of(game, player)
    if (player and color is None) or (variant and game.spec.variant.key != variant):
        return False
    return (not rated or game.spec.rated == (rated == "true")) and _has_result(game, query.get("result", ""), color)


def _color_of(game: Game, player: str) -> chess.Color | None:
    seats = [(color, seat.account) for color, seat in game.players.items()]
    return next((color for color, account in seats if account is not None and account.id == player), None)


def _has_result(game: Game, result: str, color: chess.Color | None) -> bool:
    if not result:
        return True
    if game.status in ("aborted", "noStart"):
        return False
    if result == "draw":
        return game.winner is None
    if result in ("white", "black"):
        return game.winner == (chess.WHITE if result == "white" else chess.BLACK)
    if color is None or game.winner is None:
        return False
    return (game.winner == color) == (result == "win")


def _listed(game: Game, base_url: str) -> Json:
    found = json_of(game, base_url, ExportOptions(moves=False, clocks=False, last_fen=True))
    return found | {
        "variant": json_objects.variant_json(game.spec.variant),
        "plies": len(game.moves),
        "lastMove": game.moves[-1] if game.moves else "",
    }
