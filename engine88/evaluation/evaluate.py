"""The entrance to the evaluation: `evaluate(board, evaluation)` in centipawns for the side to move.

pawn table -> attack map -> kings and pieces of both sides -> threats, king danger, passed pawns -> taper, scale.
Source: chessprogramming wiki, "Tapered Eval".
"""

from typing import Final

from engine88.board.defs import BISHOP, BLACK, KNIGHT, MATE_BOUND, QUEEN, ROOK, WHITE
from engine88.board.record import BOARD_TYPE, Board
from engine88.compiler.jit import entry, inlined, int64, kernel, uint64
from engine88.evaluation.classical.activity import mark_king, piece_activity
from engine88.evaluation.classical.attack_maps import prepare_maps
from engine88.evaluation.classical.endgames import (
    FULL_SCALE,
    NOT_SPECIAL,
    endgame_scale,
    has_bishops_alone,
    is_wrong_rook_pawn,
    pawnless_scale,
    pieces_cp,
    score_against_lone_king,
)
from engine88.evaluation.classical.evaluation_state import WORD_FILES, WORD_SCORE, Evaluation
from engine88.evaluation.classical.king_safety import king_danger, shelters
from engine88.evaluation.classical.passers import passer_scores
from engine88.evaluation.classical.pawns import probe_pawns
from engine88.evaluation.classical.terms import TEMPO, TRACING, endgame, middlegame, weigh
from engine88.evaluation.classical.threats import threats
from engine88.evaluation.evaluation_state import EVALUATION_STATE_TYPE, EvaluationState
from engine88.evaluation.network.inference import network_score
from engine88.evaluation.rounding import divide_toward_zero

FULL_PHASE: Final = 24
SCORE_LIMIT: Final = MATE_BOUND // 2
CLOCK_RANGE: Final = 200  # plies without progress scale the score by (200 - clock) / 200
DRAWN_SCALE: Final = 14  # a scale up to this weakens the middlegame part too: nothing can be won at all
BARE_KING: Final = 1


@entry(BOARD_TYPE, EVALUATION_STATE_TYPE)
def evaluate(board: Board, state: EvaluationState) -> int:
    """Return the static evaluation in centipawns for the side to move, within +-SCORE_LIMIT, never a mate score.

    The position should be quiet and not in check; draws by rule are the search's concern.
    """
    evaluation = state.classical
    if board.list_sizes[0] == BARE_KING or board.list_sizes[1] == BARE_KING:
        strong = int64(board.list_sizes[0] == BARE_KING)
        special = score_against_lone_king(board, strong)
        if special != NOT_SPECIAL:
            evaluation.linear = 0
            return scale_by_halfmove_clock(board, special if strong == WHITE else -special)
    if state.network.address != 0:
        return scale_by_halfmove_clock(board, network_part(board, state))
    row = probe_pawns(board, evaluation)
    score = sum_of_terms(board, evaluation, row)
    return scale_by_halfmove_clock(board, taper(board, evaluation, row, score))


@inlined
def network_part(board: Board, state: EvaluationState) -> int:
    """The network's score for White in centipawns, scaled down where the material cannot win.

    The finer scales of drawish endings are left to the network, which learns them from scores and results.
    """
    score = network_score(board, state.network)
    white_score = score if board.side == WHITE else -score
    strong = int64(white_score < 0)
    scale = pawnless_scale(board, strong)
    if scale == FULL_SCALE and has_bishops_alone(board, strong):
        files = state.classical.pawn_words[uint64(probe_pawns(board, state.classical)), WORD_FILES]
        if is_wrong_rook_pawn(board, files, strong, pieces_cp(board, strong)):
            scale = int64(0)
    return divide_toward_zero(white_score * scale, int64(FULL_SCALE))


@inlined
def game_phase(board: Board) -> int:
    """Return the game phase: 24 with all pieces on the board, 0 with none (minor 1, rook 2, queen 4)."""
    counts = board.counts
    minors = int64(counts[KNIGHT]) + int64(counts[BISHOP]) + int64(counts[8 + KNIGHT])
    minors += int64(counts[8 + BISHOP])
    majors = int64(counts[ROOK]) + int64(counts[8 + ROOK])
    queens = int64(counts[QUEEN]) + int64(counts[8 + QUEEN])
    return min(minors + 2 * majors + 4 * queens, FULL_PHASE)


@kernel
def sum_of_terms(board: Board, evaluation: Evaluation, row: int) -> int:
    """Return the packed sum of all terms, White minus Black."""
    prepare_maps(board, evaluation, row)
    white = int64(WHITE)
    black = int64(BLACK)
    files = int64(evaluation.pawn_words[uint64(row), WORD_FILES])
    score = int64(evaluation.pawn_words[uint64(row), WORD_SCORE]) + shelters(board, evaluation, row)
    score += mark_king(board, evaluation, white) - mark_king(board, evaluation, black)
    score += piece_activity(board, evaluation, files, white) - piece_activity(board, evaluation, files, black)
    score += threats(board, evaluation, black) - threats(board, evaluation, white)
    score += king_danger(board, evaluation, black) - king_danger(board, evaluation, white)
    score += passer_scores(board, evaluation, row, white) - passer_scores(board, evaluation, row, black)
    if board.side == WHITE:
        return score + weigh(evaluation, white, TEMPO, int64(1))
    return score - weigh(evaluation, black, TEMPO, int64(1))


@inlined
def taper(board: Board, evaluation: Evaluation, row: int, score: int) -> int:
    """Return the blend of middlegame and endgame in centipawns, the endgame scaled down where it is drawish."""
    phase = game_phase(board)
    endgame_score = endgame(score)
    strong = int64(endgame_score < 0)
    scale = endgame_scale(board, evaluation.pawn_words[uint64(row), WORD_FILES], strong)
    if TRACING:
        evaluation.phase = phase
        evaluation.scale = scale
        evaluation.linear = scale > DRAWN_SCALE
    middlegame_scale = scale if scale <= DRAWN_SCALE else FULL_SCALE
    blend = middlegame(score) * phase * middlegame_scale + endgame_score * (FULL_PHASE - phase) * scale
    return divide_toward_zero(blend, FULL_PHASE * FULL_SCALE)


@inlined
def scale_by_halfmove_clock(board: Board, score: int) -> int:
    """Return the score for the side to move, scaled down by the halfmove clock and limited to SCORE_LIMIT."""
    clock = min(int64(board.halfmove_clock), 100)
    sign = 1 - 2 * int64(board.side)
    magnitude = min(abs(score) * (CLOCK_RANGE - clock) // CLOCK_RANGE, SCORE_LIMIT)
    return magnitude * sign if score >= 0 else -magnitude * sign
