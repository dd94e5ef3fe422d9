"""Clocks that tests set, alone or in an event loop that jumps to its next timer."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any


class FakeClock:
    """A clock for code that takes `now_s` as a callable; a test changes `now_s`."""

    def __init__(self, now_s: float = 1_000_000.0) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


class _JumpingSelector(selectors.DefaultSelector):
    """Instead of waiting, moves the loop's time on."""

    loop: FakeClockLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = super().select(0)
        if not events and timeout:
            self.loop.now_s += timeout
        return events


class FakeClockLoop(asyncio.SelectorEventLoop):
    """`now_s` is the time, which starts at 0."""

    def __init__(self) -> None:
        self.now_s = 0.0
        selector = _JumpingSelector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        """The fake clock."""
        return self.now_s


def run_on_fake_clock(work: Coroutine[Any, Any, Any]) -> Any:
    """Run to its end on such a loop."""
    with asyncio.Runner(loop_factory=FakeClockLoop) as runner:
        return runner.run(work)
