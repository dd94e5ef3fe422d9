"""Pools of processes that work on tasks: the interface, and the processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from itertools import islice
from types import TracebackType
from typing import Any, Final, Generic, Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Outcome = TypeVar("Outcome", covariant=True)

_AHEAD: Final = 8
"""Tasks handed out for each process, so that none waits for a slow one whose turn it is."""
_NODES_AT_ONCE: Final = 2400
"""Nodes a move times games that a process gets together: about half a second of work."""


class PoolError(RuntimeError):
    """Processes that cannot be reached, or that have gone; the message names them and what to do."""


class TaskHandle(Protocol[Outcome]):
    """A task that was handed out."""

    def result(self) -> Outcome:
        """Wait for the task; raises what it raised, or PoolError if nobody can do it."""


class Pool(AbstractContextManager["Pool"], Protocol):
    """Processes, on this machine or others; leaving the context ends those that were started for it."""

    @property
    def workers(self) -> int:
        """Number of tasks that run at once."""

    def share(self, value: Any) -> Any:
        """Send a value that many tasks need; what is returned is an argument for `submit`."""

    def submit(self, function: Callable[..., Result], *arguments: Any) -> TaskHandle[Result]:
        """Hand out a task."""


class _Here(Generic[Result]):
    """A task that is done when its result is asked for."""

    def __init__(self, function: Callable[..., Result], arguments: tuple[Any, ...]) -> None:
        self._function, self._arguments = function, arguments

    def result(self) -> Result:
        return self._function(*self._arguments)


class NoPool:
    """No process at all: this one does the work."""

    workers = 1

    def share(self, value: Any) -> Any:
        """Return the value itself."""
        return value

    def submit(self, function: Callable[..., Result], *arguments: Any) -> TaskHandle[Result]:
        """Leave the task until its result is wanted."""
        return _Here(function, arguments)

    def __enter__(self) -> NoPool:
        """Return the pool itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing: nothing was started."""


def in_order(
    pool: Pool,
    function: Callable[[Any, Any, Item], Result],
    shared: tuple[Any, Any],
    items: Iterable[Item],
    batch: int = 1,
) -> Iterator[Result]:
    """Yield `function(*shared, item)` of each item in the order of the items; items are taken as they are needed.

    A process gets `batch` items at a time.
    """
    left = iter(items)
    waiting: deque[TaskHandle[list[Result]]] = deque()
    while group := list(islice(left, batch)):
        waiting.append(pool.submit(_each, function, *shared, group))
        if len(waiting) >= _AHEAD * pool.workers:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()


def batch_of(count: int, pool: Pool, nodes: int) -> int:
    """Return how many of `count` games at `nodes` a move to hand out at a time, few enough to keep all processes busy.

    At 150 nodes two processes searched games again at four fifths of the speed with four instead of sixteen at a time.
    """
    return max(1, min(_NODES_AT_ONCE // nodes, count // (_AHEAD * pool.workers)))


def _each(function: Callable[[Any, Any, Item], Result], first: Any, second: Any, items: list[Item]) -> list[Result]:
    return [function(first, second, item) for item in items]


class _Task(Generic[Result]):
    def __init__(self, future: Future[Result]) -> None:
        self._future = future

    def result(self) -> Result:
        try:
            return self._future.result()
        except BrokenProcessPool as error:
            raise PoolError(
                "a process of the pool was killed; start again where the results end (with Dask, "
                "pip install 'bot88[cluster]', such a process is replaced)"
            ) from error


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

    def submit(self, function: Callable[..., Result], *arguments: Any) -> _Task[Result]:
        """Hand out a task."""
        return _Task(self._executor.submit(function, *arguments))

    def __enter__(self) -> LocalPool:
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
