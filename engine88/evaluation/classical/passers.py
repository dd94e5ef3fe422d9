"""Passed pawns and the pieces around them: blockers, attacks on their way, kings and rooks."""

from typing import Final

from engine88.board.attack_tables import distance
from engine88.board.defs import EMPTY, ROOK
from engine88.board.record import Board
from engine88.board.squares import on_board
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.evaluation.classical.attack_maps import map_index
from engine88.evaluation.classical.evaluation_state import (
    BY_ANY,
    WORD_PASSERS,
    Evaluation,
    weigh,
)
from engine88.evaluation.classical.terms import (
    PASSED_ENEMY_KING,
    PASSED_ENEMY_ROOK_BEHIND,
    PASSED_OWN_KING,
    PASSED_OWN_ROOK_BEHIND,
    PASSED_SAFE_STOP,
    PASSED_UNBLOCKED,
)

FIRST_RANK_THAT_RUNS: Final = 3  # relative rank from which the surroundings count
KING_RANK_OFFSET: Final = 2  # king distances weigh (relative rank - 2) times


@kernel
def passer_scores(board: Board, evaluation: Evaluation, row: int, color: int) -> int:
    """Return the packed score of the surroundings of all passed pawns of a color."""
    score = int64(0)
    passers = evaluation.pawn_words[uint64(row), uint64(WORD_PASSERS + color)]
    while passers != 0:
        square = passers & 0x7F
        passers = int64(uint64(passers) >> uint64(8))
        if ((square >> 4) ^ (7 * color)) >= FIRST_RANK_THAT_RUNS:
            score += _surroundings(board, evaluation, square, color)
    return score


@kernel
def _surroundings(board: Board, evaluation: Evaluation, square: int, color: int) -> int:
    """Return the packed score of one passed pawn's stop square, way, kings and rooks."""
    step = 16 - 32 * color
    relative_rank = (square >> 4) ^ (7 * color)
    stop = square + step
    own_king = int64(board.pieces[uint64(color), uint64(0)])
    enemy_king = int64(board.pieces[uint64(color ^ 1), uint64(0)])
    times = relative_rank - KING_RANK_OFFSET
    own_distance = distance(stop, own_king)
    enemy_distance = distance(stop, enemy_king)
    score = weigh(evaluation, color, PASSED_OWN_KING, times * own_distance)
    score += weigh(evaluation, color, PASSED_ENEMY_KING, times * enemy_distance)
    if int64(board.squares[uint64(stop)]) == EMPTY:
        score += weigh(evaluation, color, PASSED_UNBLOCKED + relative_rank, int64(1))
    seen = int64(evaluation.attacks[map_index(color ^ 1, stop)]) & BY_ANY
    score += weigh(evaluation, color, PASSED_SAFE_STOP + relative_rank, int64(seen == 0))
    return score + _rook_behind(board, evaluation, square, color)


@inlined
def _rook_behind(board: Board, evaluation: Evaluation, square: int, color: int) -> int:
    """Return the packed score of a rook of either color behind the pawn."""
    step = 32 * color - 16
    target = square + step
    while on_board(target) and int64(board.squares[uint64(target)]) == EMPTY:
        target += step
    if not on_board(target):
        return int64(0)
    piece = int64(board.squares[uint64(target)])
    if (piece & 7) != ROOK:
        return int64(0)
    if piece >> 3 == color:
        return weigh(evaluation, color, PASSED_OWN_ROOK_BEHIND, int64(1))
    return weigh(evaluation, color, PASSED_ENEMY_ROOK_BEHIND, int64(1))
