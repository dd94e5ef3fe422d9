"""The evaluation by groups of terms, for people: the same kernels as `evaluate`, added up group by group."""

from typing import Final

from engine88.board.defs import BLACK, PAWN, WHITE
from engine88.board.record import BOARD_TYPE, Board
from engine88.compiler.jit import entry, inlined, int64, uint64
from engine88.evaluation.classical.activity import mark_king, piece_activity
from engine88.evaluation.classical.attack_maps import prepare_maps
from engine88.evaluation.classical.endgames import NOT_SPECIAL, score_against_lone_king
from engine88.evaluation.classical.evaluation_state import EVALUATION_TYPE, WORD_FILES, WORD_SCORE, Evaluation
from engine88.evaluation.classical.king_safety import king_danger, shelters
from engine88.evaluation.classical.passers import passer_scores
from engine88.evaluation.classical.pawns import probe_pawns
from engine88.evaluation.classical.psqt import psqt_score_of, psqt_value
from engine88.evaluation.classical.terms import TEMPO, endgame, middlegame, weigh
from engine88.evaluation.classical.threats import threats

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
def _pawn_psqt_score(board: Board) -> int:
    """Return the packed material and piece-square values of the pawns alone, White minus Black."""
    total = int64(0)
    for color in range(2):
        for place in range(1, int64(board.list_sizes[uint64(color)])):
            square = int64(board.pieces[uint64(color), uint64(place)])
            piece = int64(board.squares[uint64(square)])
            if piece & 7 == PAWN:
                total += (1 - 2 * color) * psqt_value(piece, square)
    return total


@inlined
def _write(evaluation: Evaluation, group: int, packed: int) -> None:
    """Write both halves of a packed score to the row of a group."""
    evaluation.breakdown[uint64(group), 0] = middlegame(packed)
    evaluation.breakdown[uint64(group), 1] = endgame(packed)


@entry(BOARD_TYPE, EVALUATION_TYPE)
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
