"""Processes of a Dask cluster: one of this machine, made for the run, or one that a scheduler stands for.

A process that is lost is replaced, and the task that it was at is done again. Source: docs.dask.org, "Futures",
"Worker Resilience".
"""

import contextlib
import logging
import signal
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Final, Generic, TypeVar

from distributed import Client, Future, KilledWorker, LocalCluster
from distributed.client import FutureCancelledError
from distributed.comm.core import CommClosedError

from engine88.training.cluster.pool import PoolError

Result = TypeVar("Result")

_CONNECT_S: Final = 20
_COUNT_EVERY_S: Final = 2.0
_TIMES_HANDED_OUT: Final = 5
"""The scheduler gives a task up after some processes were lost with it; it is handed out again so many times."""


class _Task(Generic[Result]):
    """A task; its future must be kept, since the cluster forgets results that nobody holds."""

    def __init__(self, pool: "DaskPool", function: Callable[..., Result], arguments: tuple[Any, ...]) -> None:
        self._begin: Callable[[], Future] = lambda: pool.client.submit(function, *arguments, pure=False)
        self._where = pool.where
        self._future: Future = self._begin()

    def result(self) -> Result:
        for _ in range(_TIMES_HANDED_OUT):
            try:
                value: Result = self._future.result()
            except KilledWorker:
                self._future = self._begin()
            except (FutureCancelledError, CommClosedError) as error:
                raise PoolError(f"{self._where}: the scheduler has gone; start again where the results end") from error
            else:
                return value
        raise PoolError(f"{self._where}: every process that began a certain task was lost; look at their logs")


class DaskPool:
    """The processes of a cluster."""

    def __init__(self, client: Client, cluster: LocalCluster | None, where: str) -> None:
        """Take over a client, and the cluster that was made for it; use `local_cluster` or `connect`."""
        self.client, self._cluster, self.where = client, cluster, where
        self._workers, self._counted_s = 0, -_COUNT_EVERY_S

    @property
    def workers(self) -> int:
        """Number of tasks that run at once, at least 1; processes may come and go."""
        if time.monotonic() - self._counted_s > _COUNT_EVERY_S:
            self._workers = sum(self.client.nthreads().values())
            self._counted_s = time.monotonic()
        return max(self._workers, 1)

    def share(self, value: Any) -> Any:
        """Keep the value at the scheduler's side: each process fetches it once."""
        return self.client.submit(lambda: value, pure=False)

    def submit(self, function: Callable[..., Result], *arguments: Any) -> _Task[Result]:
        """Hand out a task."""
        return _Task(self, function, arguments)

    def __enter__(self) -> "DaskPool":
        """Return the pool itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave tasks that are not done, and end the processes that were started for this pool."""
        self.client.close()
        if self._cluster is not None:
            self._cluster.close()


def local_cluster(workers: int) -> DaskPool:
    """Start processes on this machine, each for one task at a time."""
    with _ctrl_c_ignored():
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=0,  # the engine's memory is small and known
            dashboard_address=":0",  # any free port: a second cluster on this machine is nothing to warn of
            silence_logs=logging.CRITICAL,  # a failed task raises; one left undone at the end is not an error
        )
    client = Client(cluster)
    client.wait_for_workers(workers)
    return DaskPool(client, cluster, "the cluster of this machine")


@contextlib.contextmanager
def _ctrl_c_ignored() -> Iterator[None]:
    """Let processes that are started here ignore Ctrl-C, which reaches all of a terminal: this one ends them."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def connect(scheduler: str, tell: Callable[[str], None]) -> DaskPool:
    """Work with the cluster of a scheduler, like "tcp://10.0.0.1:8786"; raises PoolError if it cannot be reached."""
    try:
        client = Client(scheduler, timeout=_CONNECT_S)
    except (OSError, ValueError) as error:
        raise PoolError(
            f"{scheduler}: no scheduler can be reached there ({error}); start one with `dask scheduler` and "
            "processes with `dask worker`"
        ) from error
    if not client.nthreads():
        tell(f"{scheduler}: waiting for its first worker")
        client.wait_for_workers(1)
    return DaskPool(client, None, scheduler)
