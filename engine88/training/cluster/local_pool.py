"""Processes of this machine without Dask: one for each task at a time; one that is killed ends the run."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Any, Generic, TypeVar

from engine88.training.cluster.pool import PoolError

Result = TypeVar("Result")


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
