"""The interface to the evaluation: `evaluate(board, state)` in centipawns for the side to move.

A bare king, material that cannot win, and the clock of the fifty-move rule are known for certain and handled here. The
network evaluates the rest, or without one the hand-written terms.
"""

from typing import Final

from engine88.board.defs import MATE_BOUND, WHITE
from engine88.board.record import Board
from engine88.compiler.indirect import by_address
from engine88.compiler.jit import entry_of_commands, inlined, int64
from engine88.evaluation.classical.endgames import (
    FULL_SCALE,
    NOT_SPECIAL,
    has_bishops_alone,
    is_wrong_rook_pawn,
    pawn_files,
    pawnless_scale,
    pieces_cp,
    score_against_lone_king,
)
from engine88.evaluation.classical.score import classical_score
from engine88.evaluation.evaluation_state import EvaluationState
from engine88.evaluation.network.inference import network_score
from engine88.evaluation.rounding import divide_toward_zero

SCORE_LIMIT: Final = MATE_BOUND // 2
CLOCK_RANGE: Final = 200
"""Plies without progress scale the score by (CLOCK_RANGE - clock) / CLOCK_RANGE."""
BARE_KING: Final = 1
MATERIAL_UNIT: Final = 1024
MATERIAL_BASE: Final = 780
MATERIAL_FACTOR: Final = 22

_score_by_terms = by_address(classical_score)


@entry_of_commands
def evaluate(board: Board, state: EvaluationState) -> int:
    """Return the static evaluation in centipawns for the side to move, within +-SCORE_LIMIT, never a mate score.

    The position should be quiet and not in check. Draws by rule are the search's concern.
    """
    if board.list_sizes[0] == BARE_KING or board.list_sizes[1] == BARE_KING:
        strong = int64(board.list_sizes[0] == BARE_KING)
        special = score_against_lone_king(board, strong)
        if special != NOT_SPECIAL:
            state.classical.linear = 0
            return _scaled_by_clock(board, special if strong == WHITE else -special)
    if state.network.address != 0:
        return _scaled_by_clock(board, _scaled_network_score(board, state))
    return _scaled_by_clock(board, _score_by_terms(state.classical.score_address, board, state.classical))


@inlined
def material_scale(board: Board) -> int:
    """Return how much of itself the network's score counts, in MATERIAL_UNITths: more with many pieces on the board."""
    return MATERIAL_BASE + (pieces_cp(board, int64(0)) + pieces_cp(board, int64(1))) // MATERIAL_FACTOR


@inlined
def _scaled_network_score(board: Board, state: EvaluationState) -> int:
    """Return the network's score for White in centipawns, scaled down where the material cannot win.

    The more pieces there are, the more it counts: an advantage is easier to convert. The finer scales of drawish
    endings are left to the network, which learns them from scores.
    """
    score = network_score(board, state.network)
    white_score = score if board.side == WHITE else -score
    strong = int64(white_score < 0)
    scale = pawnless_scale(board, strong)
    white_score = divide_toward_zero(white_score * material_scale(board), int64(MATERIAL_UNIT))
    if (
        scale == FULL_SCALE
        and has_bishops_alone(board, strong)
        and is_wrong_rook_pawn(board, pawn_files(board, strong), strong, pieces_cp(board, strong))
    ):
        scale = int64(0)
    return divide_toward_zero(white_score * scale, int64(FULL_SCALE))


@inlined
def _scaled_by_clock(board: Board, score: int) -> int:
    """Return the score for the side to move, scaled down by the halfmove clock and limited to SCORE_LIMIT."""
    clock = min(int64(board.halfmove_clock), 100)
    sign = 1 - 2 * int64(board.side)
    magnitude = min(abs(score) * (CLOCK_RANGE - clock) // CLOCK_RANGE, SCORE_LIMIT)
    return magnitude * sign if score >= 0 else -magnitude * sign
