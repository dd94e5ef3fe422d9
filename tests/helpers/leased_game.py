"""One game with its lease of an engine, on a fake clock: the processes and where they come from are made up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any

import chess
import structlog
from chess.engine import Limit

from bot.engine_pool.engine_lease import EngineLease
from bot.engine_pool.values import Answer
from bot.errors import EngineError
from tests.helpers.fake_clock import run_on_fake_clock

E4 = chess.Move.from_uci("e2e4")
CLOCK = Limit(white_clock=60.0, black_clock=60.0)


class MadeUpProcess:
    """A process that answers once `thinking` is over, or fails with `error`."""

    def __init__(self, name: str, error: EngineError | None = None) -> None:
        self.entry = SimpleNamespace(name=name)
        self.pid, self.elo = 4711, 1600
        self.error = error
        self.failure: EngineError | None = None
        self.on_failed: Callable[[MadeUpProcess], None] | None = None
        self.protocol = SimpleNamespace(id={}, info_line="info depth 3 score cp 5", notes=[], fail=self.fail)
        self.pondering: list[bool] = []
        self.thinking = asyncio.Event()
        self.thinking.set()

    def fail(self, failure: EngineError) -> None:
        self.failure = failure
        if self.on_failed is not None:
            self.on_failed(self)

    async def search(self, _board: chess.Board, _limit: Limit, ponder: bool, on_move: Callable[..., None]) -> None:
        self.pondering.append(ponder)
        await self.thinking.wait()
        if self.error is not None:
            raise self.error
        on_move(E4)


class MadeUpAcquisition:
    """A process on its way: arrives after `after_s`, or an error does."""

    def __init__(self, name: str, result: MadeUpProcess | Exception, after_s: float) -> None:
        self.entry = SimpleNamespace(name=name)
        self.abandoned = False
        self.task: asyncio.Task[Any] = asyncio.get_running_loop().create_task(self._arrive(result, after_s))

    async def _arrive(self, result: MadeUpProcess | Exception, after_s: float) -> MadeUpProcess:
        await asyncio.sleep(after_s)
        if isinstance(result, Exception):
            raise result
        return result

    def abandon(self) -> None:
        self.abandoned = True


def name_of(one: MadeUpProcess | Exception) -> str:
    """The name of the entry that it is of."""
    return one.entry.name if isinstance(one, MadeUpProcess) else "broken"


class Source:
    """Gives what `coming` lists, in order, each of an entry of its own; notes what happens."""

    def __init__(self, *coming: MadeUpProcess | Exception, after_s: float = 0.0) -> None:
        self.coming, self.after_s = list(coming), after_s
        self.available = [name_of(one) for one in coming]
        self.acquired: list[MadeUpAcquisition] = []
        self.noted: list[str] = []
        self.overdue: set[str] = set()
        self.preferred: MadeUpProcess | None = None

    def acquire(self) -> MadeUpAcquisition:
        one = self.coming.pop(0)
        self.acquired.append(MadeUpAcquisition(name_of(one), one, self.after_s))
        return self.acquired[-1]

    def return_to_preferred(self, name: str) -> MadeUpAcquisition | None:
        self.noted.append(f"better than {name}?")
        one, self.preferred = self.preferred, None
        return None if one is None else MadeUpAcquisition(one.entry.name, one, self.after_s)

    def begin_move(self) -> None:
        self.noted.append("move")

    def record_failure(self, name: str, error: EngineError, *, exclude: bool = False) -> None:
        self.available.remove(name)
        self.noted.append(f"{name} failed: {error}{' (excluded)' if exclude else ''}")

    def release(self, process: MadeUpProcess) -> None:
        self.noted.append(f"{process.entry.name} released")

    def retire(self, process: MadeUpProcess, error: EngineError) -> None:
        self.noted.append(f"{process.entry.name} retired: {error}")


class Game:
    """A game that has leased an engine: its answers, and how often its slot became free."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.answers: list[Answer] = []
        self.freed = 0
        self.lease = EngineLease(asyncio.get_running_loop(), source, self._free)  # type: ignore[arg-type]  # made up

    def _free(self) -> None:
        self.freed += 1

    async def move(self, within_s: float = 5.0) -> Answer | None:
        """Ask for a move; what was answered within the time, None for nothing."""
        before = len(self.answers)
        self.lease.play(chess.Board(), CLOCK, on_done=self.answers.append)
        await asyncio.sleep(within_s)
        return self.answers[-1] if len(self.answers) > before else None


def run(story: Callable[[], Coroutine[Any, Any, None]]) -> list[Any]:
    """Run a story, in which no callback may fail; gives the lines that it logged."""
    failures: list[dict[str, Any]] = []

    async def watched() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: failures.append(context))
        await story()

    with structlog.testing.capture_logs() as lines:
        run_on_fake_clock(watched())
    assert failures == []
    return lines
