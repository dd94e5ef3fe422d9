"""Open the pool of processes that a command asks for."""

import argparse
import importlib.util
import os
from collections.abc import Callable

from engine88.training.cluster.pool import LocalPool, NoPool, Pool, PoolError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options that say who does the work."""
    parser.add_argument(
        "--workers",
        type=int,
        default=os.cpu_count() or 1,
        help="processes of this machine (default: one for each core; 0: no further one)",
    )
    parser.add_argument("--scheduler", help="Dask scheduler whose workers do the work, like tcp://10.0.0.1:8786")


def open_pool(options: argparse.Namespace, tell: Callable[[str], None]) -> Pool:
    """Start, or reach, the processes that the options name; raises PoolError."""
    if options.workers < 0:
        raise PoolError(f"--workers must be 0 or more, not {options.workers}")
    has_dask = importlib.util.find_spec("distributed") is not None
    if options.scheduler is not None:
        if not has_dask:
            raise PoolError("--scheduler needs Dask: pip install 'bot88[cluster]'")
        from engine88.training.cluster.dask_pool import connect

        return connect(options.scheduler, tell)
    if options.workers == 0:
        return NoPool()
    if not has_dask:
        return LocalPool(options.workers)
    from engine88.training.cluster.dask_pool import local_cluster

    return local_cluster(options.workers)
