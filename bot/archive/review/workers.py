"""Work on many games at once: by threads with a pool of engines here, or by the workers of a Dask cluster."""

from __future__ import annotations

import contextlib
import importlib
import logging
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, TypeVar

from bot.engine_pool.pool import EnginePool
from bot.errors import ConfigurationError
from bot.settings import EngineEntry

_POLL_S = 0.2
_CONNECT_S = 10
_LOGGER_OF_DASK = "distributed.client"

Task = TypeVar("Task")
Done = TypeVar("Done")


@contextlib.contextmanager
def workers(
    scheduler: str, jobs: int, entries: Iterable[EngineEntry], stopped: Callable[[], bool]
) -> Iterator[tuple[Executor, EnginePool | None, Callable[[], bool]]]:
    """Return the workers of a cluster without a pool, or without a `scheduler` so many threads and their engines.

    The third value returns whether work here is to end: `stopped()`, or the block is left. Raises ConfigurationError
    and EngineStartError.
    """
    if scheduler:
        with cluster_executor(scheduler) as executor:
            yield executor, None, stopped
        return
    abandoned = threading.Event()
    with EnginePool(entries, fallback=None) as pool, ThreadPoolExecutor(jobs, "worker") as executor:
        try:
            yield executor, pool, lambda: abandoned.is_set() or stopped()
        finally:
            abandoned.set()


@contextlib.contextmanager
def cluster_executor(scheduler: str) -> Iterator[Executor]:
    """Return the workers of a Dask cluster; a lost scheduler cancels all futures and is not logged by Dask.

    Raises ConfigurationError where it cannot be reached.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise ConfigurationError("--scheduler needs Dask: pip install 'bot88[cluster]'") from error
    try:
        client = distributed.Client(scheduler, timeout=_CONNECT_S)
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"--scheduler {scheduler}: cannot be reached: {error or 'no answer'}") from error
    logger = logging.getLogger(_LOGGER_OF_DASK)
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with client:
            yield client.get_executor(pure=False)
    finally:
        logger.setLevel(level)


def completed(
    executor: Executor, work: Callable[[Task], Done], tasks: Iterable[Task], most: int, stopped: Callable[[], bool]
) -> Generator[tuple[Task, Future[Done]], None, None]:
    """Work on the tasks, on so many at once; yield each with its future as soon as it is done.

    End early once `stopped()`. Close the generator, which cancels what has not begun.
    """
    left = iter(tasks)
    waiting: dict[Future[Done], Task] = {}
    try:
        while not stopped():
            waiting |= {executor.submit(work, task): task for task in islice(left, most - len(waiting))}
            if not waiting:
                return
            done, _running = wait(waiting, timeout=_POLL_S, return_when=FIRST_COMPLETED)
            for future in done:
                yield waiting.pop(future), future
    finally:
        for future in waiting:
            future.cancel()
