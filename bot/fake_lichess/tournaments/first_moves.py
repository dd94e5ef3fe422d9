"""How long a player of a tournament may wait with the first move, and what becomes of who does not make it."""

from __future__ import annotations

from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.game import Game
from bot.fake_lichess.world.outcome import Outcome

# Milliseconds by speed (lila `Game.timeForFirstMove`)
ARENA_MS = {"ultraBullet": 11_000, "bullet": 16_000, "blitz": 21_000, "rapid": 25_000, "classical": 30_000}
OTHER_MS = {"ultraBullet": 15_000, "bullet": 20_000, "blitz": 25_000, "rapid": 30_000, "classical": 35_000}


def end_late_start(game: Game, wall_ms: int, now_ms: float) -> Account | None:
    """End a game whose side to move has not made its first move in time; returns who that was.

    `wall_ms`: epoch milliseconds, `now_ms`: the clock of all games.
    """
    allowed = game.spec.first_move_ms
    if not game.playable or game.both_moved or allowed is None or wall_ms - game.last_move_at_ms < allowed:
        return None
    late = game.players[game.board.turn].account
    game.finish(Outcome("noStart", not game.board.turn), now_ms)
    return late
