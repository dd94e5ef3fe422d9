"""Zobrist keys (Zobrist 1970): one random number per feature; a key is the exclusive or of the features present."""

import numpy as np
from numpy.typing import NDArray

_MASK = (1 << 64) - 1
_SEED = 0x88


def _random_keys(count: int, seed: int) -> NDArray[np.uint64]:
    """Return `count` well mixed numbers, the same in every run (splitmix64: Steele, Lea and Flood 2014)."""
    keys = []
    state = seed
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        keys.append(mixed ^ (mixed >> 31))
    return np.array(keys, np.uint64)


_KEYS = _random_keys(16 * 128 + 16 + 8 + 1, _SEED)

PIECE_KEYS: NDArray[np.uint64] = _KEYS[: 16 * 128].reshape(16, 128).copy()
"""By piece code and square."""
CASTLING_KEYS: NDArray[np.uint64] = _KEYS[2048:2064].copy()
"""By the four castling rights as one number."""
EN_PASSANT_KEYS: NDArray[np.uint64] = np.append(np.tile(_KEYS[2064:2072], 16)[:127], np.uint64(0))
"""By en-passant square (only its file matters); zero for NO_SQUARE."""
SIDE_KEY = np.uint64(_KEYS[2072])
"""Black is to move."""
