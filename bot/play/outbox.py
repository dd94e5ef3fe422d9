"""Posts our move until the server's state shows it, the position has changed, or the game is over; measures the lag.

One worker thread per game waits for moves, so that a move leaves as soon as it is known. A POST without an answer is
hedged by another one: the server refuses a repeated move without harm, but a move that is not posted loses on time.
"""

from __future__ import annotations

import math
import queue
import threading
import time
from collections import deque
from collections.abc import Callable

import structlog

from bot.backoff import Backoff, is_worth_a_line
from bot.errors import LichessError, NetworkError, RateLimited, Rejected, Unauthorized
from bot.play.game import Game
from bot.play.observer import Observers
from bot.supervised_loop import start_thread

WINDOW = 40  # the last moves of all games: a few minutes of bullet, half an hour of slow chess
ENOUGH = 5  # losses
HIGH_SHARE = 0.9  # the overhead covers this share of the samples, plus half of the spread above the median


def cautious_ms(samples: list[float]) -> float | None:
    """Return the 90th percentile plus half of its distance from the median; None without samples."""
    if not samples:
        return None
    ordered = sorted(samples)
    median = ordered[len(ordered) // 2]
    high = ordered[int(len(ordered) * HIGH_SHARE)]
    return high + (high - median) / 2


class LagMeter:
    """Recent losses and round trips of all games, shared by their threads."""

    def __init__(self) -> None:
        # No lock: appending to a deque and copying it are one step each for other threads.
        self._losses_ms: deque[float] = deque(maxlen=WINDOW)
        self._round_trips_ms: deque[float] = deque(maxlen=WINDOW)

    def add_round_trip(self, took_ms: float) -> None:
        """Note how long a POST took."""
        self._round_trips_ms.append(max(0.0, took_ms))

    def add_loss(self, lost_ms: float) -> None:
        """Note a loss; a gain counts as 0."""
        self._losses_ms.append(max(0.0, lost_ms))

    @property
    def overhead_ms(self) -> float | None:
        """The cost of a move beyond thinking: from losses, else from round trips, else None."""
        return cautious_ms(list(self._losses_ms or self._round_trips_ms))

    @property
    def settled(self) -> bool:
        """Whether there are enough losses that a single one does not decide."""
        return len(self._losses_ms) >= ENOUGH


def clock_loss_ms(clock_before_ms: int, spent_ms: float, increment_ms: int, clock_after_ms: int) -> float:
    """Return the expected minus the shown clock after a move; negative when the opponent gave us time.

    `spent_ms` runs from the line that gave us the turn to the start of the POST.
    """
    return clock_before_ms - spent_ms + increment_ms - clock_after_ms


#: If the stream does not show an accepted move within this time, it is reopened. After as much again, the move is
#: posted again: a copy that arrives late might fit a later position.
CONFIRM_S = 2.0
LIMITED_S = 1.0  # a limited move is retried after about this time, whatever the limit says: the clock runs
HEDGE_AFTER_S = 1.5  # a POST without an answer is hedged after this time
MAX_HEDGES = 4  # workers that may hang on one move at once, besides the first
JITTER = 0.1  # little: one game posts one move
RETRY_FIRST_S, RETRY_MOST_S = 0.1, 1.0  # after failures of network or server; the first retry is immediate
REFUSED_FIRST_S, REFUSED_MOST_S = 0.5, 5.0  # after refusals: usually the stream is about to show the move

PostMove = Callable[[str, bool], object]

log = structlog.get_logger(__name__)


class PostedMove:
    """One move and its attempts. `settled` is set when the state shows it or its position is gone.

    It keeps what our clock showed at the beginning of the turn, which gives the lag of the move.
    """

    def __init__(self, game: Game, uci: str, *, offering_draw: bool = False) -> None:
        self.revision = game.revision
        self.uci = uci
        self.offering_draw = offering_draw
        self.settled = threading.Event()
        self.posted_s: float | None = None  # monotonic start of the latest POST
        self.accepted_s: float | None = None  # when a POST succeeded last
        self.posts = 0
        self.workers = 1  # that serve it: the first, and one more for each POST that hangs
        self.posting = 0  # POSTs of it that wait for an answer now
        self.stream_is_late = False  # by an answer to a POST: the stream is reopened before the next attempt
        self.failed = Backoff(RETRY_FIRST_S, RETRY_MOST_S, immediate=1, jitter=JITTER)
        self.refused = Backoff(REFUSED_FIRST_S, REFUSED_MOST_S, jitter=JITTER)
        self._clock_ms = game.my_clock_ms
        self._clocks_told_s = game.clocks_told_s
        self._ply = game.ply
        self._measurable = game.clock_runs and game.turn_seen and not game.is_correspondence

    def loss_ms(self, game: Game) -> float | None:
        """Return what the move cost our clock beyond the time we know we spent, None if that is unknown.

        `game` has just been updated to a state after the move. After a takeback, or if we did not see the turn begin,
        our watch and the server's did not run together.
        """
        if not self._measurable or self.posted_s is None or not self._shown_in(game):
            return None
        spent_ms = (self.posted_s - self._clocks_told_s) * 1000
        return clock_loss_ms(self._clock_ms, spent_ms, game.my_increment_ms, game.my_clock_ms)

    def _shown_in(self, game: Game) -> bool:
        return self._ply < game.ply <= self._ply + 2 and game.state.moves[self._ply] == self.uci


class Outbox:
    """Sends the moves of one game to the server, one at a time.

    `post(uci, offering_draw)` raises LichessError. The posting thread calls `reopen_stream(why)` when the stream should
    have shown the move. `send`, `settle` and `pending` are for the game loop, under its lock.
    """

    def __init__(
        self,
        game_id: str,
        post: PostMove,
        reopen_stream: Callable[[str], None],
        lag: LagMeter,
        observers: Observers,
    ) -> None:
        self._game_id = game_id
        self._post = post
        self._reopen_stream = reopen_stream
        self._lag = lag
        self._observers = observers
        self._lock = threading.Lock()  # for changes of the counts, which several workers make
        self._workers = 0
        self._posting = 0  # POSTs that wait for an answer now
        self._current: PostedMove | None = None
        self._queue: queue.SimpleQueue[PostedMove | None] = queue.SimpleQueue()

    def start(self) -> bool:
        """Start the worker before the first move; False if no thread can be started at the moment."""
        return self._workers > 0 or self._start_worker()

    @property
    def pending(self) -> bool:
        """Whether the state does not show our move yet."""
        return self._current is not None

    def send(self, game: Game, uci: str, *, offering_draw: bool = False) -> PostedMove:
        """Start posting the move for the current position; returns at once."""
        move = PostedMove(game, uci, offering_draw=offering_draw)
        self._current = move
        busy = self._posting > 0 or not self._workers
        self._queue.put(move)
        if busy:  # the worker still waits for the answer about an earlier move
            self._start_worker()
        return move

    def settle(self, game: Game) -> float | None:
        """Stop posting if the state shows the move or its position is gone; return the loss in ms if known."""
        move = self._current
        if move is None or move.revision == game.revision:
            return None
        self._settle(move)
        loss_ms = move.loss_ms(game)
        if loss_ms is not None:
            self._lag.add_loss(loss_ms)
            self._observers.lagged(self._game_id, loss_ms)
        return loss_ms

    def tick(self, now_s: float) -> None:
        """Hedge a POST that hangs; replace a worker that could not be started."""
        if (move := self._current) is None:
            return
        hangs = move.posting > 0 and move.posted_s is not None and now_s - move.posted_s > HEDGE_AFTER_S
        if not self._workers:
            self._start_worker()
        elif hangs and move.workers <= MAX_HEDGES and self._start_worker():
            log.warning("move_post_hangs", game_id=self._game_id, move=move.uci, hedge=move.workers)
            with self._lock:
                move.workers += 1
            self._queue.put(move)

    def close(self) -> None:
        """Drop the current move and end the workers; one in a POST ends when its answer arrives."""
        self.withdraw()
        self._queue.put(None)

    def withdraw(self) -> None:
        """Post the pending move no more, if there is one."""
        if (move := self._current) is not None:
            self._settle(move)

    def _settle(self, move: PostedMove) -> None:
        self._current = None
        move.settled.set()

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
            self._serve(move)
            if self._retire():
                return
        self._queue.put(None)  # for the next worker, however many there are and whenever they were started

    def _serve(self, move: PostedMove) -> None:
        while not move.settled.is_set():
            pause_s = self._attempt(move)
            if self._leave_to_another(move):
                return
            move.settled.wait(pause_s)

    def _leave_to_another(self, move: PostedMove) -> bool:
        """Return True if another worker makes the next attempt: only POSTs that hang need more than one."""
        with self._lock:
            if move.workers - move.posting > 1:
                move.workers -= 1
                return True
        return False

    def _retire(self) -> bool:
        """Return True if the game has other workers, so that this one should end."""
        with self._lock:
            if self._workers > 1:
                self._workers -= 1
                return True
        return False

    def _attempt(self, move: PostedMove) -> float:
        """Post once; return the seconds to wait for the state to show the move before the next attempt."""
        started_s = time.monotonic()
        accepted_for_s = math.inf if move.accepted_s is None else started_s - move.accepted_s
        if accepted_for_s < CONFIRM_S:
            return CONFIRM_S - accepted_for_s
        if move.stream_is_late:
            move.stream_is_late = False
            self._reopen_stream("it does not show our move")
        if accepted_for_s < 2 * CONFIRM_S:
            return 2 * CONFIRM_S - accepted_for_s
        move.posted_s = started_s
        move.posts += 1
        with self._lock:
            self._posting += 1
            move.posting += 1
        try:
            self._post(move.uci, move.offering_draw)
        except LichessError as error:
            return self._pause_after(move, error)
        except Exception as error:  # a bug of ours or of a library must not stop the move
            log.exception("move_post_fault", game_id=self._game_id, move=move.uci)
            return self._pause_after(move, NetworkError(f"{type(error).__name__}: {error}"))
        finally:
            with self._lock:
                self._posting -= 1
                move.posting -= 1
        took_ms = (time.monotonic() - started_s) * 1000
        self._lag.add_round_trip(took_ms)
        self._observers.posted(self._game_id, took_ms)
        move.accepted_s, move.stream_is_late = time.monotonic(), True
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
            pause_s = move.refused.next_s()
            move.stream_is_late = move.accepted_s is not None or move.refused.failures > 1
            return pause_s
        return move.failed.next_s()  # of the network, of the server, or with a token that is rejected for now
