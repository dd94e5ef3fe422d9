"""Sizes and index tables of the network, for the kernels.

A feature is a piece of a kind on a square as one side sees the board: `own side 0 / other side 1, kind, square`, the
square counted from a1 = 0 to h8 = 63, ranks flipped for Black, files mirrored while that side's king stands on e to h
(a network may be trained without this mirroring). Networks of all widths share the kernels: they compute whole blocks.
"""

from typing import Any, Final

import numpy as np

from engine88.board.squares import SQUARES, to_64
from engine88.evaluation.network.network_file import FEATURES

MOST_WIDTH: Final = 256
"""Neurons of the hidden layer for each side, at most."""
BLOCK: Final = 64
"""Neurons are computed so many at once; a network is padded with zeros to whole blocks when it is read."""

BIAS_ROW: Final = FEATURES
"""The weights lie in rows as wide as the network: one for each feature, then the biases, ..."""
OUTPUT_ROW: Final = BIAS_ROW + 1
"""... then the output weights for the side to move, and those for the other."""
ROWS: Final = OUTPUT_ROW + 2

SLOTS: Final = 256
"""Positions of the line being searched whose accumulators are kept; a power of two, more than the longest line."""
BLACK_FLIP: Final = 56
MIRROR: Final = 7
EAST_HALF: Final = 4
"""The bit of a square that is set on the files e to h."""


def _feature_table() -> np.ndarray[Any, np.dtype[np.uint16]]:
    """Number of a feature: [perspective, mirrored, piece code, 0x88 square]."""
    table = np.zeros((2, 2, 16, 128), np.uint16)
    for perspective in range(2):
        for mirrored in range(2):
            for piece in (*range(1, 7), *range(9, 15)):
                for square in SQUARES:
                    seen = to_64(square) ^ (BLACK_FLIP if perspective else 0) ^ (MIRROR if mirrored else 0)
                    other = int(piece >> 3 != perspective)
                    table[perspective, mirrored, piece, square] = (
                        (FEATURES // 2) * other + 64 * ((piece & 7) - 1) + seen
                    )
    return table


FEATURE_TABLE: Final = _feature_table()
