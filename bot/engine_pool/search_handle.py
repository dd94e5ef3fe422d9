"""One search asked of an engine, from the request to the answer, and the way into the pool's thread."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import chess
import chess.engine
import structlog

from bot.engine_pool.process import EngineProcess
from bot.engine_pool.search_deadline import remaining_limit
from bot.engine_pool.values import Answer

log = structlog.get_logger(__name__)
IMMEDIATE = chess.engine.Limit(time=0.02)  # for a search that was stopped before an engine could begin

OnDone = Callable[[Answer], None]


def post(loop: asyncio.AbstractEventLoop, work: Callable[..., object], *arguments: object) -> bool:
    """Run something in the pool's thread; False when the pool is closed."""
    try:
        loop.call_soon_threadsafe(work, *arguments)
    except RuntimeError:  # asyncio: the loop is closed
        return False
    return True


class SearchHandle:
    """One requested search. Made by `EngineLease.play`; its methods may be called from any thread, repeatedly."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        board: chess.Board,
        limit: chess.engine.Limit,
        ponder: bool,
        on_done: OnDone,
    ) -> None:
        self.board = board
        self.limit = limit
        self.ponder = ponder
        self.requested_at = time.monotonic()
        self.stop_requested = False
        self.process: EngineProcess | None = None
        self.task: asyncio.Task[None] | None = None
        self._loop = loop
        self._on_done: OnDone | None = on_done

    def stop(self) -> None:
        """Move now: the engine's best move so far is delivered to `on_done`, as always."""
        post(self._loop, self._stop)

    def abandon(self) -> None:
        """The answer is no longer wanted (game over, takeback): end the search and never call `on_done`."""
        self._on_done = None
        post(self._loop, self.cancel)

    def cancel(self) -> None:
        """The pool's side of `abandon`; in the pool's thread only."""
        self._on_done = None
        if self.task is not None:
            self.task.cancel()

    def _stop(self) -> None:
        self.stop_requested = True
        if self.process is not None:
            self.process.protocol.stop_search()

    def remaining(self) -> chess.engine.Limit:
        """What is left of the limit at this moment, for the engine that begins now."""
        if self.stop_requested:
            return IMMEDIATE
        elapsed_s = time.monotonic() - self.requested_at
        return self.limit if elapsed_s < 0.005 else remaining_limit(self.limit, self.board.turn, elapsed_s)

    def deliver(self, answer: Answer) -> None:
        """Call `on_done` once; later answers are dropped."""
        on_done, self._on_done = self._on_done, None
        if on_done is None:
            return
        try:
            on_done(answer)
        except Exception:  # one game's broken callback must not end the thread that serves all games
            log.exception("answer_callback_failed")
