"""A file that one process at a time appends to."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from engine88.compiler.file_lock import try_lock


class LockedError(ValueError):
    """A file that another process is writing to; the message names it."""


@contextlib.contextmanager
def locked(path: Path) -> Iterator[int]:
    """Open a file for appending, made if absent, and lock it; on the way out what was written is on the disk."""
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
    try:
        if not try_lock(descriptor):
            raise LockedError(f"{path}: another process is writing to it; wait for that one, or name another file")
        yield descriptor
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
