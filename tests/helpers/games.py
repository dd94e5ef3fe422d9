"""Game values for tests of the bot's pure parts."""

from __future__ import annotations

from typing import Any

from bot.events.game import GameFull, GameState, Player
from bot.play.game import Game

ME = Player("bot88", "bot88", "BOT", 2000)
OTHER = Player("alice", "Alice", rating=1700)
AI = Player("", "", ai_level=3)


def state(moves: str = "", *, wtime_ms: int = 60_000, btime_ms: int = 60_000, **fields: Any) -> GameState:
    """A state after the moves, separated by spaces."""
    return GameState(tuple(moves.split()), wtime_ms, btime_ms, **fields)


def full(
    game_state: GameState | None = None,
    *,
    white: Player = ME,
    black: Player = OTHER,
    variant: str = "standard",
    initial_fen: str = "startpos",
    speed: str = "bullet",
    initial_ms: int | None = 60_000,
    increment_ms: int | None = 0,
    rated: bool = False,
) -> GameFull:
    """A first line; one minute for each side unless said otherwise."""
    return GameFull(
        game_id="abcdefgh",
        variant=variant,
        speed=speed,
        rated=rated,
        white=white,
        black=black,
        initial_fen=initial_fen,
        state=game_state or state(),
        initial_ms=initial_ms,
        increment_ms=increment_ms,
    )


def game(game_state: GameState | None = None, *, now_s: float = 100.0, **fields: Any) -> Game:
    """A game seen at `now_s`."""
    return Game(full(game_state, **fields), "bot88", now_s)
