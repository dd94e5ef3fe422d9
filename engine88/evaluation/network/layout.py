"""Sizes and index tables of the network, for the kernels.

A feature is a piece of a kind on a square as one side sees the board: `own side 0 / other side 1, kind, square`, the
square counted from a1 = 0 to h8 = 63, ranks flipped for Black, files mirrored while that side's king stands on e to h.
"""

from typing import Any, Final

import numpy as np

from engine88.board.squares import SQUARES, to_64
from engine88.evaluation.network.network_file import FEATURES

WIDTH: Final = 128
"""Neurons of the hidden layer for each side; a narrower network is padded with zeros when it is read."""
BIAS_ROW: Final = FEATURES * WIDTH
"""Index of the hidden layer's first bias; before it lie the feature weights, `WIDTH` for each feature."""
OUTPUT_ROW: Final = BIAS_ROW + WIDTH
"""Index of the output weights: `WIDTH` for the side to move, then `WIDTH` for the other."""
WEIGHT_COUNT: Final = OUTPUT_ROW + 2 * WIDTH

SLOTS: Final = 256
"""Positions of the line being searched whose accumulators are kept; a power of two, more than the longest line."""
BLACK_FLIP: Final = 56
MIRROR: Final = 7


def _feature_rows() -> np.ndarray[Any, np.dtype[np.uint32]]:
    """Index of a feature's first weight: [perspective, mirrored, piece code, 0x88 square]."""
    rows = np.zeros((2, 2, 16, 128), np.uint32)
    for perspective in range(2):
        for mirrored in range(2):
            for piece in (*range(1, 7), *range(9, 15)):
                for square in SQUARES:
                    seen = to_64(square) ^ (BLACK_FLIP if perspective else 0) ^ (MIRROR if mirrored else 0)
                    other = int(piece >> 3 != perspective)
                    feature = (FEATURES // 2) * other + 64 * ((piece & 7) - 1) + seen
                    rows[perspective, mirrored, piece, square] = feature * WIDTH
    return rows


FEATURE_ROWS: Final = _feature_rows()
