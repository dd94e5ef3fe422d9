"""A reader of one game's stream, with streams that the test has written down."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

import pytest

from bot.backoff import Pacer
from bot.errors import LichessError
from bot.events.game import GameEvent
from bot.play import game_stream
from bot.play.game_stream import GameReader
from tests.helpers.ending import ENDINGS
from tests.helpers.processes import wait_until


def quicken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no failure be waited for."""
    monkeypatch.setattr(game_stream, "RETRY_FIRST_S", 0.001)
    monkeypatch.setattr(game_stream, "RETRY_MOST_S", 0.001)


class ScriptedStream:
    """A stream fed by the test."""

    def __init__(self, *items: object) -> None:
        self.queue: queue.Queue[object] = queue.Queue()
        for item in items:
            self.queue.put(item)

    def __iter__(self) -> Iterator[GameEvent | None]:
        while (item := self.queue.get()) != "end":
            if isinstance(item, Exception):
                raise item
            yield item  # type: ignore[misc]  # the test puts events only

    def close(self) -> None:
        """End."""
        self.queue.put("end")


class NotedPacer(Pacer):
    """Notes who takes a turn: whether it was urgent."""

    def __init__(self, per_s: float, burst: int) -> None:
        super().__init__(per_s, burst)
        self.turns: list[bool] = []

    def delay_s(self, now_s: float, *, urgent: bool) -> float:
        """Take a turn."""
        self.turns.append(urgent)
        return super().delay_s(now_s, urgent=urgent)


class ReaderHarness:
    """The reader with its surroundings; `script` is what each opening gives, then it stays open and silent."""

    def __init__(
        self,
        *script: ScriptedStream | LichessError,
        ongoing: bool = True,
        over_at: int = 10**9,
        clock_s: float | None = 0.0,
    ) -> None:
        self.script = list(script)
        self.ongoing = ongoing
        self.over_at = over_at
        self.openings = 0
        self.received: list[GameEvent | None] = []
        self.asked = 0
        self.pacer = NotedPacer(1000.0, 10)
        self.reader = GameReader(
            "abcdefgh", self.open, self.receive, self.ask_whether_over, self.pacer, lambda: clock_s
        )
        ENDINGS.callback(self.reader.stop)
        self.reader.start()

    def open(self, _game_id: str) -> ScriptedStream:
        """Next of the script."""
        self.openings += 1
        step = self.script.pop(0) if self.script else ScriptedStream()
        if isinstance(step, LichessError):
            raise step
        return step

    def receive(self, event: GameEvent | None, _now_s: float) -> bool:
        """Note; a plain exception in place of an event stands for a fault of ours."""
        self.received.append(event)
        return len(self.received) < self.over_at

    def has_received(self, count: int) -> bool:
        """Whether so many lines have come."""
        return len(self.received) == count

    def ask_whether_over(self) -> None:
        """The game is looked up; one that is over ends."""
        self.asked += 1
        if not self.ongoing:
            self.reader.stop()

    def stopped(self) -> bool:
        """Wait for the thread's end."""
        return wait_until(lambda: not any(thread.name == "game-abcdefgh" for thread in threading.enumerate()))
