"""One process at a time: a lock on a file, by what the system offers."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

fcntl: ModuleType | None = None
msvcrt: ModuleType | None = None
try:
    import fcntl
except ImportError:  # not POSIX
    with contextlib.suppress(ImportError):
        import msvcrt

_RETRY_S = 0.2


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock on `path`, made if absent; the system frees it when the process ends, however it ends.

    On a system that knows no such locks it is not held at all: what it guards must then be harmless when done twice.
    """
    with path.open("w") as handle:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX)
        elif msvcrt is not None:
            _wait_for_region(msvcrt, handle.fileno())
        yield


def _wait_for_region(locks: ModuleType, descriptor: int) -> None:
    """Lock the first byte; Windows has no call that waits as long as it takes."""
    while True:
        try:
            locks.locking(descriptor, locks.LK_NBLCK, 1)
        except OSError:
            time.sleep(_RETRY_S)
        else:
            return
