"""Sizes and index tables of the network, and the NETWORK_STATE record, for the kernels.

A feature is a piece of a kind on a square as one side sees the board: `own side 0 / other side 1, kind, square`, the
square counted from a1 = 0 to h8 = 63, ranks flipped for Black. That side's king decides the rest of its view: files are
mirrored while it stands on e to h (a network may be trained without this), and which set of weights counts, its king
bucket. Networks of all widths share the kernels: they compute whole blocks.
"""

from typing import Annotated, Any, Final, TypeAlias

import numba
import numpy as np

from engine88.board.squares import SQUARES, color_of, to_64, type_of
from engine88.compiler.jit import jitable
from engine88.evaluation.network.network_file import FEATURES, HIDDEN, KING_BUCKETS, OUTPUT_BUCKETS

MOST_WIDTH: Final = 512
"""Neurons of the hidden layer for each side, at most."""
BLOCK: Final = 128
"""Neurons are computed so many at once; each half of a network is padded to half-blocks when it is read."""

BIAS_ROW: Final = 0
"""The weights form rows as wide as the network: the biases, ..."""
HIDDEN_ROW: Final = BIAS_ROW + 1
"""... then for each output bucket those of the second layer [HIDDEN], ..."""
FEATURE_ROW: Final = HIDDEN_ROW + HIDDEN * OUTPUT_BUCKETS
"""... then for each king bucket one for each feature."""
ROWS: Final = FEATURE_ROW + max(KING_BUCKETS) * FEATURES
"""Rows of a network with the most king buckets."""
VIEWS: Final = 2 * max(KING_BUCKETS)
"""Ways in which a side may see the board: twice its king bucket, plus 1 while files are mirrored."""

SLOTS: Final = 256
"""Positions of the line being searched whose accumulators are kept; a power of two, more than the longest line."""
BLACK_FLIP: Final = 56
MIRROR: Final = 7
SQUARES_SEEN: Final = 64
MAX_PIECES: Final = 32
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


KING_AREAS: Final = {
    1: 8 * ("0000",),
    4: 3 * ("0001",) + 5 * ("2223",),
    8: ("0014", "2225", "3335") + 5 * ("6667",),
}
"""By the number of king buckets: the bucket of a king on the files a to d, from rank 1 up; the others mirror them.

Each of the eight is a part of one of the four. Kings seldom cross their borders in a search; each crossing costs a
refresh of an accumulator.
"""


def king_views(mirrored: bool, king_buckets: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return the view of a side [64] by the square of its king, as that side sees it."""
    views = np.zeros(64, np.uint8)
    for square in range(64):
        rank, file = square >> 3, square & 7
        bucket = int(KING_AREAS[king_buckets][rank][min(file, 7 - file)])
        views[square] = 2 * bucket + int(mirrored and square & EAST_HALF != 0)
    return views


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
            ("accumulators", np.int16, (SLOTS * 2 * MOST_WIDTH,)),
            ("cached", np.int16, (2 * VIEWS * MOST_WIDTH,)),
            ("products", np.int16, (MOST_WIDTH,)),
            ("hidden", np.int32, (HIDDEN,)),
            ("gone", np.int64, (MAX_PIECES,)),
            ("come", np.int64, (MAX_PIECES,)),
            ("hidden_bias", np.int32, (OUTPUT_BUCKETS, HIDDEN)),
            ("output_weights", np.int32, (OUTPUT_BUCKETS, 2 * (HIDDEN - 1))),
            ("output_bias", np.int64, (OUTPUT_BUCKETS,)),
            ("address", np.uint64),
            ("width", np.int64),
            ("views", np.uint8, (2, 128)),
            ("keys", np.uint64, (SLOTS, 2)),
            ("cached_squares", np.uint8, (2, VIEWS, 128)),
        ],
    )
)
"""Where the network is, and the accumulators of the positions on the line that one thread searches.

The accumulators are found by height: the position after `n` plies of its game has slot `n % SLOTS`. A slot is valid
for a position if it carries that position's key, so nothing has to be undone when moves are taken back. They come
first, so that in a record at the start of a page each of them fills whole lines of the processor's cache.

    accumulators    [slot, perspective, neuron], `width` apart: the hidden layer before its activation, times QA
    cached          [perspective, view, neuron], likewise: the accumulator built last for that view of the board
    products        of the position that is evaluated: of the side to move, then of its opponent
    hidden          the sums of the second layer for it
    gone, come      while an accumulator is made from a cached one: indices of the first weights of the pieces that
                    differ
    hidden_bias, output_weights, output_bias    as in the file
    address         of the weights (see loaded_network.py), 0 while there is no network
    width           neurons for each side, whole blocks of them
    views           [perspective, 0x88 square]: the view of a side with its king there (see king_views)
    keys            [slot, perspective]: the Zobrist key of the position that the accumulator belongs to
    cached_squares  [perspective, view, 0x88 square]: the position of `cached`
"""

NetworkState: TypeAlias = Annotated[Any, numba.from_dtype(NETWORK_STATE)]
"""A NETWORK_STATE record."""
