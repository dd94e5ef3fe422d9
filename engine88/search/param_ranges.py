"""The range of every number in params.py that a tuner may try.

    for parameter in parameters():
        print(parameter.name, parameter.value, parameter.low, parameter.high)

The table is separate from params.py so that an edit of a range does not recompile any kernel.
"""

from collections.abc import Iterator
from typing import NamedTuple

from engine88.search import params

Value = float | tuple[float, ...]


class Parameter(NamedTuple):
    """One tunable number: its present value and the range (inclusive) that a tuner may try.

    The range of a tuple holds for each of its elements.
    """

    name: str
    value: Value
    low: float
    high: float


def parameters() -> Iterator[Parameter]:
    """Yield every tunable number in the order of the table."""
    for name, (low, high) in RANGES.items():
        yield Parameter(name, getattr(params, name), low, high)


RANGES: dict[str, tuple[float, float]] = {
    "TT_AGE_FACTOR": (0, 32),
    "TT_KEEP_MARGIN": (0, 12),
    "TT_UNEXPECTED_THRESHOLD": (1, 12),
    "TT_HALFMOVE_THRESHOLD": (60, 100),
    "ASPIRATION_THRESHOLD": (2, 10),
    "ASPIRATION_MARGIN": (4, 60),
    "ASPIRATION_FACTOR": (20, 400),
    "ASPIRATION_LIMIT": (200, 2000),
    "ASPIRATION_REDUCTION_LIMIT": (0, 5),
    "REVERSE_FUTILITY_THRESHOLD": (3, 16),
    "REVERSE_FUTILITY_MARGIN": (20, 200),
    "REVERSE_FUTILITY_IMPROVING_MARGIN": (0, 200),
    "NULL_MOVE_THRESHOLD": (1, 6),
    "NULL_MOVE_BASE": (1, 8),
    "NULL_MOVE_DEPTH_FACTOR": (2, 10),
    "NULL_MOVE_EVAL_FACTOR": (50, 400),
    "NULL_MOVE_EVAL_LIMIT": (0, 8),
    "NULL_MOVE_STATIC_BASE": (0, 400),
    "NULL_MOVE_STATIC_FACTOR": (0, 60),
    "NULL_MOVE_VERIFY_THRESHOLD": (8, 40),
    "NULL_MOVE_VERIFY_FACTOR": (1, 4),
    "PROBCUT_THRESHOLD": (3, 10),
    "PROBCUT_MARGIN": (50, 400),
    "PROBCUT_REDUCTION": (2, 6),
    "IIR_THRESHOLD": (2, 10),
    "SINGULAR_THRESHOLD": (4, 12),
    "SINGULAR_DEPTH_MARGIN": (1, 6),
    "SINGULAR_FACTOR": (1, 6),
    "DOUBLE_EXTENSION_MARGIN": (0, 60),
    "DOUBLE_EXTENSION_LIMIT": (0, 16),
    "LMP_BASE": (1, 12),
    "LMR_THRESHOLD": (1, 5),
    "LMR_BASE": (0, 2000),
    "LMR_FACTOR": (100, 1200),
    "LMR_CAPTURE_BASE": (-1024, 1024),
    "LMR_CUT_NODE_FACTOR": (0, 3000),
    "LMR_NOT_IMPROVING_FACTOR": (0, 2000),
    "LMR_PV_FACTOR": (0, 3000),
    "LMR_TT_PV_FACTOR": (0, 2500),
    "LMR_TT_CAPTURE_FACTOR": (0, 2500),
    "LMR_CHECK_FACTOR": (0, 2500),
    "LMR_HISTORY_FACTOR": (4, 60),
    "LMR_CAPTURE_HISTORY_FACTOR": (4, 60),
    "LMR_DEEPER_MARGIN": (0, 200),
    "LMR_DEEPER_FACTOR": (0, 10),
    "LMR_SHALLOWER_MARGIN": (0, 60),
    "FUTILITY_THRESHOLD": (3, 16),
    "FUTILITY_BASE": (0, 300),
    "FUTILITY_FACTOR": (20, 250),
    "HISTORY_THRESHOLD": (1, 10),
    "HISTORY_FACTOR": (1000, 10000),
    "SEE_QUIET_THRESHOLD": (4, 16),
    "SEE_QUIET_FACTOR": (5, 80),
    "SEE_CAPTURE_THRESHOLD": (3, 16),
    "SEE_CAPTURE_FACTOR": (20, 250),
    "QS_FUTILITY_MARGIN": (20, 400),
    "QS_QUIET_EVASION_LIMIT": (0, 6),
    "HISTORY_LIMIT": (4096, 32767),
    "HISTORY_BONUS_FACTOR": (50, 400),
    "HISTORY_BONUS_BASE": (-200, 400),
    "HISTORY_BONUS_LIMIT": (500, 4000),
    "HISTORY_FAIL_LOW_FACTOR": (0, 64),
    "HISTORY_FOUR_PLIES_FACTOR": (0, 128),
    "HISTORY_FIRST_MOVE_THRESHOLD": (0, 6),
    "CORRECTION_LIMIT": (1024, 32767),
    "CORRECTION_BONUS_LIMIT": (256, 8192),
    "CORRECTION_BONUS_FACTOR": (1, 8),
    "CORRECTION_PAWN_FACTOR": (0, 400),
    "CORRECTION_NON_PAWN_FACTOR": (0, 400),
    "CORRECTION_CONTINUATION_FACTOR": (0, 400),
    "CORRECTION_SHIFT": (12, 16),
    "ORDER_CAPTURE_FACTOR": (4, 64),
    "ORDER_CAPTURE_HISTORY_DIVISOR": (1, 16),
    "ORDER_CHECK_BASE": (0, 20000),
    "ORDER_CHECK_MARGIN": (0, 200),
    "ORDER_GOOD_CAPTURE_MARGIN": (8, 200),
    "TIME_MOVES_HORIZON": (10, 60),
    "TIME_MOVES_RESERVED": (10, 120),
    "TIME_HARD_FACTOR": (1, 10),
    "TIME_HARD_SHARE": (0.1, 0.8),
    "TIME_HARD_SHARE_LAST_MOVE": (0.3, 0.95),
    "TIME_SOFT_SHARE": (0.1, 0.8),
    "TIME_INCREMENT_SHARE": (0.5, 1),
    "TIME_MIN_MS": (0.5, 5),
    "TIME_MOVETIME_KEEP_MS": (0, 50),
    "TIME_MOVETIME_KEEP_SHARE": (0, 0.3),
    "TIME_STABILITY_FACTOR": (0.3, 2.5),
    "TIME_MOVE_CHANGE_FACTOR": (0, 1),
    "TIME_SCORE_DROP_CP": (30, 400),
    "TIME_SCORE_DROP_MIN": (0.5, 1),
    "TIME_SCORE_DROP_MAX": (1, 3),
    "TIME_EFFORT_BASE": (1, 2.5),
    "TIME_EFFORT_FACTOR": (0, 1.5),
    "TIME_FACTOR_MIN": (0.05, 0.8),
    "TIME_FACTOR_MAX": (1, 5),
    "TIME_CLEAR_EFFORT": (0.8, 1),
    "TIME_CLEAR_ITERATIONS": (2, 12),
    "TIME_CLEAR_DEPTH": (4, 16),
    "TIME_CLEAR_FACTOR": (0.2, 1),
    "TIME_FORCED_DEPTH": (1, 12),
}
"""By name: least value, greatest value."""
