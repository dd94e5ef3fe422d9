"""Networks of random weights, and a slow evaluation by them in plain numbers."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np

from engine88.evaluation.evaluation_state import EvaluationState, new_evaluation_state
from engine88.evaluation.network.loaded_network import LoadedNetwork, lay_out
from engine88.evaluation.network.network_file import BUCKETS, FEATURES, QA, QB, SCALE, Network, NetworkMeta


def random_network(width: int = 32, seed: int = 1, *, mirrored: bool = True) -> Network:
    """Random weights of the size that training gives."""
    chance = np.random.default_rng(seed)
    return Network(
        chance.integers(-60, 60, (FEATURES, width)).astype(np.int16),
        chance.integers(-80, 120, width).astype(np.int16),
        chance.integers(-127, 128, (BUCKETS, 2, width)).astype(np.int16),
        chance.integers(-QA * QB, QA * QB, BUCKETS).astype(np.int32),
        NetworkMeta("made", width, mirrored),
    )


def state_with(network: Network) -> tuple[EvaluationState, LoadedNetwork]:
    """A fresh state that evaluates by the network, and the network, which must outlive it."""
    loaded = lay_out(network)
    return new_evaluation_state(loaded), loaded


def accumulator_of(network: Network, board: chess.Board, color: chess.Color) -> Any:
    """The accumulator [width] of one side's view, summed up piece by piece."""
    king = board.king(color)
    assert king is not None
    mirror = 7 if network.meta.mirrored and chess.square_file(king) >= 4 else 0
    total = network.feature_bias.astype(np.int64)
    for square, piece in board.piece_map().items():
        seen = (square if color == chess.WHITE else chess.square_mirror(square)) ^ mirror
        total += network.feature_weights[(0 if piece.color == color else 384) + (piece.piece_type - 1) * 64 + seen]
    return total


def score_of(network: Network, board: chess.Board) -> float:
    """Centipawns for the side to move, without rounding."""
    total, bucket = 0.0, (len(board.piece_map()) - 1) // 4
    for color, weights in zip((board.turn, not board.turn), network.output_weights[bucket], strict=True):
        clipped = np.clip(accumulator_of(network, board, color), 0, QA).astype(np.float64)
        total += float((clipped**2 * weights).sum())
    return (total / QA + int(network.output_bias[bucket])) * SCALE / (QA * QB)
