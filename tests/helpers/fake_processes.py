"""One entry of the pool with processes made up, on a fake clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from bot.engine_pool.process import EngineProcess
from bot.engine_pool.spare_processes import SpareProcesses
from bot.errors import EngineDied, EngineError
from tests.helpers.engines import tiny_entry
from tests.helpers.fake_clock import run_on_fake_clock

START_S = 0.2


class FakeProcess:
    """What SpareProcesses sees of a process; it is its own protocol."""

    def __init__(self, pid: int) -> None:
        self.pid, self.games, self.ended = pid, 0, False
        self.failure: EngineError | None = None
        self.on_failed: Callable[[FakeProcess], None] | None = None
        self.output_ignored = False
        self.stubborn = self.unkillable = False
        self.settling_s = 0.0
        self.protocol = self

    def fail(self, error: EngineError) -> None:
        self.failure = self.failure or error

    async def wait_until_idle(self) -> None:
        await asyncio.sleep(self.settling_s)
        if self.stubborn:
            raise EngineDied("no readyok")

    async def quit(self) -> None:
        await asyncio.sleep(0)
        if self.unkillable:
            raise OSError("no such process")
        self.ended = True


class NotingReaper:
    """The groups that would be killed with the bot."""

    def __init__(self) -> None:
        self.groups: set[int] = set()

    def add(self, group: int) -> None:
        self.groups.add(group)

    def remove(self, group: int) -> None:
        self.groups.remove(group)


class Bench:
    """An entry whose processes are made up; `errors` are raised by the next starts."""

    def __init__(self, slots: int = 1, spares: int = 1, *, on_demand: bool = False) -> None:
        self.reaper = NotingReaper()
        self.started: list[FakeProcess] = []
        self.start_times: list[float] = []
        self.errors: list[EngineError] = []
        entry = tiny_entry(slots=slots, spares=spares)
        self.spares = SpareProcesses(entry, self.reaper, on_demand=on_demand)  # type: ignore[arg-type]  # a stand-in

    async def start(self, _entry: Any, _share: Any, on_spawned: Callable[[Any], None]) -> FakeProcess:
        process = FakeProcess(1000 + len(self.started))
        self.started.append(process)
        self.start_times.append(asyncio.get_running_loop().time())
        on_spawned(process)
        await asyncio.sleep(START_S)
        if self.errors:
            raise self.errors.pop(0)
        return process

    @property
    def counts(self) -> tuple[int, int, int]:
        """Idle, leased and starting processes."""
        leased = len(self.spares.processes) - self.spares.snapshot().idle
        return self.spares.snapshot().idle, leased, self.spares.snapshot().starting

    async def take(self) -> FakeProcess:
        return await self.spares.take()  # type: ignore[return-value]  # all processes are made up here


def run(work: Callable[[Bench], Any], monkeypatch: pytest.MonkeyPatch, *args: Any, **options: Any) -> Any:
    """Run a story on such an entry."""

    async def story() -> Any:
        bench = Bench(*args, **options)
        monkeypatch.setattr(EngineProcess, "start", bench.start)
        return await work(bench)

    return run_on_fake_clock(story())
