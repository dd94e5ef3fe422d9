"""The evaluation of a position by a network in float64, straight from its FEN."""

from __future__ import annotations

import chess
import numpy as np
from numpy.typing import NDArray

from engine88.evaluation.network.network_file import QA, QB, SCALE, Network
from tests.engine88.evaluation.network.made_networks import king_bucket


def evaluate_fen(network: Network, fen: str) -> float:
    """The network's score for the side to move, in centipawns, computed without rounding."""
    board = chess.Board(fen)
    own, other = (activation(network, board, side) for side in (board.turn, not board.turn))
    bucket = (len(board.piece_map()) - 1) // 4
    weights = network.output_weights[bucket].astype(np.float64)
    total = (own @ weights[0] + other @ weights[1]) / QA + network.output_bias[bucket]
    return float(total * SCALE / (QA * QB))


def activation(network: Network, board: chess.Board, side: chess.Color) -> NDArray[np.float64]:
    """The squared and clipped accumulator [width] of one side's perspective."""
    rows = feature_rows(board, side, network.meta.mirrored, network.meta.king_buckets)
    accumulator = network.feature_bias + network.feature_weights[rows].astype(np.int64).sum(axis=0)
    clipped: NDArray[np.float64] = np.clip(accumulator, 0, QA).astype(np.float64)
    return clipped**2


def feature_rows(board: chess.Board, side: chess.Color, mirrored: bool, king_buckets: int) -> list[int]:
    """The active features of one side's perspective."""
    king = board.king(side)
    assert king is not None
    turn = (0 if side == chess.WHITE else 56) ^ (7 if mirrored and king % 8 >= 4 else 0)
    first = 768 * king_bucket(king, side) if king_buckets == 4 else 0
    return [
        first + (0 if piece.color == side else 384) + (piece.piece_type - 1) * 64 + (square ^ turn)
        for square, piece in board.piece_map().items()
    ]
