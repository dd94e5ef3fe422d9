"""One position being thought about: the move sources first, where there are any, then the engine."""

from __future__ import annotations

import threading
from collections.abc import Callable

import chess
import chess.engine
import structlog

from bot.engine_pool import Answer
from bot.play.game_context import Engine, SearchHandle, Source

log = structlog.get_logger(__name__)


class Thinking:
    """A question asked once. `on_done(self, answer)` comes at most once, from another thread, and not after stop()."""

    def __init__(self, revision: int, on_done: Callable[[Thinking, Answer], None]) -> None:
        self.revision = revision
        self._on_done = on_done
        self._lock = threading.Lock()
        self._thought: SearchHandle | None = None
        self._stopped = False

    def begin(
        self, engine: Engine, board: chess.Board, limit: chess.engine.Limit, *, ponder: bool, source: Source | None
    ) -> None:
        """Start; returns at once. Without a source the engine is asked by the calling thread, without a hop."""
        if source is None:
            self._ask(engine, board, limit, ponder)
            return

        own = board.copy()  # the game goes on while the sources are asked

        def sources_first() -> None:
            move = source(own)
            if move is None:
                self._ask(engine, own, limit, ponder)
            elif not self._stopped:
                self._on_done(self, Answer(move=move, engine="book"))

        threading.Thread(target=sources_first, name="move-sources", daemon=True).start()

    def stop(self) -> None:
        """The question no longer matters: stop the engine, drop its answer."""
        with self._lock:
            self._stopped = True
            thought = self._thought
        if thought is not None:
            thought.abandon()

    def _ask(self, engine: Engine, board: chess.Board, limit: chess.engine.Limit, ponder: bool) -> None:
        with self._lock:
            if self._stopped:
                return
            self._thought = engine.play(board, limit, ponder=ponder, on_done=self._done)

    def _done(self, answer: Answer) -> None:
        if not self._stopped:
            self._on_done(self, answer)
