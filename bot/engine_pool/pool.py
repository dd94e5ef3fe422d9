"""The pool: all entries, one thread with one event loop for all engines of the bot.

Engines are started from that thread alone. It lives as long as the pool, which matters because the kernel's
parent-death signal (see launch.py) speaks of the thread that started a process, not of the program.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterable
from typing import Any

import chess.engine
import structlog

from bot.engine_pool import watch
from bot.engine_pool.engine_lease import EngineLease
from bot.engine_pool.process import EngineProcess
from bot.engine_pool.spare_processes import SpareProcesses
from bot.engine_pool.values import EntrySnapshot, Requirement
from bot.errors import ConfigurationError, EngineError, EngineStartError
from bot.settings import EngineEntry

log = structlog.get_logger(__name__)


class EnginePool:
    """Lends engines to games. `start`, `lend`, `snapshot`, `close` may be called from any thread.

    Raises ConfigurationError for no entries or two of one name.
    """

    def __init__(self, entries: Iterable[EngineEntry]) -> None:
        self._stocks: dict[str, SpareProcesses] = {}
        for entry in entries:
            if entry.name in self._stocks:
                raise ConfigurationError(f"two engines are named {entry.name!r}: give each entry its own name")
            self._stocks[entry.name] = SpareProcesses(entry)
        if not self._stocks:
            raise ConfigurationError("no engine is configured: add one under `engines`")
        self._lock = threading.Lock()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="engine-pool", daemon=True)
        self._watching: asyncio.Task[None] | None = None
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
        """An engine for one game, from the least loaded entry that the requirement allows.

        Returns at once. Where all slots are taken the least loaded entry is overbooked: a game that runs has to be
        played; whoever accepts games asks `free_slots` first. Raises ConfigurationError for names that do not exist.
        """
        wanted = requirement or Requirement()
        allowed = self._allowed(wanted)
        with self._lock:
            stock = min(allowed, key=_load)
            if stock.games >= stock.entry.slots:
                log.warning("engine_overbooked", engine=stock.entry.name, slots=stock.entry.slots)
            stock.games += 1

        def free_slot() -> None:
            with self._lock:
                stock.games -= 1

        async def provide() -> EngineProcess:
            return await self._provide(stock, allowed, wanted)

        return EngineLease(self._loop, provide, self._release, self._retire, free_slot, wanted)

    @property
    def slots(self) -> int:
        """Games that all entries together may serve."""
        return sum(stock.entry.slots for stock in self._stocks.values())

    def free_slots(self, requirement: Requirement | None = None) -> int:
        """Slots still free for such a game."""
        with self._lock:
            return sum(max(0, stock.entry.slots - stock.games) for stock in self._allowed(requirement or Requirement()))

    def snapshot(self) -> tuple[EntrySnapshot, ...]:
        """What runs now, entry by entry."""
        return tuple(stock.snapshot() for stock in self._stocks.values())

    def close(self) -> None:
        """End all engines and the thread; within about two seconds, whatever the engines do. Again is harmless."""
        if self._closed or not self._thread.is_alive():
            return
        self._closed = True
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

    async def _start_all(self) -> None:
        self._watching = self._loop.create_task(self._watch())
        stocks = list(self._stocks.values())
        outcomes = await asyncio.gather(*(stock.warm() for stock in stocks), return_exceptions=True)
        failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        for failure in failures:
            log.error("engine_not_ready", error=str(failure))
        if len(failures) == len(stocks):
            raise EngineStartError("; ".join(str(failure) for failure in failures)) from failures[0]

    async def _close_all(self) -> None:
        await asyncio.gather(*(stock.close() for stock in self._stocks.values()))
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0.01)  # the transports' last callbacks

    async def _watch(self) -> None:
        """Look at every process four times a second; skipped when this thread itself was held up."""
        last = time.monotonic()
        while True:
            await asyncio.sleep(watch.TICK_S)
            now = time.monotonic()
            if now - last < 3 * watch.TICK_S:
                for stock in self._stocks.values():
                    for process in stock.processes:
                        process.inspect(now)
            last = now

    async def _provide(self, own: SpareProcesses, allowed: list[SpareProcesses], wanted: Requirement) -> EngineProcess:
        """A process of the own entry if it can, else an idle one of another, else whichever can be started."""
        others = [stock for stock in allowed if stock is not own]
        for stock in (own, *others):
            process = stock.take_idle()
            if process is not None and self._fits(process, wanted):
                return process
        errors: list[str] = []
        for stock in (own, *others):
            try:
                process = await stock.take()
            except EngineStartError as error:
                errors.append(str(error))
                continue
            if self._fits(process, wanted):
                return process
            errors.append(f"{stock.entry.name} cannot play {wanted.variant}{' (chess960)' if wanted.chess960 else ''}")
        raise EngineStartError("no engine for the game: " + "; ".join(errors))

    def _fits(self, process: EngineProcess, wanted: Requirement) -> bool:
        if process.supports(wanted):
            return True
        self._release(process)
        return False

    def _release(self, process: EngineProcess) -> None:
        self._stocks[process.entry.name].release(process)

    def _retire(self, process: EngineProcess, error: EngineError) -> None:
        self._stocks[process.entry.name].retire(process, error)

    def _allowed(self, wanted: Requirement) -> list[SpareProcesses]:
        unknown = [name for name in wanted.names if name not in self._stocks]
        if unknown:
            raise ConfigurationError(f"no engine is named {unknown[0]!r}: there are {', '.join(self._stocks)}")
        return [stock for name, stock in self._stocks.items() if not wanted.names or name in wanted.names]


def _load(stock: SpareProcesses) -> float:
    """Games per slot with one more game: what the entry would carry."""
    return (stock.games + 1) / max(1, stock.entry.slots)


def _on_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """python-chess reports here what a command still had to say after we gave it up; all else is a bug."""
    if isinstance(context.get("exception"), chess.engine.EngineError):
        log.debug("engine_command_late", error=str(context["exception"]))
    else:
        loop.default_exception_handler(context)
