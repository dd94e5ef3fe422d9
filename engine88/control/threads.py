"""Threads that outlive a search: waking a thread costs about 50 us, starting one 150.

`Worker` executes jobs in order; `Alarm` calls functions at set times. Both are daemon threads: they never
keep a process alive.
"""

import heapq
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")


class Worker:
    """One thread and a queue of jobs; an error in a job is raised again where its result is read."""

    def __init__(self, name: str) -> None:
        """Start the thread."""
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[], T]) -> "Future[T]":
        """Queue a job; its result or error comes with the future."""
        future: Future[T] = Future()

        def run() -> None:
            try:
                result = job()
            except BaseException as error:  # noqa: BLE001 -- not swallowed: it is raised again by future.result()
                future.set_exception(error)
            else:
                future.set_result(result)

        self._jobs.put(run)
        return future

    def close(self) -> None:
        """End the thread after the jobs that are queued."""
        self._jobs.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()


class Alarm:
    """Calls functions at times of `time.perf_counter`, in a separate thread.

    They must be quick and must not raise.
    """

    def __init__(self) -> None:
        """Start the thread."""
        self._changed = threading.Condition()
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._open = True
        self._thread = threading.Thread(target=self._watch, name="engine88-alarm", daemon=True)
        self._thread.start()

    def at(self, when_s: float, action: Callable[[], None]) -> None:
        """Call the action at that time, or as soon as possible after it."""
        with self._changed:
            self._count += 1
            heapq.heappush(self._due, (when_s, self._count, action))
            if self._due[0][1] == self._count:
                self._changed.notify()

    def clear(self) -> None:
        """Forget all that is due; an action that has just begun may still run."""
        with self._changed:
            self._due.clear()

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._open = False
            self._changed.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _watch(self) -> None:
        while (action := self._next()) is not None:
            action()

    def _next(self) -> Callable[[], None] | None:
        """Sleep until an action is due and return it; None when the alarm is closed."""
        with self._changed:
            while self._open:
                if not self._due:
                    self._changed.wait()
                    continue
                wait_s = self._due[0][0] - time.perf_counter()
                if wait_s <= 0.0:
                    return heapq.heappop(self._due)[2]
                self._changed.wait(wait_s)
            return None
