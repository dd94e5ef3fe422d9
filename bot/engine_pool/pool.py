"""The pool: all entries, one thread with one event loop for all engines of the bot.

Engines are started from that thread alone. It lives as long as the pool, which matters because the kernel's
parent-death signal (see launch.py) refers to the thread that started a process, not to the program.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterable
from typing import Any

import chess.engine
import structlog

from bot.engine_pool.engine_lease import EngineLease, ProcessSource
from bot.engine_pool.health import CHECK_INTERVAL_S
from bot.engine_pool.options import process_share
from bot.engine_pool.reaper import Reaper
from bot.engine_pool.spare_processes import SpareProcesses
from bot.engine_pool.values import EntrySnapshot, Requirement
from bot.errors import ConfigurationError, EngineStartError
from bot.settings import EngineEntry

log = structlog.get_logger(__name__)
#: The engine that this program ships, for games whose own engines have all failed.
FALLBACK = EngineEntry(name="engine88 (fallback)", spares=0)


class EnginePool:
    """Lends engines to games. `start`, `lend`, `supports`, `snapshot`, `close` may be called from any thread.

    `fallback` serves a game whose own entries have all failed; it is started when needed. Raises ConfigurationError for
    no entries or two of one name.
    """

    def __init__(self, entries: Iterable[EngineEntry], fallback: EngineEntry | None = FALLBACK) -> None:
        self._reaper = Reaper()
        self._spares: dict[str, SpareProcesses] = {}
        entries = list(entries)
        share = process_share(entries)
        for entry in entries:
            if entry.name in self._spares:
                raise ConfigurationError(f"two engines are named {entry.name!r}: give each entry its own name")
            self._spares[entry.name] = SpareProcesses(entry, self._reaper, share)
        if not self._spares:
            raise ConfigurationError("no engine is configured: add one under `engines`")
        self._fallback = None if fallback is None else SpareProcesses(fallback, self._reaper, on_demand=True)
        self._lock = threading.Lock()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="engine-pool", daemon=True)
        self._checking: asyncio.Task[None] | None = None
        self._closed = False

    def start(self) -> None:
        """Start the first process of every entry and wait until it is warm; spares follow in the background.

        An entry that fails is tried again later. Raises EngineStartError when not one entry works.
        """
        self._thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self._start_all(), self._loop).result()
        except BaseException:
            self.close()
            raise

    def lend(self, requirement: Requirement | None = None) -> EngineLease:
        """An engine for one game: from the first named entry with a free slot, or from the least loaded one.

        Returns at once. Where all slots are taken the least loaded entry is overbooked: a game that runs has to be
        played. Where an entry fails, the game continues with the next one that the requirement allows, at last with
        the fallback.
        Raises ConfigurationError for names that do not exist.
        """
        wanted = requirement or Requirement()
        allowed = self._allowed(wanted)
        with self._lock:
            free = [spares for spares in allowed if spares.games < spares.entry.slots]
            own = free[0] if free and wanted.in_order else min(allowed, key=_load)
            if not free:
                why = "a game began that no slot was kept for; it is played all the same"
                log.warning("engine_overbooked", engine=own.entry.name, slots=own.entry.slots, why=why)
            own.games += 1

        def free_slot() -> None:
            with self._lock:
                own.games -= 1

        candidates = [own, *(spares for spares in allowed if spares is not own)]
        if self._fallback is not None and wanted.variant == "chess":
            candidates.append(self._fallback)
        return EngineLease(self._loop, ProcessSource(candidates, wanted), free_slot)

    def supports(self, requirement: Requirement) -> bool:
        """Whether a process that runs now knows the variant and the castling notation that a game needs."""
        processes = [process for spares in self._allowed(requirement) for process in spares.processes]
        return any(process.supports(requirement) for process in processes)

    def snapshot(self) -> tuple[EntrySnapshot, ...]:
        """What runs now, entry by entry; the fallback is listed once it was needed."""
        snapshots = [spares.snapshot() for spares in self._all()]
        used = len(self._spares)
        return (*snapshots[:used], *(one for one in snapshots[used:] if one.pids or one.starting or one.replaced))

    def close(self) -> None:
        """End all engines and the thread; within about two seconds, whatever the engines do. Idempotent."""
        if self._closed:
            return
        self._closed = True
        if self._thread.ident is None:  # never started: nobody else closes the loop
            self._loop.close()
        if not self._thread.is_alive():
            return
        asyncio.run_coroutine_threadsafe(self._close_all(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def __enter__(self) -> EnginePool:
        self.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    # -- the pool's thread

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.set_exception_handler(_on_loop_error)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    def _all(self) -> list[SpareProcesses]:
        return [*self._spares.values(), *([] if self._fallback is None else [self._fallback])]

    async def _start_all(self) -> None:
        self._checking = self._loop.create_task(self._check_health())
        outcomes = await asyncio.gather(*(spares.warm() for spares in self._spares.values()), return_exceptions=True)
        failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        for failure in failures:
            log.error("engine_not_ready", error=str(failure))
        if len(failures) == len(outcomes):
            raise EngineStartError("; ".join(str(failure) for failure in failures)) from failures[0]

    async def _close_all(self) -> None:
        await asyncio.gather(*(spares.close() for spares in self._all()))
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        self._reaper.close()
        await asyncio.sleep(0.01)  # the transports' last callbacks

    async def _check_health(self) -> None:
        """Look at every process four times a second; skipped when this thread itself was held up."""
        last = time.monotonic()
        while True:
            await asyncio.sleep(CHECK_INTERVAL_S)
            now = time.monotonic()
            if now - last < 3 * CHECK_INTERVAL_S:
                for spares in self._all():
                    for process in spares.processes:
                        process.health.check(now)
            last = now

    def _allowed(self, wanted: Requirement) -> list[SpareProcesses]:
        unknown = [name for name in wanted.names if name not in self._spares]
        if unknown:
            raise ConfigurationError(f"no engine is named {unknown[0]!r}: there are {', '.join(self._spares)}")
        return [self._spares[name] for name in dict.fromkeys(wanted.names)] or list(self._spares.values())


def _load(spares: SpareProcesses) -> float:
    """Games per slot with one more game: what the entry would carry."""
    return (spares.games + 1) / max(1, spares.entry.slots)


def _on_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """python-chess reports here the late errors of cancelled commands; everything else is a bug."""
    if isinstance(context.get("exception"), chess.engine.EngineError):
        log.debug("engine_late_reply", error=str(context["exception"]))
    else:
        loop.default_exception_handler(context)
