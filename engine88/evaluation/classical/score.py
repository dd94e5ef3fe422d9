"""The hand-written evaluation: the sum of its terms, its blend of both phases, and its breakdown for people.

pawn table -> attack map -> kings and pieces of both sides -> threats, king danger, passed pawns -> taper, scale.
Source: chessprogramming wiki, "Tapered Eval".
"""

from typing import Final

from engine88.board.defs import BISHOP, BLACK, KNIGHT, PAWN, QUEEN, ROOK, WHITE
from engine88.board.record import Board
from engine88.board.squares import piece_of, type_of
from engine88.compiler.jit import entry_of_commands, inlined, int64, kernel, uint64
from engine88.evaluation.classical.activity import mark_king, piece_activity
from engine88.evaluation.classical.attack_maps import prepare_maps
from engine88.evaluation.classical.endgames import FULL_SCALE, NOT_SPECIAL, endgame_scale, score_against_lone_king
from engine88.evaluation.classical.evaluation_state import (
    WORD_FILES,
    WORD_SCORE,
    Evaluation,
    weigh,
)
from engine88.evaluation.classical.king_safety import king_danger, shelters
from engine88.evaluation.classical.passers import passer_scores
from engine88.evaluation.classical.pawns import probe_pawns
from engine88.evaluation.classical.psqt import psqt_score_of, psqt_value
from engine88.evaluation.classical.terms import TEMPO, TRACING, endgame, middlegame
from engine88.evaluation.classical.threats import threats
from engine88.evaluation.rounding import divide_toward_zero

FULL_PHASE: Final = 24
DRAWN_SCALE: Final = 14
"""A scale up to this weakens the middlegame part too: nothing can be won at all."""
GROUPS: Final = (
    "Material and squares",
    "Pawn structure",
    "Pieces",
    "King shelter",
    "King danger",
    "Threats",
    "Passed pawns",
    "Tempo",
)
"""The groups in the order of the rows of `evaluation.breakdown`."""


@inlined
def _both(board: Board, piece_type: int) -> int:
    """Return how many pieces of a type both sides have."""
    return int64(board.counts[piece_of(WHITE, piece_type)]) + int64(board.counts[piece_of(BLACK, piece_type)])


@inlined
def game_phase(board: Board) -> int:
    """Return the game phase: 24 with all pieces on the board, 0 with none (minor 1, rook 2, queen 4)."""
    minors = _both(board, KNIGHT) + _both(board, BISHOP)
    return min(minors + 2 * _both(board, ROOK) + 4 * _both(board, QUEEN), FULL_PHASE)


@entry_of_commands
def classical_score(board: Board, evaluation: Evaluation) -> int:
    """Return the hand-written evaluation in centipawns, White minus Black.

    The search calls it by its address, so that a search with a network starts before this is compiled.
    """
    row = probe_pawns(board, evaluation)
    return taper(board, evaluation, row, sum_of_terms(board, evaluation, row))


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
def _pawn_psqt_score(board: Board) -> int:
    """Return the packed material and piece-square values of the pawns alone, White minus Black."""
    total = int64(0)
    for color in range(2):
        for place in range(1, int64(board.list_sizes[uint64(color)])):
            square = int64(board.pieces[uint64(color), uint64(place)])
            piece = int64(board.squares[uint64(square)])
            if type_of(piece) == PAWN:
                total += (1 - 2 * color) * psqt_value(piece, square)
    return total


@inlined
def _write(evaluation: Evaluation, group: int, packed: int) -> None:
    """Write both halves of a packed score to the row of a group."""
    evaluation.breakdown[uint64(group), 0] = middlegame(packed)
    evaluation.breakdown[uint64(group), 1] = endgame(packed)


@entry_of_commands
def break_down(board: Board, evaluation: Evaluation) -> bool:
    """Write the score of each group, White minus Black, to `evaluation.breakdown` in the order of GROUPS.

    Return False, with nothing written, where a rule for a lone king takes the place of the sum.
    """
    is_bare = board.list_sizes[0] == 1 or board.list_sizes[1] == 1
    if is_bare and score_against_lone_king(board, int64(board.list_sizes[0] == 1)) != NOT_SPECIAL:
        return False
    row = probe_pawns(board, evaluation)
    prepare_maps(board, evaluation, row)
    white, black = int64(WHITE), int64(BLACK)
    files = int64(evaluation.pawn_words[uint64(row), WORD_FILES])
    squares, pawn_squares = psqt_score_of(board), _pawn_psqt_score(board)
    kings = mark_king(board, evaluation, white) - mark_king(board, evaluation, black)
    pieces = piece_activity(board, evaluation, files, white) - piece_activity(board, evaluation, files, black)
    _write(evaluation, int64(0), squares)
    _write(evaluation, int64(1), int64(evaluation.pawn_words[uint64(row), WORD_SCORE]) - pawn_squares)
    _write(evaluation, int64(2), kings + pieces - (squares - pawn_squares))
    _write(evaluation, int64(3), shelters(board, evaluation, row))
    _write(evaluation, int64(4), king_danger(board, evaluation, black) - king_danger(board, evaluation, white))
    _write(evaluation, int64(5), threats(board, evaluation, black) - threats(board, evaluation, white))
    _write(
        evaluation,
        int64(6),
        passer_scores(board, evaluation, row, white) - passer_scores(board, evaluation, row, black),
    )
    tempo = weigh(evaluation, white, TEMPO, int64(1))
    _write(evaluation, int64(7), tempo if board.side == WHITE else -tempo)
    return True
