"""A move on its way, and what our clock showed when its turn began: together they measure the lag."""

from __future__ import annotations

from bot.game import Game
from bot.lag import clock_loss_ms
from bot.outbox import Delivery


class SentMove:
    """Made when the move leaves; `game` is copied from, not kept."""

    def __init__(self, delivery: Delivery, game: Game) -> None:
        self.delivery = delivery
        self._clock_ms = game.my_clock_ms
        self._turn_began_s = game.turn_began_s
        self._ply = game.ply
        self._measurable = game.clock_runs and game.turn_seen and not game.is_correspondence

    def loss_ms(self, game: Game) -> float | None:
        """What the move cost our clock beyond the time we know we spent; None where that cannot be told.

        `game` has just been folded to a state after the move. With a move taken back, or a turn whose beginning we did
        not see, our watch and the server's did not run together.
        """
        posted_s = self.delivery.posted_s
        if not self._measurable or posted_s is None or not self._shown_in(game):
            return None
        spent_ms = (posted_s - self._turn_began_s) * 1000
        return clock_loss_ms(self._clock_ms, spent_ms, game.my_increment_ms, game.my_clock_ms)

    def _shown_in(self, game: Game) -> bool:
        return self._ply < game.ply <= self._ply + 2 and game.state.moves[self._ply] == self.delivery.uci
