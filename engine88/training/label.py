"""What a network is to learn from the score of a search."""

from engine88.board.defs import MATE_BOUND
from engine88.board.record import Board
from engine88.evaluation.evaluate import MATERIAL_UNIT, material_scale
from engine88.evaluation.evaluation_state import EvaluationState
from engine88.evaluation.rounding import divide_toward_zero
from engine88.training.compiled import compiled, int64
from engine88.training.game_file import MAX_SCORE_CP


@compiled
def label_cp(board: Board, evaluation: EvaluationState, score_cp: int) -> int:
    """The score of a search of this position without the scale that `evaluate` gives a network's score.

    A network that learnt the scale would have it twice. Mates, and scores by the hand-written terms, are not scaled.
    The label is for the side to move, as the score is, and within +-MAX_SCORE_CP.
    """
    if evaluation.network.address != 0 and abs(score_cp) < MATE_BOUND:
        score_cp = divide_toward_zero(score_cp * MATERIAL_UNIT, int64(material_scale(board)))
    return max(-MAX_SCORE_CP, min(MAX_SCORE_CP, score_cp))
