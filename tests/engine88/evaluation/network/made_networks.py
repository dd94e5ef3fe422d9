"""Networks of random weights, and a slow evaluation by them in plain numbers."""

from __future__ import annotations

import chess
import numpy as np
from numpy.typing import NDArray

from engine88.evaluation.evaluation_state import EvaluationState, new_evaluation_state
from engine88.evaluation.network.loaded_network import LoadedNetwork, lay_out
from engine88.evaluation.network.network_file import (
    FEATURES,
    HIDDEN,
    ONE,
    OUTPUT_BUCKETS,
    QA,
    QO,
    SCALE,
    Network,
    NetworkMeta,
)


def random_network(width: int = 32, seed: int = 1, *, mirrored: bool = True, king_buckets: int = 1) -> Network:
    """Random weights of the size that training gives."""
    chance = np.random.default_rng(seed)
    return Network(
        chance.integers(-60, 60, (king_buckets * FEATURES, width)).astype(np.int16),
        chance.integers(-80, 120, width).astype(np.int16),
        chance.integers(-127, 128, (OUTPUT_BUCKETS, HIDDEN, width)).astype(np.int16),
        chance.integers(-ONE, ONE, (OUTPUT_BUCKETS, HIDDEN)).astype(np.int32),
        chance.integers(-QO, QO, (OUTPUT_BUCKETS, 2 * (HIDDEN - 1))).astype(np.int16),
        chance.integers(-ONE * QO, ONE * QO, OUTPUT_BUCKETS).astype(np.int32),
        NetworkMeta("made", width, mirrored, king_buckets=king_buckets),
    )


def state_with(network: Network) -> tuple[EvaluationState, LoadedNetwork]:
    """A fresh state that evaluates by the network, and the network, which must outlive it."""
    loaded = lay_out(network)
    return new_evaluation_state(loaded), loaded


def king_bucket(king: int, color: chess.Color, king_buckets: int) -> int:
    """The bucket of a side by the square of its king."""
    rank = king // 8 if color == chess.WHITE else 7 - king // 8
    is_middle, beyond = king % 8 in {3, 4}, rank > 2
    if king_buckets == 1:
        return 0
    if king_buckets == 4:
        return 2 * beyond + is_middle
    if beyond:
        return 6 + is_middle
    if is_middle:
        return 4 if rank == 0 else 5
    return rank + 1 if rank > 0 else int(king % 8 in {2, 5})


def feature_rows(board: chess.Board, color: chess.Color, mirrored: bool, king_buckets: int) -> list[int]:
    """The rows of the feature weights that one side's view adds up."""
    king = board.king(color)
    assert king is not None
    turn = (0 if color == chess.WHITE else 56) ^ (7 if mirrored and chess.square_file(king) >= 4 else 0)
    first = FEATURES * king_bucket(king, color, king_buckets)
    return [
        first + (0 if piece.color == color else 384) + (piece.piece_type - 1) * 64 + (square ^ turn)
        for square, piece in board.piece_map().items()
    ]


def accumulator_of(network: Network, board: chess.Board, color: chess.Color) -> NDArray[np.int64]:
    """The accumulator [width] of one side's view."""
    rows = feature_rows(board, color, network.meta.mirrored, network.meta.king_buckets)
    total: NDArray[np.int64] = network.feature_bias + network.feature_weights[rows].sum(axis=0, dtype=np.int64)
    return total


def score_of(network: Network, board: chess.Board) -> int:
    """Centipawns for the side to move."""
    bucket, products = (len(board.piece_map()) - 1) // 4, list[int]()
    for color in (board.turn, not board.turn):
        first, second = np.split(np.clip(accumulator_of(network, board, color), 0, QA), 2)
        products.extend(int(x) * int(y) // 4 for x, y in zip(first, second, strict=True))
    sums = network.hidden_weights[bucket].astype(np.int64) @ np.array(products)
    *hidden, last = (
        int(bias) + int(value) // 1024 for value, bias in zip(sums, network.hidden_bias[bucket], strict=True)
    )
    clipped = [min(max(value, 0), ONE) for value in hidden]
    squared = [min(abs(value), ONE) ** 2 // ONE for value in hidden]
    weights = map(int, network.output_weights[bucket])
    total = sum(value * weight for value, weight in zip(clipped + squared, weights, strict=True))
    total += last * QO + int(network.output_bias[bucket])
    return int(total * SCALE / (ONE * QO))
