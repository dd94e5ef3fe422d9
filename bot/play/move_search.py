"""The thinking of one game: its right to an engine, the question under way, and patience with a pool that has none."""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog

from bot.engine_pool import Answer, IllegalMove
from bot.errors import BotError
from bot.play.engine_rules import requirement_for
from bot.play.game import Game
from bot.play.game_context import Engine, GameContext
from bot.play.thinking import Thinking
from bot.play.time_control import limit_for

ASK_AGAIN_S = 1.0  # after the pool could not get any engine to answer
ASK_AGAIN_TIMES = 10  # then the game is given up: nobody will move in it

log = structlog.get_logger(__name__)


class MoveSearch:
    """At most one question at a time. Not thread-safe: the game's loop calls it under its lock.

    `on_done(thinking, answer)` comes from another thread, without the lock.
    """

    def __init__(self, game_id: str, context: GameContext, on_done: Callable[[Thinking, Answer], None]) -> None:
        self.engine: Engine | None = None
        self.thinking: Thinking | None = None
        self._game_id = game_id
        self._context = context
        self._on_done = on_done
        self._failures = 0  # times in a row that the pool gave no move
        self._not_before_s = 0.0

    def lend(self, game: Game) -> None:
        """Get the right to an engine; a pool that refuses is asked again with the next thought."""
        if self.engine is None:
            try:
                self.engine = self._context.lend(requirement_for(self._context.settings, game))
            except BotError as error:
                log.error("no_engine", game_id=self._game_id, error=str(error))

    def think(self, game: Game, now_s: float) -> None:
        """Ask for a move in the present position, unless that is being done or nobody can be asked yet."""
        if self.thinking is not None or now_s < self._not_before_s:
            return
        self.lend(game)
        if self.engine is None:
            return
        context, settings = self._context, self._context.settings
        limit = limit_for(game, now_s, context.overhead_ms, settings)
        self.thinking = Thinking(game.revision, self._on_done)
        ponder = settings.correspondence.ponder if game.is_correspondence else settings.clock.ponder
        source = context.source_for(game, limit)
        self.thinking.begin(self.engine, game.board, limit, ponder=ponder, source=source)

    def keep(self, revision: int) -> None:
        """Drop a thought about any other position."""
        if self.thinking is not None and self.thinking.revision != revision:
            self.drop()

    def drop(self) -> None:
        """End the thought, whatever it is about."""
        thinking, self.thinking = self.thinking, None
        if thinking is not None:
            thinking.stop()

    def finish(self, thinking: Thinking) -> bool:
        """Whether an answer to this thought is awaited; from now on it is not."""
        if thinking is not self.thinking:
            return False
        self.thinking = None
        return True

    def succeeded(self) -> None:
        """The pool gave a legal move."""
        self._failures = 0

    def failed(self, answer: Answer) -> bool:
        """The pool has tried all it can; True to give the game up.

        An illegal move twice is the engine's last word. Anything else may pass, so it is asked again soon.
        """
        self._failures += 1
        log.error("no_move", game_id=self._game_id, error=str(answer.error), attempt=self._failures)
        self._not_before_s = time.monotonic() + ASK_AGAIN_S
        return isinstance(answer.error, IllegalMove) or self._failures > ASK_AGAIN_TIMES

    def give_back(self) -> None:
        """The game is over, or left."""
        self.drop()
        if self.engine is not None:
            self.engine.give_back()
