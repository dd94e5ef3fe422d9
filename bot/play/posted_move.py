"""A move on its way to the server, and what our clock showed when its turn began: together they measure the lag."""

from __future__ import annotations

import threading

from bot.backoff import Backoff
from bot.play.game import Game
from bot.play.lag import clock_loss_ms

JITTER = 0.1  # one game posts one move: there is no crowd to scatter
RETRY_FIRST_S, RETRY_MOST_S = 0.1, 1.0  # after failures of network or server; the first retry is made at once
REFUSED_FIRST_S, REFUSED_MOST_S = (
    0.5,
    5.0,
)  # after refusals: mostly the stream is about to show the move


class PostedMove:
    """One move, posted until the server's state shows it or its position is gone; then `settled` is set.

    `game` is read once, when the move leaves, and not kept.
    """

    def __init__(self, game: Game, uci: str, *, offering_draw: bool = False) -> None:
        self.revision = game.revision
        self.uci = uci
        self.offering_draw = offering_draw
        self.settled = threading.Event()
        self.posted_s: float | None = None  # monotonic start of the latest POST
        self.accepted = False  # some POST was answered with success
        self.posts = 0
        self.hedges = 0  # further POSTs begun because one got no answer
        self.failed = Backoff(RETRY_FIRST_S, RETRY_MOST_S, immediate=1, jitter=JITTER)
        self.refused = Backoff(REFUSED_FIRST_S, REFUSED_MOST_S, jitter=JITTER)
        self._clock_ms = game.my_clock_ms
        self._clocks_told_s = game.clocks_told_s
        self._ply = game.ply
        self._measurable = game.clock_runs and game.turn_seen and not game.is_correspondence

    def loss_ms(self, game: Game) -> float | None:
        """What the move cost our clock beyond the time we know we spent; None where that cannot be told.

        `game` has just been folded to a state after the move. With a move taken back, or a turn whose beginning we did
        not see, our watch and the server's did not run together.
        """
        if not self._measurable or self.posted_s is None or not self._shown_in(game):
            return None
        spent_ms = (self.posted_s - self._clocks_told_s) * 1000
        return clock_loss_ms(self._clock_ms, spent_ms, game.my_increment_ms, game.my_clock_ms)

    def _shown_in(self, game: Game) -> bool:
        return self._ply < game.ply <= self._ply + 2 and game.state.moves[self._ply] == self.uci
