"""Page-aligned memory: the big tables that kernels reach by address, and records whose vectors must be aligned."""

import contextlib
import mmap
import os
from dataclasses import dataclass
from typing import Any

import numpy as np

_HUGE_PAGES = getattr(mmap, "MADV_HUGEPAGE", None)  # Linux; elsewhere plain pages must do


@dataclass(frozen=True)
class Words:
    """`array` of uint64 words; `address` of its first byte, at the start of a page. The owner keeps `array` alive."""

    array: np.ndarray[Any, np.dtype[np.uint64]]
    address: int


def aligned_words(count: int) -> Words:
    """Return `count` zeroed words; raise MemoryError if the machine has not so much memory.

    Pages are taken from the system when first touched, huge ones if it has them: a random read of a 64 MB table misses
    the address translation cache on almost every small page.
    """
    if count * 8 > _physical_bytes():  # the system would give the addresses, and kill the process when it uses them
        raise MemoryError(f"{count * 8} bytes are more than the memory of this machine")
    try:
        memory = mmap.mmap(-1, count * 8, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # huge pages need private memory
    except (OSError, OverflowError, ValueError) as error:
        raise MemoryError(f"the system gives no {count * 8} bytes: {error}") from error
    if _HUGE_PAGES is not None:
        with contextlib.suppress(OSError):  # a kernel without huge pages: only slower
            memory.madvise(_HUGE_PAGES)
    array = np.frombuffer(memory, dtype=np.uint64)
    return Words(array, int(array.ctypes.data))


def _physical_bytes() -> float:
    """Return the size of the machine's memory, infinity where the system does not report it."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return float("inf")
