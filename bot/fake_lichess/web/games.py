"""Games for the page: lists for the lobby, facts beside the board, and the spectators' chat."""

from __future__ import annotations

from collections.abc import Mapping

import chess

from ..errors import ApiError
from ..http.export import ExportOptions, json_of
from ..world import json_objects
from ..world.accounts import Account
from ..world.chat_room import MAX_CHARS
from ..world.clocks import UNLIMITED_MS
from ..world.json_objects import Json
from ..world.server_game import Game
from ..world.world import World

PAGE_LENGTH = 12
RESULTS = ("", "win", "draw", "loss", "white", "black")
ROOM = "spectator"


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


def game_facts(world: World, game_id: str) -> Json:
    """Return the facts that the page shows beside the board; raises ApiError 404."""
    game = world.game(game_id)
    now_ms = world.now_ms()
    left = {color: game.clock.remaining_ms(color, now_ms) for color in chess.COLORS}
    found = json_of(game, world.base_url, ExportOptions(moves=False))
    found |= {
        "variant": json_objects.variant_json(game.spec.variant),
        "initialFen": json_objects.initial_fen(game),
        "uci": list(game.moves),
        "finished": not game.playable,
        "tournament": game.spec.tournament_id,
    }
    if left[chess.WHITE] < UNLIMITED_MS:
        found["wtime"], found["btime"] = left[chess.WHITE], left[chess.BLACK]
    if "clocks" in found:  # the export hides the last plies of a running game, the page shows all
        found["clocks"] = [left_ms // 10 for left_ms in game.clock.history_ms()]
    return found


def spectators_lines(world: World, account: Account | None, game_id: str) -> list[Json]:
    """Return the chat so far, oldest first; raises ApiError."""
    game = _watched(world, account, game_id)
    return [{"user": line.username, "text": line.text} for line in game.chat.lines if line.room == ROOM]


def say_to_spectators(world: World, account: Account | None, game_id: str, fields: Mapping[str, object]) -> Json:
    """Write a chat line; raises ApiError."""
    game = _watched(world, account, game_id)
    if account is None:
        raise ApiError(401, "Sign in to talk.")
    text = str(fields.get("text") or "").strip()
    if not text or len(text) > MAX_CHARS:
        raise ApiError(400, f"Write 1 to {MAX_CHARS} characters.")
    game.say(account.name, text, ROOM, world.now_ms())
    return {"ok": True}


def _watched(world: World, account: Account | None, game_id: str) -> Game:
    game = world.game(game_id)
    if account is not None and game.playable and game.color_of(account) is not None:
        raise ApiError(403, "You play this game. Its spectators chat without you.")
    return game
