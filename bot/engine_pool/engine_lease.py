"""The engine of one game, as the game sees it: play, stop, give back. Its processes are replaced as they fail."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

import chess
import chess.engine
import structlog

from bot.engine_pool.boards import quick_copy
from bot.engine_pool.process import EngineProcess
from bot.engine_pool.process_source import Acquisition, ProcessSource
from bot.engine_pool.search_deadline import acquire_timeout_s
from bot.engine_pool.search_handle import SearchHandle, post
from bot.engine_pool.values import Answer
from bot.errors import EngineError, EngineTimeout

log = structlog.get_logger(__name__)


class EngineLease:
    """A game's right to an engine. All methods return at once and may be called from any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop, source: ProcessSource, free_slot: Callable[[], None]) -> None:
        self._loop = loop
        self._source, self._free_slot = source, free_slot
        self._process: EngineProcess | None = None
        self._acquisition: Acquisition | None = None
        self._search: SearchHandle | None = None
        self._closed = False
        post(loop, self._acquire_ahead)

    @property
    def pid(self) -> int | None:
        """Process id of the engine now serving, None while one is being acquired."""
        process = self._process
        return None if process is None else process.pid

    @property
    def name(self) -> str:
        """What the engine calls itself (UCI `id name`, else the entry's name); empty while none is there yet."""
        process = self._process
        return "" if process is None else process.protocol.id.get("name") or process.entry.name

    @property
    def elo(self) -> int | None:
        """The strength that the engine now serving is limited to; None for all it has, and while none is there."""
        process = self._process
        return None if process is None else process.elo

    def play(
        self, board: chess.Board, limit: chess.engine.Limit, *, ponder: bool = False, on_done: Callable[[Answer], None]
    ) -> SearchHandle:
        """Start a search for a move; one still running is abandoned.

        `board` with its moves since the game's start is copied. `on_done(answer)` is called exactly once, in the pool's
        thread, unless the search is abandoned: it must be quick and must not wait for the pool. A process that dies,
        hangs, writes garbage or breaks the rules is replaced, after two such failures by one of the next entry, and the
        search restarted with the time that is left.
        """
        search = SearchHandle(self._loop, quick_copy(board), limit, ponder, on_done)
        if not post(self._loop, self._start_search, search):
            search.deliver(Answer(None, error=EngineError("the engine pool is closed")))
        return search

    def replace(self) -> None:
        """Use another process from now on; a running search is restarted there."""
        post(self._loop, self._fail_process, EngineTimeout("replaced at the game's request"))

    def give_back(self) -> None:
        """The game is over: end any search or pondering and free the slot. Idempotent."""
        if not self._closed:
            self._closed = True
            self._free_slot()
            post(self._loop, self._close)

    # -- from here on: the pool's thread

    def _fail_process(self, error: EngineError) -> None:
        if self._process is not None:
            self._process.protocol.fail(error)

    def _start_search(self, search: SearchHandle) -> None:
        if self._search is not None:
            self._search.cancel()
        self._search = search
        self._source.begin_move()
        search.task = self._loop.create_task(self._run_search(search))

    async def _run_search(self, search: SearchHandle) -> None:
        failures: list[EngineError] = []
        while True:
            try:
                await self._try_search(search, len(failures))
            except EngineError as error:
                failures.append(error)
                log.error("engine_failed", times=len(failures), error=str(error))
                if self._closed or not self._source.available:
                    elapsed_ms = (time.monotonic() - search.requested_at) * 1000
                    search.deliver(Answer(None, error=error, elapsed_ms=elapsed_ms, replaced=len(failures)))
                    return
            except asyncio.CancelledError:  # abandoned: there is no callback any more; else the pool closes
                search.deliver(Answer(None, error=EngineError("the engine pool is closing")))
                raise
            else:
                self._return_to_preferred()
                return

    async def _try_search(self, search: SearchHandle, replaced: int) -> None:
        process = self._process
        if process is None or process.failure is not None:
            process = await self._wait_for_process(search)
        search.process = engine = process

        def on_move(move: chess.Move, ponder: chess.Move | None) -> None:
            elapsed_ms = (time.monotonic() - search.requested_at) * 1000
            protocol = engine.protocol
            answer = Answer(move, ponder, protocol.info_line, engine.entry.name, elapsed_ms, replaced)
            search.deliver(replace(answer, notes=tuple(protocol.notes)) if protocol.notes else answer)

        try:
            await process.search(search.board, search.remaining(), search.ponder, on_move)
        except EngineError as error:
            self._source.record_failure(process.entry.name, error)
            self._discard(process, error)
            raise

    async def _wait_for_process(self, search: SearchHandle) -> EngineProcess:
        """The process being acquired, as long as the clock allows; then its entry is excluded. Raises EngineError."""
        acquisition = self._acquire()
        has_alternative = len(self._source.available) > 1
        overdue = acquisition.entry.name in self._source.overdue
        timeout_s = acquire_timeout_s(search.remaining(), search.board.turn, has_alternative, overdue=overdue)
        try:
            return await asyncio.wait_for(asyncio.shield(acquisition.task), timeout_s)
        except TimeoutError:
            error = EngineTimeout(f"{acquisition.entry.name}: no process was ready in {timeout_s:.1f} s")
            self._source.record_failure(acquisition.entry.name, error, exclude=True)
            self._abandon_acquisition()
            raise error from None

    def _acquire(self) -> Acquisition:
        """The acquisition under way, or a new one; raises EngineStartError when no entry is left."""
        if self._acquisition is None:
            return self._follow(self._source.acquire())
        return self._acquisition

    def _follow(self, acquisition: Acquisition) -> Acquisition:
        self._acquisition = acquisition
        acquisition.task.add_done_callback(lambda _: self._on_acquired(acquisition))
        return acquisition

    def _return_to_preferred(self) -> None:
        """After a search: where the connection to a preferred engine works again, use that engine from now on."""
        if self._process is not None and self._acquisition is None and not self._closed:
            acquisition = self._source.return_to_preferred(self._process.entry.name)
            if acquisition is not None:
                self._follow(acquisition)

    def _acquire_ahead(self) -> None:
        """Have a process ready before the next search asks for one."""
        if not self._closed and self._source.available:
            self._acquire()

    def _on_acquired(self, acquisition: Acquisition) -> None:
        current = acquisition is self._acquisition
        if current:
            self._acquisition = None
        task = acquisition.task
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self._source.overdue.discard(acquisition.entry.name)
        if error is None and current and not self._closed and not (self._process is not None and self._is_searching):
            previous, self._process = self._process, task.result()
            self._process.on_failed = self._on_process_failed
            if previous is not None:
                self._source.release(previous)
        elif error is None:
            self._source.release(task.result())
        elif not isinstance(error, EngineError):
            log.error("engine_acquisition_crashed", engine=acquisition.entry.name, exc_info=error)
        elif current:
            log.error("engine_acquisition_failed", engine=acquisition.entry.name, error=str(error))
            self._source.record_failure(acquisition.entry.name, error)
            self._acquire_ahead()

    @property
    def _is_searching(self) -> bool:
        return self._search is not None and self._search.task is not None and not self._search.task.done()

    def _on_process_failed(self, process: EngineProcess) -> None:
        """The process failed between two searches: replace it before the next one."""
        if process is self._process and process.failure is not None:
            log.warning("engine_failed_between_moves", error=str(process.failure))
            self._discard(process, process.failure)

    def _discard(self, process: EngineProcess, error: EngineError) -> None:
        if process is self._process:
            self._process = None
            self._source.retire(process, error)
            self._acquire_ahead()

    def _abandon_acquisition(self) -> None:
        acquisition, self._acquisition = self._acquisition, None
        if acquisition is not None:
            acquisition.abandon()

    def _close(self) -> None:
        if self._search is not None:
            self._search.cancel()
        self._abandon_acquisition()
        process, self._process = self._process, None
        if process is not None:
            self._source.release(process)
