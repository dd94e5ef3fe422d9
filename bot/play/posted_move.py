"""A move on its way, and what our clock showed when its turn began: together they measure the lag."""

from __future__ import annotations

from bot.play.game import Game
from bot.play.lag import LagMeter, clock_loss_ms
from bot.play.outbox import Delivery, Outbox


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


class Mail:
    """One game's moves on their way: at most one, until the state shows it or its position is gone."""

    def __init__(self, outbox: Outbox, lag: LagMeter) -> None:
        self.outbox = outbox
        self._lag = lag
        self._sent: SentMove | None = None

    @property
    def under_way(self) -> bool:
        """Whether a move of ours is waiting to be shown."""
        return self._sent is not None

    def send(self, game: Game, uci: str, offering_draw: bool) -> None:
        """Start delivering the move for the present position; returns at once."""
        delivery = Delivery(game.revision, uci, offering_draw)
        self._sent = SentMove(delivery, game)
        self.outbox.send(delivery)

    def settle(self, game: Game) -> None:
        """Let go of a move that the state shows, or that belongs to a position which is gone; measure what it cost."""
        sent = self._sent
        if sent is None or sent.delivery.revision == game.revision:
            return
        sent.delivery.settled.set()
        self._sent = None
        loss_ms = sent.loss_ms(game)
        if loss_ms is not None:
            self._lag.saw_loss(loss_ms)
