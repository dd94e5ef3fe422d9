"""Where one game gets its engine processes from: the entries it may use, in order, less those that failed in it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from bot.engine_pool.process import EngineProcess
from bot.engine_pool.spare_processes import SpareProcesses
from bot.engine_pool.values import Requirement
from bot.errors import EngineError, EngineStartError, EngineTimeout

MAX_FAILURES = 2  # of one entry within FAILURE_WINDOW_S; then another entry serves
FAILURE_WINDOW_S = 60.0
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
