"""Signal handlers that only set flags, waits that a signal ends, and the exit codes."""

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
    """Exit codes of the program; after a second signal it is 128 + the signal's number."""

    OK = 0
    FAILED = 1
    CONFIGURATION = 2
    ACCOUNT = 3
    UNREACHABLE = 4
    ENGINE = 5


class Stopped(BotError):  # noqa: N818 -- no error: it unwinds a wait
    """Raised when a signal ends a wait."""


class StopSignals:
    """Counts SIGTERM and SIGINT: the first asks the program to stop, the second to stop at once.

    SIGHUP asks for the configuration to be reloaded.
    """

    def __init__(self) -> None:
        """Start without signals."""
        self.count = 0
        self._reload = False
        self.last = signal.SIGTERM
        self.on_forced_exit: Callable[[], object] = lambda: None

    @property
    def asked(self) -> bool:
        """Whether the program should end."""
        return self.count > 0

    @property
    def forced(self) -> bool:
        """Whether it should end at once."""
        return self.count > 1

    def ask(self, number: int = signal.SIGTERM) -> None:
        """Behave as if the signal had arrived."""
        self.count += 1
        self.last = signal.Signals(number)

    def ask_reload(self) -> None:
        """Behave as if SIGHUP had arrived."""
        self._reload = True

    def take_reload(self) -> bool:
        """Return whether SIGHUP has arrived since the last call."""
        asked, self._reload = self._reload, False
        return asked

    def wait(self, seconds: float) -> bool:
        """Wait; return True early if the program is asked to stop."""
        deadline = time.monotonic() + seconds
        while not self.asked:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(left, _POLL_S))
        return True

    def run(self, work: Callable[[], T]) -> T:
        """Do the work on another thread while this one handles signals. Raises Stopped if a signal arrives first."""
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
    def installed(self, *, reload: bool = False) -> Iterator[StopSignals]:
        """Handle SIGTERM and SIGINT, with `reload` SIGHUP too, inside the block; for the main thread only."""
        old = {number: signal.signal(number, self._handle) for number in (signal.SIGTERM, signal.SIGINT)}
        if reload and hasattr(signal, "SIGHUP"):  # Windows has none; `bot88 ctl reload` does the same
            old[signal.SIGHUP] = signal.signal(signal.SIGHUP, lambda _number, _frame: self.ask_reload())
        try:
            yield self
        finally:
            for number, handler in old.items():
                signal.signal(number, handler)

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        self.ask(number)
        if self.count > 2:
            self.on_forced_exit()
            os._exit(128 + number)  # even the forced way hangs: a third signal needs no thread to be well
