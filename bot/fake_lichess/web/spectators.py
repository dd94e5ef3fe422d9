"""The spectators' room of a game: what is said there, and saying something. Players do not read it while they play."""

from __future__ import annotations

from collections.abc import Mapping

from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.chat_room import MAX_CHARS
from bot.fake_lichess.world.game import Game
from bot.fake_lichess.world.json_objects import Json
from bot.fake_lichess.world.world import World

ROOM = "spectator"


def spectators_lines(world: World, account: Account | None, game_id: str) -> list[Json]:
    """Everything said so far, oldest first; raises ApiError."""
    game = _watched(world, account, game_id)
    return [{"user": line.username, "text": line.text} for line in game.chat.lines if line.room == ROOM]


def say_to_spectators(world: World, account: Account | None, game_id: str, fields: Mapping[str, object]) -> Json:
    """Say something; raises ApiError."""
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
        raise ApiError(403, "You play this game: its spectators talk among themselves.")
    return game
