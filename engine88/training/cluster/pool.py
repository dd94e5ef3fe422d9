"""Processes that do the work of a tool."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from types import TracebackType
from typing import Any, Final, Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD: Final = 8
"""Tasks handed out for each process, so that none waits for a slow one whose turn it is."""


class Pool(Protocol):
    """Processes, on this machine or others; leaving the context ends those that were started for it."""

    @property
    def workers(self) -> int:
        """Number of tasks that run at once."""

    def share(self, value: Any) -> Any:
        """Send a value that many tasks need; what is returned is an argument for `submit`."""

    def submit(self, function: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Begin a task."""

    def __enter__(self) -> "Pool":
        """Return the pool itself."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave tasks that have not begun, and end the processes."""


class LocalPool:
    """Processes of this machine, one for each task at a time."""

    def __init__(self, workers: int) -> None:
        """Start no process yet."""
        self.workers = workers
        context = multiprocessing.get_context("spawn")
        self._executor = ProcessPoolExecutor(workers, context, _start_process)

    def share(self, value: Any) -> Any:
        """Send the value with each task."""
        return value

    def submit(self, function: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Begin a task."""
        return self._executor.submit(function, *arguments)

    def __enter__(self) -> "LocalPool":
        """Return the pool itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave tasks that have not begun, and end the processes."""
        self._executor.shutdown(cancel_futures=True)


def _start_process() -> None:
    """Leave Ctrl-C to the parent, and end when it ends, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


def in_order(
    pool: Pool, function: Callable[[Any, Any, Item], Result], shared: tuple[Any, Any], items: Iterable[Item]
) -> Iterator[Result]:
    """Yield `function(*shared, item)` of each item in the order of the items; items are taken as they are needed."""
    waiting: deque[Future[Result]] = deque()
    for item in items:
        waiting.append(pool.submit(function, *shared, item))
        if len(waiting) >= _AHEAD * pool.workers:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
