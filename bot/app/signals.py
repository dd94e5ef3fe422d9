"""Signals that only set flags, waits that end with them, and the exit codes of the program."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from enum import IntEnum
from types import FrameType
from typing import TypeVar

from bot.errors import BotError

T = TypeVar("T")

_POLL_S = 0.1


class ExitCode(IntEnum):
    """What the program ends with; a second signal ends it with 128 + the signal's number."""

    OK = 0
    FAILED = 1
    CONFIGURATION = 2
    ACCOUNT = 3
    UNREACHABLE = 4
    ENGINE = 5


class Stopped(BotError):  # noqa: N818 -- no error: it unwinds a wait
    """A signal came while something was awaited."""


class StopSignals:
    """Counts SIGTERM and SIGINT. The first asks the program to end, the second ends it without further ado."""

    def __init__(self) -> None:
        self.count = 0
        self.last = signal.SIGTERM
        self.on_second: Callable[[], object] | None = None

    @property
    def asked(self) -> bool:
        """Whether the program should end."""
        return self.count > 0

    @property
    def forced(self) -> bool:
        """Whether it should end at once."""
        return self.count > 1

    def ask(self, number: int = signal.SIGTERM) -> None:
        """As if the signal had come."""
        self.count += 1
        self.last = signal.Signals(number)

    def wait(self, seconds: float) -> bool:
        """Wait; ends early, with True, when the program is asked to end."""
        deadline = time.monotonic() + seconds
        while not self.asked:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(left, _POLL_S))
        return True

    def run(self, work: Callable[[], T]) -> T:
        """Do the work on another thread, so that this one hears signals; raises Stopped when one comes first."""
        outcome: list[T] = []
        failure: list[BaseException] = []

        def target() -> None:
            try:
                outcome.append(work())
            except BaseException as error:  # noqa: BLE001 -- handed over to the thread that waits
                failure.append(error)

        thread = threading.Thread(target=target, name="start-up", daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(_POLL_S)
            if self.asked and thread.is_alive():
                raise Stopped("a signal came")
        if failure:
            raise failure[0]
        return outcome[0]

    @contextlib.contextmanager
    def installed(self) -> Iterator[StopSignals]:
        """Handle the two signals inside the block; only the main thread may enter it."""
        old = {number: signal.signal(number, self._handle) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield self
        finally:
            for number, handler in old.items():
                signal.signal(number, handler)

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        self.ask(number)
        if self.count > 2:
            os._exit(128 + number)  # even the forced way hangs: a third signal needs no thread to be well
