"""The range and the meaning of every constant in `params.py`, for a tuner.

    for parameter in parameters():
        print(parameter.name, parameter.value, parameter.low, parameter.high, parameter.meaning)

The table stands apart from `params.py` so that an edit of a range compiles no kernel anew.
"""

from collections.abc import Iterator
from typing import NamedTuple

from engine88.search import params

Value = float | tuple[float, ...]


class Parameter(NamedTuple):
    """One tunable constant: its present value and the range (inclusive) that a tuner may try.

    The range of a tuple holds for each of its elements.
    """

    name: str
    value: Value
    low: float
    high: float
    meaning: str


def parameters() -> Iterator[Parameter]:
    """Yield every tunable constant in the order of the table."""
    for name, (low, high, meaning) in RANGES.items():
        yield Parameter(name, getattr(params, name), low, high, meaning)


RANGES: dict[str, tuple[float, float, str]] = {
    "TT_AGE_FACTOR": (0, 32, "plies of depth that one generation of age costs an entry in a full bucket"),
    "TT_KEEP_MARGIN": (0, 12, "plies by which a new bound must be shallower to be dropped"),
    "TT_HALFMOVE_THRESHOLD": (60, 100, "halfmove clock from which the table no longer cuts off"),
    "ASPIRATION_THRESHOLD": (2, 10, "first iteration with an aspiration window"),
    "ASPIRATION_MARGIN": (4, 60, "half of the first window, centipawns"),
    "ASPIRATION_FACTOR": (20, 400, "growth of a failed window, percent"),
    "ASPIRATION_LIMIT": (200, 2000, "margin beyond which the failed side is opened fully, centipawns"),
    "ASPIRATION_REDUCTION_LIMIT": (0, 5, "plies that searches after fail-highs may be shallower"),
    "REVERSE_FUTILITY_THRESHOLD": (3, 16, "depth from which reverse futility ends"),
    "REVERSE_FUTILITY_MARGIN": (20, 200, "centipawns above beta per ply of depth"),
    "REVERSE_FUTILITY_IMPROVING_MARGIN": (0, 200, "centipawns less when the evaluation improves"),
    "RAZOR_THRESHOLD": (1, 8, "depth from which razoring ends"),
    "RAZOR_BASE": (0, 600, "centipawns below alpha at depth 0"),
    "RAZOR_FACTOR": (50, 500, "centipawns below alpha per ply of depth"),
    "NULL_MOVE_THRESHOLD": (1, 6, "least depth of a null move"),
    "NULL_MOVE_BASE": (1, 8, "reduction of the null-move search, plies"),
    "NULL_MOVE_DEPTH_FACTOR": (2, 10, "one more ply of reduction for so many plies of depth"),
    "NULL_MOVE_EVAL_FACTOR": (50, 400, "one more ply of reduction for so many centipawns above beta"),
    "NULL_MOVE_EVAL_LIMIT": (0, 8, "most plies of reduction for the evaluation"),
    "NULL_MOVE_STATIC_BASE": (0, 400, "centipawns that the static evaluation must be above beta at depth 0"),
    "NULL_MOVE_STATIC_FACTOR": (0, 60, "centipawns less of it per ply of depth"),
    "NULL_MOVE_VERIFY_THRESHOLD": (8, 40, "depth from which a null-move cut-off is verified"),
    "NULL_MOVE_VERIFY_FACTOR": (1, 4, "quarters of the reduced depth without null moves while verifying"),
    "PROBCUT_THRESHOLD": (3, 10, "least depth of probcut"),
    "PROBCUT_MARGIN": (50, 400, "centipawns above beta that a capture must reach"),
    "PROBCUT_REDUCTION": (2, 6, "plies by which the probcut search is shallower"),
    "IIR_THRESHOLD": (2, 10, "least depth of internal iterative reduction"),
    "SINGULAR_THRESHOLD": (4, 12, "least depth of a singular search"),
    "SINGULAR_DEPTH_MARGIN": (1, 6, "plies that the table entry may be shallower than the node"),
    "SINGULAR_FACTOR": (1, 6, "centipawns below the table's score per ply of depth"),
    "DOUBLE_EXTENSION_MARGIN": (0, 60, "centipawns below singular beta for a second ply of extension"),
    "DOUBLE_EXTENSION_LIMIT": (0, 16, "most double extensions along one line"),
    "LMP_BASE": (1, 12, "quiet moves searched at depth 0 before the late ones are pruned, times two if improving"),
    "LMR_THRESHOLD": (1, 5, "least depth that is reduced"),
    "LMR_BASE": (0, 2000, "reduction of every late move, 1/1024 ply"),
    "LMR_FACTOR": (100, 1200, "reduction by ln(depth) * ln(move number), 1/1024 ply"),
    "LMR_CAPTURE_BASE": (-1024, 1024, "added to half of the reduction of a capture, 1/1024 ply"),
    "LMR_CUT_NODE_FACTOR": (0, 3000, "more reduction in an expected cut node, 1/1024 ply"),
    "LMR_NOT_IMPROVING_FACTOR": (0, 2000, "more reduction when the evaluation does not improve, 1/1024 ply"),
    "LMR_PV_FACTOR": (0, 3000, "less reduction in the principal variation, 1/1024 ply"),
    "LMR_TT_PV_FACTOR": (0, 2500, "less reduction where the table remembers a principal variation, 1/1024 ply"),
    "LMR_TT_CAPTURE_FACTOR": (0, 2500, "more reduction of quiet moves beside a capturing table move, 1/1024 ply"),
    "LMR_CHECK_FACTOR": (0, 2500, "less reduction of a checking move, 1/1024 ply"),
    "LMR_KILLER_FACTOR": (0, 2500, "less reduction of a killer move, 1/1024 ply"),
    "LMR_HISTORY_FACTOR": (4, 60, "history points of a quiet move per 1/1024 ply"),
    "LMR_CAPTURE_HISTORY_FACTOR": (4, 60, "history points of a capture per 1/1024 ply"),
    "LMR_DEEPER_MARGIN": (0, 200, "centipawns above the best score for a deeper second search"),
    "LMR_DEEPER_FACTOR": (0, 10, "centipawns more of it per ply of depth"),
    "LMR_SHALLOWER_MARGIN": (0, 60, "centipawns above the best score below which the second search is shallower"),
    "LMR_ROOT_THRESHOLD": (1, 10, "root moves searched without a reduction, besides the first"),
    "LMR_ROOT_DIVISOR": (1024, 4096, "divisor of a reduction at the root; 1024 is a full one"),
    "FUTILITY_THRESHOLD": (3, 16, "reduced depth from which futility pruning ends"),
    "FUTILITY_BASE": (0, 300, "centipawns below alpha at reduced depth 0"),
    "FUTILITY_FACTOR": (20, 250, "centipawns below alpha per ply of reduced depth"),
    "HISTORY_THRESHOLD": (1, 10, "reduced depth from which history pruning ends"),
    "HISTORY_FACTOR": (1000, 10000, "history points below zero per ply of reduced depth"),
    "SEE_QUIET_THRESHOLD": (4, 16, "reduced depth beyond which a quiet move may lose no more"),
    "SEE_QUIET_FACTOR": (5, 80, "centipawns a quiet move may lose, by the square of the reduced depth"),
    "SEE_CAPTURE_THRESHOLD": (3, 16, "greatest depth at which losing captures are pruned"),
    "SEE_CAPTURE_FACTOR": (20, 250, "centipawns a capture may lose per ply of depth"),
    "QS_FUTILITY_MARGIN": (20, 400, "centipawns that a capture may gain besides its victim"),
    "QS_QUIET_EVASION_LIMIT": (0, 6, "quiet evasions searched in quiescence"),
    "HISTORY_LIMIT": (4096, 32767, "bound of a history entry (16 bits)"),
    "HISTORY_BONUS_FACTOR": (50, 400, "history bonus per ply of depth"),
    "HISTORY_BONUS_BASE": (-200, 400, "taken from the history bonus"),
    "HISTORY_BONUS_LIMIT": (500, 4000, "most of a history bonus"),
    "HISTORY_FIRST_MOVE_THRESHOLD": (0, 6, "depth up to which a first quiet move that cuts gains nothing"),
    "CORRECTION_LIMIT": (1024, 32767, "bound of a correction entry (16 bits)"),
    "CORRECTION_BONUS_LIMIT": (256, 8192, "most that one search moves a correction entry"),
    "CORRECTION_BONUS_FACTOR": (1, 8, "by depth and error in centipawns"),
    "CORRECTION_PAWN_FACTOR": (0, 400, "weight of the pawn correction, 2**-CORRECTION_SHIFT centipawns a point"),
    "CORRECTION_NON_PAWN_FACTOR": (0, 400, "weight of each of the two piece corrections"),
    "CORRECTION_CONTINUATION_FACTOR": (0, 400, "weight of the correction by the last two moves"),
    "CORRECTION_SHIFT": (12, 16, "binary logarithm of the unit of the three weights above"),
    "ORDER_CAPTURE_FACTOR": (4, 64, "ordering points per centipawn of a capture's victim"),
    "ORDER_CAPTURE_HISTORY_DIVISOR": (1, 16, "capture history points per ordering point"),
    "ORDER_GOOD_CAPTURE_MARGIN": (8, 200, "ordering points per centipawn that a good capture may lose"),
    "TIME_MOVES_HORIZON": (10, 60, "moves that the clock is shared among without moves to go"),
    "TIME_MOVES_RESERVED": (10, 120, "moves whose overhead is never planned with"),
    "TIME_HARD_FACTOR": (1, 10, "the hard limit in soft limits"),
    "TIME_HARD_SHARE": (0.1, 0.8, "most of the clock that one move may take"),
    "TIME_HARD_SHARE_LAST_MOVE": (0.3, 0.95, "the same for the last move of a time control"),
    "TIME_SOFT_SHARE": (0.1, 0.8, "most of the clock that a soft limit may be"),
    "TIME_INCREMENT_SHARE": (0.5, 1, "share of the increment that a move may count on"),
    "TIME_MIN_MS": (0.5, 5, "least time of any move, ms"),
    "TIME_MOVETIME_KEEP_MS": (0, 50, "most that is kept back of a fixed time per move, ms"),
    "TIME_MOVETIME_KEEP_SHARE": (0, 0.3, "most share of it that is kept back"),
    "TIME_STABILITY_FACTOR": (0.3, 2.5, "factor by the iterations for which the best move has stood"),
    "TIME_MOVE_CHANGE_FACTOR": (0, 1, "added to it per recent change of the best move"),
    "TIME_SCORE_DROP_CP": (30, 400, "centipawns of score drop that double the time"),
    "TIME_SCORE_DROP_MIN": (0.5, 1, "least factor of the score's change"),
    "TIME_SCORE_DROP_MAX": (1, 3, "greatest factor of the score's change"),
    "TIME_EFFORT_BASE": (1, 2.5, "factor when the best move took no nodes"),
    "TIME_EFFORT_FACTOR": (0, 1.5, "taken from it by the share of nodes of the best move"),
    "TIME_FACTOR_MIN": (0.05, 0.8, "least factor of the soft limit"),
    "TIME_FACTOR_MAX": (1, 5, "greatest factor of the soft limit"),
    "TIME_CLEAR_EFFORT": (0.8, 1, "share of nodes from which a move is clear"),
    "TIME_CLEAR_ITERATIONS": (2, 12, "iterations for which a clear move must have stood"),
    "TIME_CLEAR_DEPTH": (4, 16, "least depth of a clear move"),
    "TIME_CLEAR_FACTOR": (0.2, 1, "factor of the soft limit for a clear move"),
    "TIME_FORCED_DEPTH": (1, 12, "depth after which an only move is played"),
}
"""By name: least value, greatest value, meaning."""
