"""The search for our move in one game: the move sources first, where there are any, then the engine of its rule."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import chess
import chess.engine
import structlog

from bot.backoff import Backoff
from bot.engine_pool.engine_lease import EngineLease
from bot.engine_pool.fallback_move import fallback_move
from bot.engine_pool.search import SearchHandle
from bot.engine_pool.values import Answer, Requirement
from bot.errors import BotError, EngineError
from bot.play.game import Game
from bot.play.game_context import GameContext, Source
from bot.play.levels import GameLevel
from bot.play.time_control import earliest_move_s, limit_for
from bot.settings import Settings
from bot.supervised_loop import start_thread


def requirement_for(settings: Settings, game: Game, elo: int | None = None) -> Requirement:
    """What the pool is asked for: the rule's engines, or all, that play the variant, at a strength (None: all)."""
    rule = settings.rule_for(game.facts)
    allowed = rule.engines or tuple(entry.name for entry in settings.engines)
    playing = {entry.name for entry in settings.engines if game.full.variant in entry.variants}
    able = tuple(name for name in allowed if name in playing)
    return Requirement(
        names=able or allowed,
        in_order=bool(rule.engines),
        options=dict(rule.options),
        variant=game.board.uci_variant or "chess",
        chess960=game.board.chess960,
        elo=elo,
    )


def ponders(settings: Settings, game: Game) -> bool:
    """Whether the engine thinks on the opponent's time: as the rule says, else as is usual for such games."""
    rule = settings.rule_for(game.facts)
    if rule.ponder is not None:
        return rule.ponder
    return settings.correspondence.ponder if game.is_correspondence else settings.clock.ponder


ASK_AGAIN_FIRST_S, ASK_AGAIN_MOST_S = 0.25, 5.0  # after the pool could not get any engine to answer
MAX_PATIENCE_S = 30.0  # how long the pool is asked again for one move, before any legal move is played
PATIENCE_SHARE = 20  # ... and no more than this part of our clock

log = structlog.get_logger(__name__)


@dataclass(frozen=True, eq=False)
class SearchRequest:
    """What is asked about one position of the game; the answer counts while the game is at `revision`."""

    revision: int
    board: chess.Board
    game: Game
    ponder: bool
    earliest_s: float = 0.0  # monotonic: an answer that comes sooner is held back


