"""The inputs of the network: which of the 768 features a position switches on, for each of the two perspectives.

The numbers of the features are those of `engine88.evaluation.network.layout`.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine88.evaluation.network.layout import BLACK_FLIP, EAST_HALF, MIRROR, feature_index
from engine88.training.compiled import compiled, int64

FEATURES: Final = 768
MAX_PIECES: Final = 32

_BIT_MODULUS: Final = 67  # the 64 powers of two differ modulo 67
_BIT_SQUARE: Final = np.zeros(_BIT_MODULUS, np.uint8)
for _square in range(64):
    _BIT_SQUARE[(1 << _square) % _BIT_MODULUS] = _square


@compiled
def active_features(sample: np.void, mirrored: bool, own_rows: NDArray[np.int64], other_rows: NDArray[np.int64]) -> int:
    """Write the features of the side to move and of its opponent (int64 [32] each); returns their number."""
    occupancy = sample["occupancy"]
    pieces = sample["pieces_low"]
    own_mirror = MIRROR if mirrored and (int64(sample["own_king"]) & EAST_HALF) != 0 else 0
    other_mirror = MIRROR if mirrored and (int64(sample["other_king"]) & EAST_HALF) != 0 else 0
    count = 0
    while occupancy != 0 and count < MAX_PIECES:
        rest = occupancy & (occupancy - np.uint64(1))
        square = int64(_BIT_SQUARE[int64((occupancy ^ rest) % np.uint64(_BIT_MODULUS))])
        if count == 16:
            pieces = sample["pieces_high"]
        nibble = int64(pieces & np.uint64(15))
        pieces >>= np.uint64(4)
        kind, is_other = nibble & 7, nibble >> 3
        own_rows[count] = feature_index(is_other, kind, square ^ own_mirror)
        other_rows[count] = feature_index(1 - is_other, kind, square ^ BLACK_FLIP ^ other_mirror)
        occupancy = rest
        count += 1
    return count
