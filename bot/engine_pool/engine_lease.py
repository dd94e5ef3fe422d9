"""The engine of one game, as the game sees it: play, give back. Its processes are replaced as they fail."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import time
from collections.abc import Callable, Sequence

import chess
import chess.engine
import structlog

from bot.engine_pool.process import EngineProcess
from bot.engine_pool.search import SearchHandle, acquire_timeout_s, post
from bot.engine_pool.spare_processes import SpareProcesses
from bot.engine_pool.values import ERROR, Answer, Requirement
from bot.errors import EngineError, EngineStartError, EngineTimeout

log = structlog.get_logger(__name__)

MAX_FAILURES = 2  # of one entry within FAILURE_WINDOW_S; then another entry serves
FAILURE_WINDOW_S = 60.0
POLL_S = 0.1  # how often a caller that waits for an answer looks whether it still wants it
EXCLUDED_S = 60.0  # how long an entry that failed so often is not used again by the game


class Acquisition:
    """One process on its way to a game: `task` results in the prepared process or raises EngineError."""

    def __init__(self, spares: SpareProcesses, requirement: Requirement) -> None:
        self.entry = spares.entry
        self._spares, self._requirement = spares, requirement
        self._preparing = False
        self.task: asyncio.Task[EngineProcess] = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> EngineProcess:
        process = self._spares.take_idle() or await self._spares.take()
        wanted = self._requirement
        if not process.supports(wanted):
            self._spares.release(process)
            variant = f"{wanted.variant}{' (chess960)' if wanted.chess960 else ''}"
            raise EngineStartError(f"{self.entry.name} cannot play {variant}")
        self._preparing = True
        try:
            await process.prepare(wanted.options, wanted.elo)
        except EngineError as error:
            self._spares.retire(process, error)
            raise
        return process

    def abandon(self) -> None:
        """The process is no longer wanted. One being prepared continues: its `readyok` has to be awaited."""
        if not self._preparing:
            self.task.cancel()


class ProcessSource:
    """The entries of one game in order of preference, the fallback last; lives in the pool's thread.

    An entry is excluded for EXCLUDED_S when it cannot start an engine, has failed MAX_FAILURES times within
    FAILURE_WINDOW_S, or is remote and did not answer in time (its other connections go through the same network).
    """

    def __init__(
        self,
        candidates: Sequence[SpareProcesses],
        requirement: Requirement,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._candidates = candidates
        self._requirement = requirement
        self._clock = clock
        self._failed_at: dict[str, list[float]] = {}
        self._excluded_until: dict[str, float] = {}
        self.overdue: set[str] = set()  # entries whose process was not ready in time, and is still awaited

    def begin_move(self) -> None:
        """Where every entry is excluded, try all of them again."""
        if not self.available:
            self._excluded_until.clear()
            self._failed_at.clear()

    @property
    def available(self) -> list[SpareProcesses]:
        """The entries that may be used now, in order."""
        now = self._clock()
        return [one for one in self._candidates if self._excluded_until.get(one.entry.name, 0.0) <= now]

    def record_failure(self, name: str, error: EngineError, *, exclude: bool = False) -> None:
        """Count a failure of an entry; `exclude`: do not use it again for now."""
        now = self._clock()
        recent = [at for at in self._failed_at.get(name, []) if at > now - FAILURE_WINDOW_S]
        self._failed_at[name] = [*recent, now]
        remote = any(one.entry.remote for one in self._candidates if one.entry.name == name)
        unreachable = isinstance(error, EngineStartError) or (remote and isinstance(error, EngineTimeout))
        if exclude:
            self.overdue.add(name)
        if exclude or unreachable or len(self._failed_at[name]) >= MAX_FAILURES:
            self._excluded_until[name] = now + EXCLUDED_S

    def acquire(self) -> Acquisition:
        """Begin to get a process; raises EngineStartError when every entry is excluded.

        The preferred entry serves if it can at once; else another one with an idle process, unless the game has its
        entries in order and nothing has failed yet; else the preferred one starts a process.
        """
        available = self.available
        if not available:
            raise EngineStartError("no engine is left for the game: each of its entries has just failed")
        waiting = self._requirement.in_order and not self._failed_at
        with_idle = [one for one in available[: 1 if waiting else None] if one.has_idle]
        return Acquisition((with_idle or available)[0], self._requirement)

    def return_to_preferred(self, name: str) -> Acquisition | None:
        """Begin to get a process of a remote entry preferred to the named one, if one that failed can serve again.

        Connections recover; a local engine that failed so often is not tried again while another one serves.
        """
        for one in self.available:
            if one.entry.name == name:
                return None
            if one.entry.remote and one.has_idle and one.entry.name in self._failed_at:
                return Acquisition(one, self._requirement)
        return None

    def release(self, process: EngineProcess) -> None:
        """Give a healthy process back to its entry."""
        self._entry_of(process).release(process)

    def retire(self, process: EngineProcess, error: EngineError) -> None:
        """End a process that failed."""
        self._entry_of(process).retire(process, error)

    def _entry_of(self, process: EngineProcess) -> SpareProcesses:
        return next(one for one in self._candidates if one.entry is process.entry)


def _notes_of(failures: list[EngineError]) -> tuple[str, ...]:
    """Return failures of processes as an engine writes its own errors."""
    return tuple(f"{ERROR} {failure}" for failure in failures)


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

    def wait_until_ready(self, timeout_s: float, is_wanted: Callable[[], bool] = lambda: True) -> None:
        """Wait until a process serves, so long at most; return early once it is not wanted any more."""
        deadline_s = time.monotonic() + timeout_s
        while self.pid is None and time.monotonic() < deadline_s and is_wanted():
            time.sleep(0.01)

    def play(
        self, board: chess.Board, limit: chess.engine.Limit, *, ponder: bool = False, on_done: Callable[[Answer], None]
    ) -> SearchHandle:
        """Start a search for a move; one still running is abandoned.

        `board` with its moves since the game's start is copied. `on_done(answer)` is called exactly once, in the pool's
        thread, unless the search is abandoned: it must be quick and must not wait for the pool. A process that dies,
        hangs, writes garbage or breaks the rules is replaced, after two such failures by one of the next entry, and the
        search restarted with the time that is left.
        """
        search = SearchHandle(self._loop, board, limit, ponder, on_done)
        if not post(self._loop, self._start_search, search):
            search.deliver(Answer(None, error=EngineError("the engine pool is closed")))
        return search

    def ask(
        self, board: chess.Board, limit: chess.engine.Limit, is_wanted: Callable[[], bool] = lambda: True
    ) -> Answer | None:
        """Search and wait for the answer; None, and the search is abandoned, once it is not wanted any more."""
        answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        search = self.play(board, limit, on_done=answers.put)
        while is_wanted():
            with contextlib.suppress(queue.Empty):
                return answers.get(timeout=POLL_S)
        search.abandon()
        return None

    def give_back(self) -> None:
        """The game is over: end any search or pondering and free the slot. Idempotent."""
        if not self._closed:
            self._closed = True
            self._free_slot()
            post(self._loop, self._close)

    # -- from here on: the pool's thread

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
                await self._try_search(search, failures)
            except EngineError as error:
                failures.append(error)
                log.error("engine_failed", times=len(failures), error=str(error))
                if self._closed or not self._source.available:
                    took_ms = search.elapsed_s * 1000
                    notes = _notes_of(failures[:-1])
                    answer = Answer(None, error=error, elapsed_ms=took_ms, replaced=len(failures), notes=notes)
                    search.deliver(answer)
                    return
            except asyncio.CancelledError:  # abandoned: there is no callback any more; else the pool closes
                search.deliver(Answer(None, error=EngineError("the engine pool is closing")))
                raise
            else:
                self._return_to_preferred()
                return

    async def _try_search(self, search: SearchHandle, failures: list[EngineError]) -> None:
        process = self._process
        if process is None or process.failure is not None:
            process = await self._wait_for_process(search)
        engine = process

        def on_move(move: chess.Move) -> None:
            protocol, took_ms = engine.protocol, search.elapsed_s * 1000
            notes = (*_notes_of(failures), *protocol.notes)
            info, name = protocol.info_line, engine.entry.name
            search.deliver(Answer(move, info, name, took_ms, replaced=len(failures), notes=notes))

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
