"""One process at a time: a lock on a file, by what the system offers."""

import contextlib
import os
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
_FAR_BEYOND = 2**31 - 2  # bytes: beyond the end of any file that is locked by try_lock


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


def try_lock(descriptor: int) -> bool:
    """Lock a file that is open until it is closed; returns False at once where another process holds it."""
    if fcntl is not None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    elif msvcrt is not None:
        os.lseek(descriptor, _FAR_BEYOND, os.SEEK_SET)  # what is locked there cannot be read by others
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
    return True


def _wait_for_region(locks: ModuleType, descriptor: int) -> None:
    """Lock the first byte; Windows has no call that waits as long as it takes."""
    while True:
        try:
            locks.locking(descriptor, locks.LK_NBLCK, 1)
        except OSError:
            time.sleep(_RETRY_S)
        else:
            return
