"""The search for our move in one game: the move sources first, where there are any, then the engine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import chess
import chess.engine
import structlog

from bot.engine_pool import Answer, IllegalMove
from bot.errors import BotError
from bot.play.engine_rules import requirement_for
from bot.play.game import Game
from bot.play.game_context import Engine, GameContext, SearchHandle, Source
from bot.play.time_control import limit_for

ASK_AGAIN_S = 1.0  # after the pool could not get any engine to answer
ASK_AGAIN_TIMES = 10  # then the game is given up: nobody will move in it

log = structlog.get_logger(__name__)


@dataclass(frozen=True, eq=False)
class SearchRequest:
    """What is asked about one position of the game; the answer counts while the game is at `revision`."""

    revision: int
    board: chess.Board
    limit: chess.engine.Limit
    ponder: bool


class MoveSearch:
    """At most one request at a time. All methods are called with the game loop's `lock` held.

    `on_answer(answer)` is called with the lock held, at most once for each request and not after `cancel`.
    """

    def __init__(
        self, game_id: str, context: GameContext, lock: threading.RLock, on_answer: Callable[[Answer], None]
    ) -> None:
        self.engine: Engine | None = None
        self._game_id = game_id
        self._context = context
        self._lock = lock
        self._on_answer = on_answer
        self._request: SearchRequest | None = None
        self._handle: SearchHandle | None = None
        self._failures = 0  # times in a row that the pool gave no move
        self._not_before_s = 0.0

    @property
    def active(self) -> bool:
        """Whether an answer is awaited."""
        return self._request is not None

    @property
    def engine_name(self) -> str:
        """What the engine calls itself; empty until it is known."""
        return self.engine.name if self.engine is not None else ""

    def lend_engine(self, game: Game) -> Engine | None:
        """The game's engine, lent by the pool at the first call; a pool that refuses is asked again next time."""
        if self.engine is None:
            try:
                self.engine = self._context.lend(requirement_for(self._context.settings, game))
            except BotError as error:
                log.error("no_engine", game_id=self._game_id, error=str(error))
        return self.engine

    def start(self, game: Game, now_s: float) -> None:
        """Search for a move in the present position, unless that is being done or nobody can be asked yet."""
        if self._request is not None or now_s < self._not_before_s:
            return
        engine = self.lend_engine(game)
        if engine is None:
            return
        context, settings = self._context, self._context.settings
        limit = limit_for(game, now_s, context.overhead_ms, settings)
        ponder = settings.correspondence.ponder if game.is_correspondence else settings.clock.ponder
        source = context.source_for(game, limit)
        # the game goes on while sources are asked, so they and the engine after them get a board of their own
        board = game.board if source is None else game.board.copy()
        request = self._request = SearchRequest(game.revision, board, limit, ponder)
        if source is None or not self._start_source(source, engine, request):
            self._ask_engine(engine, request)

    def cancel_unless(self, revision: int) -> None:
        """Cancel the search for any other position."""
        if self._request is not None and self._request.revision != revision:
            self.cancel()

    def cancel(self) -> None:
        """End the search; its answer is dropped."""
        self._request, handle, self._handle = None, self._handle, None
        if handle is not None:
            handle.abandon()

    def note_success(self) -> None:
        """The answer was a legal move."""
        self._failures = 0

    def note_failure(self, answer: Answer) -> bool:
        """The pool has tried all it can; True to give the game up.

        An illegal move twice is the engine's last word. Anything else may pass, so it is asked again soon.
        """
        self._failures += 1
        log.error("no_move", game_id=self._game_id, error=str(answer.error), attempt=self._failures)
        self._not_before_s = time.monotonic() + ASK_AGAIN_S
        return isinstance(answer.error, IllegalMove) or self._failures > ASK_AGAIN_TIMES

    def release_engine(self) -> None:
        """The game is over, or left."""
        self.cancel()
        if self.engine is not None:
            self.engine.give_back()

    # -- the two ways to an answer ----------------------------------------------------------------------------------

    def _start_source(self, source: Source, engine: Engine, request: SearchRequest) -> bool:
        """Ask the sources in a thread of their own; False where the system has no thread to spare."""

        def ask_source() -> None:
            try:
                move = source(request.board)
            except Exception:  # nothing optional may fail a move
                log.exception("move_source_fault", game_id=self._game_id)
                move = None
            if move is not None:
                self._deliver(request, Answer(move=move, engine="book"))
                return
            with self._lock:
                if self._request is request:
                    self._ask_engine(engine, request)

        try:
            threading.Thread(target=ask_source, name=f"move-sources-{self._game_id}", daemon=True).start()
        except RuntimeError as error:
            log.error("thread_not_started", game_id=self._game_id, thread="move sources", error=str(error))
            return False
        return True

    def _ask_engine(self, engine: Engine, request: SearchRequest) -> None:
        deliver = partial(self._deliver, request)
        handle = engine.play(request.board, request.limit, ponder=request.ponder, on_done=deliver)
        if self._request is request:  # a closed pool answers before `play` returns
            self._handle = handle

    def _deliver(self, request: SearchRequest, answer: Answer) -> None:
        with self._lock:
            if self._request is request:
                self._request = self._handle = None
                self._on_answer(answer)
