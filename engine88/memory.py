"""Big tables that kernels reach by address: allocated here, on the edge of a cache line."""

from dataclasses import dataclass
from typing import Any

import numpy as np

CACHE_LINE = 64


@dataclass(frozen=True)
class Words:
    """`array` of uint64 words; `address` of its first byte, a multiple of 64. The owner keeps `array` alive."""

    array: np.ndarray[Any, np.dtype[np.uint64]]
    address: int


def aligned_words(count: int) -> Words:
    """Return `count` zeroed words that begin on a cache line. Pages are taken from the system when first touched."""
    slack = CACHE_LINE // 8
    raw = np.zeros(count + slack, dtype=np.uint64)
    first = (-raw.ctypes.data % CACHE_LINE) // 8
    array = raw[first : first + count]
    return Words(array, int(array.ctypes.data))
