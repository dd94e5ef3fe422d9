"""Posts our move until the server's state shows it, the position has changed, or the game is over.

One worker thread per game waits for moves, so that a move leaves the moment it is known. A POST that gets no answer is
hedged: another worker posts again, for a move posted twice is refused by the server without harm and a move not posted
loses on time.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

import structlog

from bot.backoff import is_worth_a_line
from bot.errors import LichessError, NetworkError, RateLimited, Rejected, Unauthorized
from bot.play.game import Game
from bot.play.lag import LagMeter
from bot.play.posted_move import PostedMove
from bot.play.threads import start_thread

CONFIRM_S = 2.0  # after an accepted POST the stream shows the move within this, or the stream is not to be trusted
LIMITED_S = 1.0  # a limited move is tried again after about this, whatever the limit says: the clock runs
HEDGE_AFTER_S = 1.5  # a POST without an answer for so long is hedged by another
MAX_HEDGES = 4  # workers that may hang on one move at once, besides the first

PostMove = Callable[[str, bool], object]

log = structlog.get_logger(__name__)


class Outbox:
    """The moves of one game on their way to the server, at most one at a time.

    `post(uci, offering_draw)` raises LichessError. `reopen_stream(why)` is called, from the posting thread, when the
    stream should have shown the move and has not. `send`, `settle` and `pending` are for the game loop, under its lock.
    """

    def __init__(self, game_id: str, post: PostMove, reopen_stream: Callable[[str], None], lag: LagMeter) -> None:
        self._game_id = game_id
        self._post = post
        self._reopen_stream = reopen_stream
        self._lag = lag
        self._lock = threading.Lock()
        self._workers = 0
        self._posting = 0  # POSTs that wait for an answer now
        self._current: PostedMove | None = None
        self._queue: queue.SimpleQueue[PostedMove | None] = queue.SimpleQueue()

    def start(self) -> bool:
        """Start the worker, so that the first move finds it waiting; False where that cannot be for the moment."""
        return self._workers > 0 or self._start_worker()

    @property
    def pending(self) -> bool:
        """Whether a move of ours is waiting to be shown."""
        return self._current is not None

    def send(self, game: Game, uci: str, *, offering_draw: bool = False) -> PostedMove:
        """Start posting the move for the present position; returns at once."""
        move = PostedMove(game, uci, offering_draw=offering_draw)
        with self._lock:
            self._current = move
            busy = self._posting > 0 or not self._workers
        self._queue.put(move)
        if busy:  # the worker still waits for an answer about an earlier move: it must not hold this one
            self._start_worker()
        return move

    def settle(self, game: Game) -> float | None:
        """Let go of a move that the state shows, or that belongs to a position which is gone.

        Returns what the move cost our clock beyond the time we know we spent, in ms; None where that is not known.
        """
        move = self._current
        if move is None or move.revision == game.revision:
            return None
        self._settle(move)
        loss_ms = move.loss_ms(game)
        if loss_ms is not None:
            self._lag.add_loss(loss_ms)
        return loss_ms

    def tick(self, now_s: float) -> None:
        """Hedge a POST that hangs; replace a worker that could not be started."""
        with self._lock:
            move = self._current
            if move is None:
                return
            unserved = not self._workers
            hangs = self._posting > 0 and move.posted_s is not None and now_s - move.posted_s > HEDGE_AFTER_S
        if unserved:
            self._start_worker()
        elif hangs and move.hedges < MAX_HEDGES and self._start_worker():
            move.hedges += 1
            log.warning("move_post_hangs", game_id=self._game_id, move=move.uci, hedge=move.hedges)
            self._queue.put(move)

    def close(self) -> None:
        """Drop what is under way and end the workers; one in a POST ends when the answer comes."""
        with self._lock:
            workers = self._workers
        self.withdraw()
        for _ in range(workers):
            self._queue.put(None)

    def withdraw(self) -> None:
        """Post the pending move no more, if there is one."""
        if (move := self._current) is not None:
            self._settle(move)

    def _settle(self, move: PostedMove) -> None:
        with self._lock:
            self._current = None
        move.settled.set()

    # -- workers --------------------------------------------------------------------------------------------------

    def _start_worker(self) -> bool:
        with self._lock:
            self._workers += 1
        started = start_thread("outbox", self._game_id, self._work)
        if not started:  # `tick` tries again
            with self._lock:
                self._workers -= 1
        return started

    def _work(self) -> None:
        while (move := self._queue.get()) is not None:
            while not move.settled.is_set():
                move.settled.wait(self._attempt(move))
            if self._retire():
                return

    def _retire(self) -> bool:
        """Whether this worker, having finished, is one more than the game needs."""
        with self._lock:
            if self._workers > 1:
                self._workers -= 1
                return True
        return False

    def _attempt(self, move: PostedMove) -> float:
        """Post once; returns the seconds to wait for the state to show the move before the next attempt."""
        if move.accepted or move.refused.failures > 1:
            self._reopen_stream("it does not show our move")
        started_s = time.monotonic()
        move.posted_s = started_s
        move.posts += 1
        with self._lock:
            self._posting += 1
        try:
            self._post(move.uci, move.offering_draw)
        except LichessError as error:
            return self._pause_after(move, error)
        except Exception as error:  # a fault of ours or of a library: the move must go out all the same
            log.exception("move_post_fault", game_id=self._game_id, move=move.uci)
            return self._pause_after(move, NetworkError(f"{type(error).__name__}: {error}"))
        finally:
            with self._lock:
                self._posting -= 1
        self._lag.add_round_trip((time.monotonic() - started_s) * 1000)
        move.accepted = True
        return CONFIRM_S

    def _pause_after(self, move: PostedMove, error: LichessError) -> float:
        if move.settled.is_set():
            return 0.0
        is_logged = isinstance(error, Unauthorized)  # by the gateway, once for all games
        tell = log.warning if is_worth_a_line(move.posts) and not is_logged else log.debug
        tell("move_not_taken", game_id=self._game_id, move=move.uci, attempt=move.posts, error=str(error))
        if isinstance(error, RateLimited):
            return min(max(error.retry_after_s, LIMITED_S / 2), LIMITED_S)
        if isinstance(error, Rejected) and not isinstance(error, Unauthorized):
            return move.refused.next_s()
        return move.failed.next_s()  # of the network, of the server, or with a token that is rejected for now
