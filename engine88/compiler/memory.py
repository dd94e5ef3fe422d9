"""Page-aligned allocation of the big tables that kernels reach by address."""

import contextlib
import mmap
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
    """Return `count` zeroed words. Pages are taken from the system when first touched, huge ones if it has them.

    A random read of a 64 MB table misses the address translation cache on almost every small page.
    """
    memory = mmap.mmap(-1, count * 8, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # shared memory gets no huge pages
    if _HUGE_PAGES is not None:
        with contextlib.suppress(OSError):  # a kernel without huge pages: only slower
            memory.madvise(_HUGE_PAGES)
    array = np.frombuffer(memory, dtype=np.uint64)
    return Words(array, int(array.ctypes.data))