class MoveSearch:
    """At most one request at a time. All methods are called with the game loop's `lock` held.

    `on_answer(answer)` is called with the lock held, at most once for each request and not after `cancel`.
    """

    def __init__(
        self, game_id: str, context: GameContext, lock: threading.RLock, on_answer: Callable[[Answer], None]
    ) -> None:
        self.engine: EngineLease | None = None
        self.level = GameLevel(context.settings, context.levels)
        self._lent_elo: int | None = None
        self._game_id = game_id
        self._context = context
        self._lock = lock
        self._on_answer = on_answer
        self._request: SearchRequest | None = None
        self._handle: SearchHandle | None = None
        self._backoff = Backoff(ASK_AGAIN_FIRST_S, ASK_AGAIN_MOST_S, jitter=0.1)
        self._failing_since_s: float | None = None  # when the pool first gave no move after it last gave one
        self._not_before_s = 0.0

    @property
    def active(self) -> bool:
        """Whether an answer is awaited."""
        return self._request is not None

    def open(self, game: Game) -> None:
        """Have the game's engine made ready, at the level that the game begins with."""
        self.level.open(game)
        self.lend_engine(game)

    def lend_engine(self, game: Game) -> EngineLease | None:
        """The game's engine, lent by the pool at the first call; a pool that refuses is asked again next time."""
        if self.engine is None:
            elo = self._lent_elo = self.level.elo
            try:
                self.engine = self._context.lend(requirement_for(self._context.settings, game, elo))
            except BotError as error:
                log.error("no_engine", game_id=self._game_id, error=str(error))
            self.level.served_by(self.engine)
        return self.engine

    def start(self, game: Game, now_s: float) -> None:
        """Search for a move in the present position, unless that is being done or nobody can be asked yet."""
        if self._request is not None or now_s < self._not_before_s:
            return
        engine = self.lend_engine(game)
        if engine is None:
            self._on_answer(Answer(None, error=EngineError("the pool lends no engine")))
            return
        context, settings = self._context, self._context.settings
        limit = limit_for(game, now_s, context.overhead_ms, settings)
        ponder = ponders(settings, game)
        source = context.source_for(game, limit) if self.level.elo is None else None  # books and tables know no levels
        # the game continues meanwhile, so sources and engine get a copy of the board
        board = game.board if source is None else game.board.copy()
        earliest_s = earliest_move_s(game, settings)
        request = self._request = SearchRequest(game.revision, board, game, ponder, earliest_s)
        if source is None or not self._start_source(source, engine, request):
            self._ask_engine(engine, request, now_s)

    def follow(self, game: Game) -> None:
        """Cancel the search for any other position, and any search where another level is wanted."""
        if self._request is not None and self._request.revision != game.revision:
            self.cancel()
        if self.engine is not None and self._lent_elo != self.level.elo:
            self.release_engine()
            self.engine = None
            self.lend_engine(game)

    def cancel(self) -> None:
        """End the search; its answer is dropped."""
        self._request, handle, self._handle = None, self._handle, None
        if handle is not None:
            handle.abandon()

    def note_success(self) -> None:
        """The answer was a legal move."""
        self._backoff.reset()
        self._failing_since_s = None

    def note_failure(self, game: Game, answer: Answer, now_s: float) -> chess.Move | None:
        """The pool has tried all it can: returns None to ask it again soon, or a move to play without it.

        A pool that keeps failing gets only a short trial at the next move.
        """
        if self._failing_since_s is None:
            self._failing_since_s = now_s - answer.elapsed_ms / 1000
        failing_s = now_s - self._failing_since_s
        log.error("no_move", game_id=self._game_id, error=str(answer.error), failing_s=round(failing_s, 1))
        if failing_s >= min(MAX_PATIENCE_S, game.my_clock_ms / 1000 / PATIENCE_SHARE):
            return fallback_move(game.board)
        self._not_before_s = now_s + self._backoff.next_s()
        return None

    def release_engine(self) -> None:
        """The game is over, or left."""
        self.cancel()
        if self.engine is not None:
            self.engine.give_back()

    def _start_source(self, source: Source, engine: EngineLease, request: SearchRequest) -> bool:
        """Ask the sources in a thread of their own; False where the system has no thread to spare."""

        def ask_source() -> None:
            try:
                choice = source(request.board)
            except Exception:  # nothing optional may fail a move
                log.exception("move_source_fault", game_id=self._game_id)
                choice = None
            if choice is not None and choice.move:
                self._deliver(request, Answer(choice.move, source=choice.source, wdl=choice.wdl))
                return
            with self._lock:
                if self._request is request:
                    self._ask_engine(engine, request, time.monotonic(), None if choice is None else choice.wdl)

        return start_thread("move-sources", self._game_id, ask_source)

    def _ask_engine(self, engine: EngineLease, request: SearchRequest, now_s: float, wdl: int | None = None) -> None:
        """Search within what the sources have left of the clock. `wdl` is the result that a tablebase knows."""
        limit = limit_for(request.game, now_s, self._context.overhead_ms, self._context.settings)

        def deliver(answer: Answer) -> None:
            self._deliver(request, answer if wdl is None else replace(answer, wdl=wdl))

        handle = engine.play(request.board, limit, ponder=request.ponder, on_done=deliver)
        if self._request is request:  # a closed pool answers before `play` returns
            self._handle = handle

    def _deliver(self, request: SearchRequest, answer: Answer) -> None:
        with self._lock:
            if self._request is not request:
                return
            self._handle = None
            if not self._held_back(request, answer):
                self._request = None
                self._on_answer(answer)
                self._context.observers.answered(self._game_id, len(request.board.move_stack), answer)

    def _held_back(self, request: SearchRequest, answer: Answer) -> bool:
        """Whether the answer comes too soon and will be delivered later, unless the request is cancelled meanwhile."""
        wait_s = request.earliest_s - time.monotonic()

        def deliver_later() -> None:
            time.sleep(wait_s)
            self._deliver(request, answer)

        return wait_s > 0 and bool(answer.move) and start_thread("hold-back", self._game_id, deliver_later)
