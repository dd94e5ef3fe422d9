"""The processes of one entry: idle and warm, starting, lent. Lives in the pool's thread."""

from __future__ import annotations

import asyncio
import collections
from collections.abc import Coroutine

import structlog

from bot.engine_pool.process import EngineProcess
from bot.engine_pool.values import EntrySnapshot
from bot.errors import EngineError, EngineStartError
from bot.settings import EngineEntry

log = structlog.get_logger(__name__)
MAX_GAMES_PER_PROCESS = 200  # then a fresh one: an engine that leaks must not end the machine
REFILL_AFTER_S = 0.5  # starting a process holds this thread up for some ms: the game that took one moves first
RETRY_S = 0.5  # after a failed start, doubling
MAX_RETRY_S = 60.0


class SpareProcesses:
    """Keeps `spares` warm processes beside the lent ones, and one more while a slot is free."""

    def __init__(self, entry: EngineEntry) -> None:
        self.entry = entry
        self.games = 0  # slots in use; changed under the pool's lock, from any thread
        self.replaced = 0
        self.last_error = ""
        self._idle: collections.deque[EngineProcess] = collections.deque()
        self._lent: set[EngineProcess] = set()
        self._starting: set[asyncio.Task[EngineProcess]] = set()
        self._claimed: set[asyncio.Task[EngineProcess]] = set()
        self._alive: set[EngineProcess] = set()
        self._leaving: set[asyncio.Task[None]] = set()
        self._failures = 0
        self._closing = False

    def snapshot(self) -> EntrySnapshot:
        """Counts and process ids; safe from any thread, at worst a moment old."""
        processes = [*self._idle, *self._lent]
        return EntrySnapshot(
            name=self.entry.name,
            slots=self.entry.slots,
            lent=self.games,
            idle=len(self._idle),
            starting=len(self._starting),
            replaced=self.replaced,
            pids=tuple(process.pid for process in processes),
            last_error=self.last_error,
        )

    @property
    def processes(self) -> list[EngineProcess]:
        """All running ones, idle or lent."""
        return [*self._idle, *self._lent]

    def take_idle(self) -> EngineProcess | None:
        """A warm process at once, or None."""
        while self._idle:
            process = self._idle.popleft()
            if process.trouble is None:
                self._lent.add(process)
                asyncio.get_running_loop().call_later(REFILL_AFTER_S, self.refill)
                return process
        return None

    async def take(self) -> EngineProcess:
        """A warm process, waiting for one to start where none is idle. Raises EngineStartError."""
        process = self.take_idle()
        if self._closing:
            raise EngineStartError("the engine pool is closing")
        if process is None:
            task = next((one for one in self._starting if one not in self._claimed), None) or self._begin()
            self._claimed.add(task)
            try:
                process = await asyncio.shield(task)
            except asyncio.CancelledError:
                self._unclaim(task)
                raise
            self._lent.add(process)
        return process

    def _unclaim(self, task: asyncio.Task[EngineProcess]) -> None:
        """Nobody waits for this start any more: its process goes on the shelf."""
        self._claimed.discard(task)
        if task.done() and not task.cancelled() and task.exception() is None:
            self._shelve(task.result())

    async def warm(self) -> None:
        """Wait until one process is ready, then fill up in the background. Raises EngineStartError."""
        process = await self.take()
        self._lent.discard(process)
        self._shelve(process)

    def refill(self) -> None:
        """Start what is missing on the shelf."""
        if self._closing:
            return
        wanted = self.entry.spares + (1 if len(self._lent) < self.entry.slots else 0)
        coming = len(self._starting - self._claimed)
        for _ in range(wanted - len(self._idle) - coming):
            self._begin()

    def release(self, process: EngineProcess) -> None:
        """Take a process back after its game: on the shelf if it is healthy and wanted, else away with it."""
        self._lent.discard(process)
        self._spawn(self._settle(process))

    def retire(self, process: EngineProcess, error: EngineError) -> None:
        """A process that failed: never used again."""
        self._lent.discard(process)
        self.replaced += 1
        self.last_error = str(error)
        process.protocol.fail(error)
        self._spawn(self._quit(process))
        self.refill()

    async def close(self) -> None:
        """End every process, whatever it is doing; none is started from now on."""
        self._closing = True
        for process in self._alive:
            process.protocol.muted = True
        starting = list(self._starting)
        for task in starting:
            task.cancel()
        if starting:  # a start that cannot be cancelled (an isready on its way) ends with its process, below
            await asyncio.wait(starting, timeout=1.0)
        await asyncio.gather(*(process.quit() for process in self._alive), return_exceptions=True)

    async def _settle(self, process: EngineProcess) -> None:
        room = len(self._idle) + len(self._lent) < self.entry.slots + self.entry.spares
        if process.trouble is None and room and process.games < MAX_GAMES_PER_PROCESS and not self._closing:
            try:
                await process.settle()
            except EngineError as error:
                self.retire(process, error)
                return
            self._shelve(process)
        else:
            await self._quit(process)
            self.refill()

    async def _quit(self, process: EngineProcess) -> None:
        await process.quit()
        self._alive.discard(process)

    def _shelve(self, process: EngineProcess) -> None:
        if len(self._idle) >= self.entry.slots + self.entry.spares:
            self._spawn(self._quit(process))
            return
        process.on_lost = self._lost_on_shelf
        self._idle.append(process)
        self.refill()

    def _lost_on_shelf(self, process: EngineProcess) -> None:
        log.warning("idle_engine_lost", engine=self.entry.name, error=str(process.trouble))
        if process in self._idle:
            self._idle.remove(process)
        self._spawn(self._quit(process))
        self._retry_later(str(process.trouble))

    def _begin(self) -> asyncio.Task[EngineProcess]:
        task = asyncio.get_running_loop().create_task(EngineProcess.start(self.entry, self._alive.add))
        self._starting.add(task)
        task.add_done_callback(self._started)
        return task

    def _started(self, task: asyncio.Task[EngineProcess]) -> None:
        self._starting.discard(task)
        claimed = task in self._claimed
        self._claimed.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self._failures = 0
            if not claimed:
                self._shelve(task.result())
        else:
            self._retry_later(str(error))

    def _retry_later(self, reason: str) -> None:
        if self._closing:
            return
        self.last_error = reason
        delay = min(MAX_RETRY_S, RETRY_S * 2**self._failures)
        self._failures += 1
        log.warning("engine_start_failed", engine=self.entry.name, error=reason, again_in_s=round(delay, 1))
        asyncio.get_running_loop().call_later(delay, self.refill)

    def _spawn(self, work: Coroutine[object, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)
