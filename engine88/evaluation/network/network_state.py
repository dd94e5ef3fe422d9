"""The NETWORK_STATE record: where the network lies, and the accumulators of the positions on the line being searched.

The accumulators are found by height: the position after `n` plies of its game has slot `n % SLOTS`. A slot is valid
for a position if it carries that position's key; nothing has to be undone when moves are taken back.
"""

from typing import Any, Final, TypeAlias

import numpy as np

from engine88.evaluation.network.layout import MOST_WIDTH, SLOTS

NETWORK_STATE: Final = np.dtype(
    (
        np.record,
        [
            ("address", np.uint64),
            ("output_bias", np.int64),
            ("width", np.int64),
            ("mirror_bit", np.int64),
            ("keys", np.uint64, (SLOTS, 2)),
            ("accumulators", np.int16, (SLOTS * 2 * MOST_WIDTH,)),
            ("cached_squares", np.uint8, (2, 2, 128)),
            ("cached", np.int16, (2 * 2 * MOST_WIDTH,)),
        ],
    )
)
"""What one search thread knows of the network.

    address         of the weights (see `loaded_network`), 0 while there is no network
    output_bias     times QA * QB
    width           neurons for each side, whole blocks of them (see `layout`)
    mirror_bit      EAST_HALF if files are mirrored while a side's king stands on e to h, 0 if they never are
    keys            [slot, perspective]: the Zobrist key of the position that the accumulator belongs to
    accumulators    [slot, perspective, neuron], `width` apart: the hidden layer before its activation, times QA
    cached_squares  [perspective, mirrored, 0x88 square]: the position of `cached`
    cached          [perspective, mirrored, neuron], likewise: the accumulator built last for that view of the board
"""

NetworkState: TypeAlias = Any
"""A NETWORK_STATE record."""
