"""The engine of one game, as the game sees it: ask, stop, give back. Behind it processes may come and go."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import chess
import chess.engine
import structlog

from bot.engine_pool.boards import quick_copy
from bot.engine_pool.process import EngineProcess
from bot.engine_pool.search_handle import SearchHandle, post
from bot.engine_pool.values import Answer, IllegalMove, Requirement
from bot.errors import EngineError, EngineTimeout

log = structlog.get_logger(__name__)
MAX_REPLACEMENTS = 5  # for one move; then something is wrong that another process will not mend


class EngineLease:
    """A game's right to an engine. All methods return at once and may be called from any thread."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        provide: Callable[[], Awaitable[EngineProcess]],
        release: Callable[[EngineProcess], None],
        retire: Callable[[EngineProcess, EngineError], None],
        free_slot: Callable[[], None],
        requirement: Requirement,
    ) -> None:
        self._loop = loop
        self._provide, self._release, self._retire, self._free_slot = provide, release, retire, free_slot
        self._requirement = requirement
        self._process: EngineProcess | None = None
        self._getting: asyncio.Task[EngineProcess] | None = None
        self._thought: SearchHandle | None = None
        self._closed = False
        self._preparing = False
        post(loop, self._get)

    @property
    def pid(self) -> int | None:
        """Process id of the engine now serving, None while one is being fetched."""
        process = self._process
        return None if process is None else process.pid

    def play(
        self, board: chess.Board, limit: chess.engine.Limit, *, ponder: bool = False, on_done: Callable[[Answer], None]
    ) -> SearchHandle:
        """Ask for a move; a question still open is abandoned.

        `board` with its moves since the game's start is copied. `on_done(answer)` is called exactly once, in the pool's
        thread, unless the thought is abandoned: it must be quick and must not wait for the pool. A process that dies,
        hangs, babbles or breaks the rules on the way is replaced and the next one asked, with the time that is left.
        """
        thought = SearchHandle(self._loop, quick_copy(board), limit, ponder, on_done)
        if not post(self._loop, self._begin, thought):
            thought.deliver(Answer(None, error=EngineError("the engine pool is closed")))
        return thought

    def replace(self) -> None:
        """Use another process from now on; an open question is asked again there."""
        post(self._loop, self._fail_process, EngineTimeout("replaced at the game's wish"))

    def give_back(self) -> None:
        """The game is over: end any search or pondering and free the slot. Again is harmless."""
        if not self._closed:
            self._closed = True
            self._free_slot()
            post(self._loop, self._close)

    # -- from here on: the pool's thread

    def _fail_process(self, error: EngineError) -> None:
        if self._process is not None:
            self._process.protocol.fail(error)

    def _begin(self, thought: SearchHandle) -> None:
        if self._thought is not None:
            self._thought.cancel()
        self._thought = thought
        thought.task = self._loop.create_task(self._think(thought))

    async def _think(self, thought: SearchHandle) -> None:
        failures: list[EngineError] = []
        while True:
            try:
                await self._ask(thought, len(failures))
            except EngineError as error:
                failures.append(error)
                log.error("engine_failed", times=len(failures), error=str(error))
                illegal = sum(isinstance(one, IllegalMove) for one in failures)
                if illegal > 1 or len(failures) > MAX_REPLACEMENTS or self._closed:
                    thought.deliver(Answer(None, error=error, replaced=len(failures)))
                    return
            except asyncio.CancelledError:  # abandoned: nobody hears this; else the pool closes
                thought.deliver(Answer(None, error=EngineError("the engine pool is closing")))
                raise
            else:
                return

    async def _ask(self, thought: SearchHandle, replaced: int) -> None:
        process = self._process
        if process is None or process.trouble is not None:
            process = await asyncio.shield(self._get())
        thought.process = engine = process

        def deliver(move: chess.Move, ponder: chess.Move | None) -> None:
            elapsed_ms = (time.monotonic() - thought.asked_at) * 1000
            thought.deliver(Answer(move, ponder, engine.protocol.info_line, engine.entry.name, elapsed_ms, replaced))

        try:
            await process.ask(thought.board, thought.limit_now(), thought.ponder, deliver)
        except EngineError as error:
            self._drop(process, error)
            raise

    def _get(self) -> asyncio.Task[EngineProcess]:
        """The task that fetches a process; started early so that the next question finds it done."""
        if self._getting is None:
            self._getting = self._loop.create_task(self._fetch())
            self._getting.add_done_callback(self._got)
        return self._getting

    async def _fetch(self) -> EngineProcess:
        while True:
            self._preparing = False
            process = await self._provide()
            self._preparing = True
            process.on_lost = self._lost
            try:
                await process.prepare(self._requirement.options)
            except EngineError as error:
                self._retire(process, error)
                if not isinstance(error, EngineTimeout):
                    raise
            except asyncio.CancelledError:
                self._release(process)
                raise
            else:
                return process

    def _got(self, task: asyncio.Task[EngineProcess]) -> None:
        self._getting = None
        if task.cancelled():
            return
        if task.exception() is not None:
            log.error("no_engine_for_game", error=str(task.exception()))
        elif self._closed:
            self._release(task.result())
        else:
            self._process = task.result()

    def _lost(self, process: EngineProcess) -> None:
        """The process ended while nobody was asking it: have the next one ready before the next question."""
        if process is self._process and process.trouble is not None:
            log.warning("engine_lost_between_moves", error=str(process.trouble))
            self._drop(process, process.trouble)

    def _drop(self, process: EngineProcess, error: EngineError) -> None:
        if process is self._process:
            self._process = None
            self._retire(process, error)
            if not self._closed:
                self._get()

    def _close(self) -> None:
        if self._thought is not None:
            self._thought.cancel()
        # A process being prepared is released by `_got`: cancelled, it would be left with an answer nobody awaits.
        if self._getting is not None and not self._preparing:
            self._getting.cancel()
        process, self._process = self._process, None
        if process is not None:
            self._release(process)
