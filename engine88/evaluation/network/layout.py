"""Sizes and index tables of the network, and the NETWORK_STATE record, for the kernels.

A feature is a piece of a kind on a square as one side sees the board: `own side 0 / other side 1, kind, square`, the
square counted from a1 = 0 to h8 = 63, ranks flipped for Black, files mirrored while that side's king stands on e to h
(a network may be trained without this mirroring). Networks of all widths share the kernels: they compute whole blocks.
"""

from typing import Annotated, Any, Final, TypeAlias

import numba
import numpy as np

from engine88.board.squares import SQUARES, color_of, to_64, type_of
from engine88.compiler.jit import jitable
from engine88.evaluation.network.network_file import BUCKETS, FEATURES

MOST_WIDTH: Final = 512
"""Neurons of the hidden layer for each side, at most."""
BLOCK: Final = 64
"""Neurons are computed so many at once; a network is padded with zeros to whole blocks when it is read."""
MOST_SUMMED: Final = 256
"""Neurons whose activations times weights always add up to less than 2**31: 255 * 255 * 127 * 256."""

BIAS_ROW: Final = FEATURES
"""The weights form rows as wide as the network: one for each feature, then the biases, ..."""
OUTPUT_ROW: Final = BIAS_ROW + 1
"""... then for each bucket the output weights for the side to move, and those for the other."""
ROWS: Final = OUTPUT_ROW + 2 * BUCKETS

SLOTS: Final = 256
"""Positions of the line being searched whose accumulators are kept; a power of two, more than the longest line."""
BLACK_FLIP: Final = 56
MIRROR: Final = 7
SQUARES_SEEN: Final = 64
EAST_HALF: Final = 4
"""The bit of a square that is set on the files e to h."""


@jitable
def feature_index(is_other: int, kind: int, seen_square: int) -> int:
    """Return the number of a feature: kind 0 (pawn) to 5 (king), the square as the perspective's side sees it."""
    return is_other * (FEATURES // 2) + kind * SQUARES_SEEN + seen_square


@jitable
def output_bucket(pieces: int) -> int:
    """Return which output judges a position of so many pieces, 2 to 32: 0 up to four, 1 up to eight, and so on."""
    return (pieces - 1) >> 2


def _feature_table() -> np.ndarray[Any, np.dtype[np.uint16]]:
    """Return the numbers of all features: [perspective, mirrored, piece code, 0x88 square]."""
    table = np.zeros((2, 2, 16, 128), np.uint16)
    for perspective in range(2):
        for mirrored in range(2):
            for piece in (*range(1, 7), *range(9, 15)):
                for square in SQUARES:
                    seen = to_64(square) ^ (BLACK_FLIP if perspective else 0) ^ (MIRROR if mirrored else 0)
                    is_other = int(color_of(piece) != perspective)
                    table[perspective, mirrored, piece, square] = feature_index(is_other, type_of(piece) - 1, seen)
    return table


FEATURE_TABLE: Final = _feature_table()

NETWORK_STATE: Final = np.dtype(
    (
        np.record,
        [
            ("address", np.uint64),
            ("output_bias", np.int64, (BUCKETS,)),
            ("width", np.int64),
            ("mirror_bit", np.int64),
            ("keys", np.uint64, (SLOTS, 2)),
            ("accumulators", np.int16, (SLOTS * 2 * MOST_WIDTH,)),
            ("cached_squares", np.uint8, (2, 2, 128)),
            ("cached", np.int16, (2 * 2 * MOST_WIDTH,)),
        ],
    )
)
"""Where the network is, and the accumulators of the positions on the line that one thread searches.

The accumulators are found by height: the position after `n` plies of its game has slot `n % SLOTS`. A slot is valid
for a position if it carries that position's key, so nothing has to be undone when moves are taken back.

    address         of the weights (see loaded_network.py), 0 while there is no network
    output_bias     [bucket], times QA * QB
    width           neurons for each side, whole blocks of them
    mirror_bit      EAST_HALF if files are mirrored while a side's king stands on e to h, 0 if they never are
    keys            [slot, perspective]: the Zobrist key of the position that the accumulator belongs to
    accumulators    [slot, perspective, neuron], `width` apart: the hidden layer before its activation, times QA
    cached_squares  [perspective, mirrored, 0x88 square]: the position of `cached`
    cached          [perspective, mirrored, neuron], likewise: the accumulator built last for that view of the board
"""

NetworkState: TypeAlias = Annotated[Any, numba.from_dtype(NETWORK_STATE)]
"""A NETWORK_STATE record."""
