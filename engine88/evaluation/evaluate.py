"""The seam of the evaluation: `evaluate(board, evaluation)` in centipawns for the side to move.

pawn table -> attack map -> kings and pieces of both sides -> threats, king danger, passed pawns -> taper, scale
"""

from typing import Final

from engine88.board.defs import BISHOP, BLACK, KNIGHT, MATE_BOUND, QUEEN, ROOK, WHITE
from engine88.board.record import BOARD_TYPE, Board
from engine88.compiler.jit import entry, inlined, int64, kernel, uint64
from engine88.evaluation.classical.activity import activity, mark_king
from engine88.evaluation.classical.attack_maps import prepare_maps
from engine88.evaluation.classical.endgames import FULL_SCALE, NOT_SPECIAL, endgame_scale, lone_king
from engine88.evaluation.classical.evaluation_state import EVALUATION_TYPE, WORD_FILES, WORD_SCORE, Evaluation
from engine88.evaluation.classical.king_safety import danger, shelters
from engine88.evaluation.classical.passers import passer_scores
from engine88.evaluation.classical.pawns import probe_pawns
from engine88.evaluation.classical.terms import TEMPO, TRACING, endgame, middlegame, weigh
from engine88.evaluation.classical.threats import threats

FULL_PHASE: Final = 24
SCORE_LIMIT: Final = MATE_BOUND // 2
CLOCK_RANGE: Final = 200  # plies without progress scale the score by (200 - clock) / 200
DRAWN_SCALE: Final = 14  # a scale up to this weakens the middlegame part too: nothing can be won at all
BARE_KING: Final = 1


@entry(BOARD_TYPE, EVALUATION_TYPE)
def evaluate(board: Board, evaluation: Evaluation) -> int:
    """Judgement of a position in centipawns for the side to move, within +-SCORE_LIMIT, never a mate score.

    The position should be quiet and not in check; draws by rule are the search's concern.
    """
    row = probe_pawns(board, evaluation)
    if board.list_sizes[0] == BARE_KING or board.list_sizes[1] == BARE_KING:
        strong = int64(board.list_sizes[0] == BARE_KING)
        special = lone_king(board, strong)
        if special != NOT_SPECIAL:
            evaluation.linear = 0
            return damped(board, special if strong == WHITE else -special)
    score = sum_of_terms(board, evaluation, row)
    return damped(board, taper(board, evaluation, row, score))


@inlined
def game_phase(board: Board) -> int:
    """24 with all pieces on the board, 0 with none: minor 1, rook 2, queen 4."""
    counts = board.counts
    minors = int64(counts[KNIGHT]) + int64(counts[BISHOP]) + int64(counts[8 + KNIGHT])
    minors += int64(counts[8 + BISHOP])
    majors = int64(counts[ROOK]) + int64(counts[8 + ROOK])
    queens = int64(counts[QUEEN]) + int64(counts[8 + QUEEN])
    return min(minors + 2 * majors + 4 * queens, FULL_PHASE)


@inlined
def toward_zero(sum_of_parts: int, parts: int) -> int:
    """The quotient rounded toward zero, the same for a position and its mirror image."""
    return sum_of_parts // parts if sum_of_parts >= 0 else -(-sum_of_parts // parts)


@inlined
def rough_evaluation(board: Board, placement: int) -> int:
    """`evaluate` by material and piece-square values alone: centipawns for the side to move.

    `placement` is `psqt.placement_of` the board.
    """
    phase = game_phase(board)
    score = toward_zero(middlegame(placement) * phase + endgame(placement) * (FULL_PHASE - phase), FULL_PHASE)
    return score - 2 * int64(board.side) * score


@kernel
def sum_of_terms(board: Board, evaluation: Evaluation, row: int) -> int:
    """Packed sum of all terms, White minus Black."""
    prepare_maps(board, evaluation, row)
    white = int64(WHITE)
    black = int64(BLACK)
    files = int64(evaluation.pawn_words[uint64(row), WORD_FILES])
    score = int64(evaluation.pawn_words[uint64(row), WORD_SCORE]) + shelters(board, evaluation, row)
    score += mark_king(board, evaluation, white) - mark_king(board, evaluation, black)
    score += activity(board, evaluation, files, white) - activity(board, evaluation, files, black)
    score += threats(board, evaluation, black) - threats(board, evaluation, white)
    score += danger(board, evaluation, black) - danger(board, evaluation, white)
    score += passer_scores(board, evaluation, row, white) - passer_scores(board, evaluation, row, black)
    if board.side == WHITE:
        return score + weigh(evaluation, white, TEMPO, int64(1))
    return score - weigh(evaluation, black, TEMPO, int64(1))


@inlined
def taper(board: Board, evaluation: Evaluation, row: int, score: int) -> int:
    """Blend of both phases of a packed score in centipawns, the endgame part scaled by its drawishness."""
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
    return toward_zero(blend, FULL_PHASE * FULL_SCALE)


@inlined
def damped(board: Board, score: int) -> int:
    """The score for the side to move, nearer to zero the longer nothing has happened, and within its limit."""
    clock = min(int64(board.halfmove_clock), 100)
    sign = 1 - 2 * int64(board.side)
    magnitude = min(abs(score) * (CLOCK_RANGE - clock) // CLOCK_RANGE, SCORE_LIMIT)
    return magnitude * sign if score >= 0 else -magnitude * sign
