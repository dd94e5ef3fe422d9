"""The processes of one entry: idle and warm, starting, leased. Lives in the pool's thread."""

from __future__ import annotations

import asyncio
import collections
from collections.abc import Coroutine

import structlog

from bot.engine_pool.options import ProcessShare
from bot.engine_pool.process import EngineProcess
from bot.engine_pool.reaper import Reaper
from bot.engine_pool.values import EntrySnapshot
from bot.errors import EngineError, EngineStartError
from bot.settings import EngineEntry

log = structlog.get_logger(__name__)
MAX_GAMES_PER_PROCESS = 200  # then a fresh one: an engine that leaks memory must not exhaust the machine
REFILL_AFTER_S = 0.5  # starting a process blocks this thread for some ms: the game that took one moves first
RETRY_S = 0.5  # after a failed start, doubling
MAX_RETRY_S = 60.0


class SpareProcesses:
    """Keeps `spares` warm processes beside the leased ones, and one more while a slot is free.

    `on_demand`: none is kept, each is started when a game needs it.
    """

    def __init__(
        self,
        entry: EngineEntry,
        reaper: Reaper,
        share: ProcessShare | None = None,
        *,
        on_demand: bool = False,
    ) -> None:
        self.entry = entry
        self.games = 0  # slots in use; changed under the pool's lock, from any thread
        self.replaced = 0
        self.last_error = ""
        self._reaper = reaper
        self._share = share or ProcessShare()
        self._on_demand = on_demand
        self._idle: collections.deque[EngineProcess] = collections.deque()
        self._leased: set[EngineProcess] = set()
        self._starting: set[asyncio.Task[EngineProcess]] = set()
        self._claimed: set[asyncio.Task[EngineProcess]] = set()
        self._returning: set[EngineProcess] = set()
        self._alive: set[EngineProcess] = set()
        self._background: set[asyncio.Task[None]] = set()
        self._failures = 0
        self._closing = False

    def snapshot(self) -> EntrySnapshot:
        """Counts and process ids; safe from any thread, at worst a moment old."""
        return EntrySnapshot(
            name=self.entry.name,
            slots=self.entry.slots,
            leased=self.games,
            idle=len(self._idle),
            starting=len(self._starting),
            replaced=self.replaced,
            pids=tuple(process.pid for process in self.processes),
            last_error=self.last_error,
        )

    @property
    def processes(self) -> list[EngineProcess]:
        """All running ones: idle, leased, or on the way back from a game."""
        return [*self._idle, *self._leased, *self._returning]

    @property
    def has_idle(self) -> bool:
        """Whether a warm process could be taken at once."""
        return any(process.failure is None for process in self._idle)

    def take_idle(self) -> EngineProcess | None:
        """A warm process at once, or None."""
        while self._idle:
            process = self._idle.popleft()
            if process.failure is None:
                process.on_failed = None
                self._leased.add(process)
                asyncio.get_running_loop().call_later(REFILL_AFTER_S, self.refill)
                return process
        return None

    async def take(self) -> EngineProcess:
        """A warm process, waiting for one to start where none is idle. Raises EngineStartError."""
        process = self.take_idle()
        if self._closing:
            raise EngineStartError("the engine pool is closing")
        if process is None:
            task = next((one for one in self._starting if one not in self._claimed), None) or self._start()
            self._claimed.add(task)
            try:
                process = await asyncio.shield(task)
            except asyncio.CancelledError:
                self._unclaim(task)
                raise
            self._leased.add(process)
        return process

    def _unclaim(self, task: asyncio.Task[EngineProcess]) -> None:
        """Nobody waits for this start any more: its process becomes an idle one."""
        self._claimed.discard(task)
        if task.done() and not task.cancelled() and task.exception() is None:
            self._leased.discard(task.result())
            self._add_idle(task.result())

    async def warm(self) -> None:
        """Wait until one process is ready, then start the others in the background. Raises EngineStartError."""
        process = await self.take()
        self._leased.discard(process)
        self._add_idle(process)

    def refill(self) -> None:
        """Start the processes that are missing."""
        if self._closing or self._on_demand:
            return
        served = len(self._leased) + len(self._claimed)
        wanted = self.entry.spares + (1 if served < self.entry.slots else 0)
        coming = len(self._starting - self._claimed) + len(self._returning)
        for _ in range(wanted - len(self._idle) - coming):
            self._start()

    @property
    def _has_room(self) -> bool:
        """Whether slots (or games, where they are more) and spares allow one more beside those that live or come."""
        served, coming = len(self._leased) + len(self._claimed), len(self._starting - self._claimed)
        living = served + coming + len(self._idle) + len(self._returning)
        return living < max(served, self.entry.slots) + self.entry.spares

    def release(self, process: EngineProcess) -> None:
        """Take a process back after its game: it becomes idle if it is healthy and wanted, else it is ended."""
        self._leased.discard(process)
        wanted = self._has_room and not self._on_demand and not self._closing
        if process.failure is None and wanted and process.games < MAX_GAMES_PER_PROCESS:
            self._returning.add(process)
            self._spawn(self._return_to_idle(process))
        else:
            self._spawn(self._replace(process))

    def retire(self, process: EngineProcess, error: EngineError) -> None:
        """End a process that failed; another one is started in its place."""
        self._leased.discard(process)
        self.replaced += 1
        self.last_error = str(error)
        process.protocol.fail(error)
        self._spawn(self._quit(process))
        self.refill()

    async def close(self) -> None:
        """End every process, whatever it is doing; none is started from now on."""
        self._closing = True
        for process in self._alive:
            process.protocol.output_ignored = True
        starting = list(self._starting)
        for task in starting:
            task.cancel()
        if starting:  # a start that cannot be cancelled (during its isready) ends with its process, below
            await asyncio.wait(starting, timeout=1.0)
        await asyncio.gather(*(self._quit(process) for process in list(self._alive)), return_exceptions=True)

    async def _return_to_idle(self, process: EngineProcess) -> None:
        try:
            await process.wait_until_idle()
        except EngineError as error:
            self._returning.discard(process)
            self.retire(process, error)
            return
        self._returning.discard(process)
        self._add_idle(process)

    async def _replace(self, process: EngineProcess) -> None:
        await self._quit(process)
        self.refill()

    async def _quit(self, process: EngineProcess) -> None:
        await process.quit()
        self._alive.discard(process)
        self._reaper.remove(process.pid)

    def _add_idle(self, process: EngineProcess) -> None:
        if self._on_demand or not self._has_room:
            self._spawn(self._quit(process))
            return
        process.on_failed = self._on_idle_failed
        self._idle.append(process)
        self.refill()

    def _on_idle_failed(self, process: EngineProcess) -> None:
        log.warning("idle_engine_failed", engine=self.entry.name, error=str(process.failure))
        if process in self._idle:
            self._idle.remove(process)
        self._spawn(self._quit(process))
        self._retry_later(str(process.failure))

    async def _start_process(self) -> EngineProcess:
        spawned: list[EngineProcess] = []

        def on_spawned(process: EngineProcess) -> None:
            spawned.append(process)
            self._alive.add(process)
            self._reaper.add(process.pid)

        try:
            return await EngineProcess.start(self.entry, self._share, on_spawned)
        except BaseException:
            for process in spawned:
                self._spawn(self._quit(process))
            raise

    def _start(self) -> asyncio.Task[EngineProcess]:
        task = asyncio.get_running_loop().create_task(self._start_process())
        self._starting.add(task)
        task.add_done_callback(self._on_started)
        return task

    def _on_started(self, task: asyncio.Task[EngineProcess]) -> None:
        self._starting.discard(task)
        claimed = task in self._claimed
        self._claimed.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self._failures = 0
            if claimed:
                self._leased.add(task.result())
            else:
                self._add_idle(task.result())
        else:
            self._retry_later(str(error))

    def _retry_later(self, reason: str) -> None:
        if self._closing:
            return
        self.last_error = reason
        delay_s = min(MAX_RETRY_S, RETRY_S * 2**self._failures)
        self._failures += 1
        log.warning("engine_start_failed", engine=self.entry.name, error=reason, retry_in_s=round(delay_s, 1))
        asyncio.get_running_loop().call_later(delay_s, self.refill)

    def _spawn(self, work: Coroutine[object, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
