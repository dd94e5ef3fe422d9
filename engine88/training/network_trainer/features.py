"""The inputs of the network: which of the 768 features a position switches on, for each of the two perspectives.

For the perspective of one side:

    index = (0 if the piece is that side's, else 384) + (piece_type - 1) * 64 + square

with piece_type 1 to 6 for pawn, knight, bishop, rook, queen, king, and square 0 to 63 (a1 = 0, h8 = 63) as that side
sees the board: Black's ranks are flipped (square ^ 56). With horizontal mirroring, if that side's own king stands on
the files e to h, every square is mirrored too (square ^ 7).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine88.training.compiled import compiled, int64

FEATURES: Final = 768
OTHER_COLOUR: Final = 384
"""Distance between the features of a side's own pieces and those of its opponent's."""
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
    own_mirror = 7 if mirrored and int64(sample["own_king"]) & 7 >= 4 else 0
    other_mirror = 7 if mirrored and int64(sample["other_king"]) & 7 >= 4 else 0
    count = 0
    while occupancy != 0 and count < MAX_PIECES:
        rest = occupancy & (occupancy - np.uint64(1))
        square = int64(_BIT_SQUARE[int64((occupancy ^ rest) % np.uint64(_BIT_MODULUS))])
        if count == 16:
            pieces = sample["pieces_high"]
        nibble = int64(pieces & np.uint64(15))
        pieces >>= np.uint64(4)
        kind = (nibble & 7) << 6
        is_other = nibble >> 3
        own_rows[count] = is_other * OTHER_COLOUR + kind + (square ^ own_mirror)
        other_rows[count] = (1 - is_other) * OTHER_COLOUR + kind + (square ^ 56 ^ other_mirror)
        occupancy = rest
        count += 1
    return count
