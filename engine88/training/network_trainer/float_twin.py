"""A slow, plain evaluation of a position by a network: what the engine's integer inference is compared with."""

import numpy as np
from numpy.typing import NDArray

from engine88.evaluation.network.network_file import QA, QB, SCALE, Network
from engine88.training.positions import read_board
from engine88.training.replay import BLACK, KING


def evaluate_fen(network: Network, fen: str) -> float:
    """The network's score for the side to move, in centipawns, computed without rounding."""
    board = read_board(fen)
    black_moves = fen.split()[1] == "b"
    own = activation(network, board, black_moves)
    other = activation(network, board, not black_moves)
    weights = network.output_weights.astype(np.float64)
    total = (own @ weights[0] + other @ weights[1]) / QA + network.output_bias
    return float(total * SCALE / (QA * QB))


def activation(network: Network, board: NDArray[np.uint8], black: bool) -> NDArray[np.float64]:
    """The squared and clipped accumulator [width] of one side's perspective."""
    rows = feature_rows(board, black, network.meta.mirrored)
    accumulator = network.feature_bias + network.feature_weights[rows].astype(np.int64).sum(axis=0)
    clipped: NDArray[np.float64] = np.clip(accumulator, 0, QA).astype(np.float64)
    return clipped**2


def feature_rows(board: NDArray[np.uint8], black: bool, mirrored: bool) -> list[int]:
    """The active features of one side's perspective, in order of the board's squares; see `features`."""
    colour = BLACK if black else 0
    king = int(np.flatnonzero(board == KING | colour)[0])
    turn = (56 if black else 0) ^ (7 if mirrored and king % 8 >= 4 else 0)
    rows = []
    for square in range(64):
        piece = int(board[square])
        if piece:
            own = piece & BLACK == colour
            rows.append((0 if own else 384) + ((piece & 7) - 1) * 64 + (square ^ turn))
    return rows
