"""One question to an engine, from asking to the answer, and the way into the pool's thread."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import chess
import chess.engine
import structlog

from bot.engine_pool import watch
from bot.engine_pool.process import EngineProcess
from bot.engine_pool.values import Answer

log = structlog.get_logger(__name__)
HURRY = chess.engine.Limit(time=0.02)  # for a thought that was told to stop before an engine could begin

OnDone = Callable[[Answer], None]


def post(loop: asyncio.AbstractEventLoop, work: Callable[..., object], *arguments: object) -> bool:
    """Have the pool's thread do something; False when the pool is closed."""
    try:
        loop.call_soon_threadsafe(work, *arguments)
    except RuntimeError:  # asyncio: the loop is closed
        return False
    return True


class SearchHandle:
    """One question to the engine. Made by `EngineLease.play`; its methods may be called from any thread, repeatedly."""

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
        self.asked_at = time.monotonic()
        self.hurried = False
        self.process: EngineProcess | None = None
        self.task: asyncio.Task[None] | None = None
        self._loop = loop
        self._on_done: OnDone | None = on_done

    def stop(self) -> None:
        """Move now: the engine's best move so far comes by `on_done`, as always."""
        post(self._loop, self._stop)

    def abandon(self) -> None:
        """The answer is not wanted any more (game over, takeback): the search ends, `on_done` is not called again."""
        self._on_done = None
        post(self._loop, self.cancel)

    def cancel(self) -> None:
        """The pool's side of `abandon`; in the pool's thread only."""
        self._on_done = None
        if self.task is not None:
            self.task.cancel()

    def _stop(self) -> None:
        self.hurried = True
        if self.process is not None:
            self.process.protocol.stop_search()

    def limit_now(self) -> chess.engine.Limit:
        """What is left of the limit at this moment, for the engine that begins now."""
        if self.hurried:
            return HURRY
        elapsed = time.monotonic() - self.asked_at
        return self.limit if elapsed < 0.005 else watch.remaining(self.limit, self.board.turn, elapsed)

    def deliver(self, answer: Answer) -> None:
        """Call back once."""
        on_done, self._on_done = self._on_done, None
        if on_done is None:
            return
        try:
            on_done(answer)
        except Exception:  # one game's broken callback must not end the thread that serves all games
            log.exception("answer_callback_failed")
