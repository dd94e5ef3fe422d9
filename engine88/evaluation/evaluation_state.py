"""The EVALUATION_STATE record: what one search thread's evaluation keeps, one part for each way to evaluate."""

from typing import Annotated, Any, Final, TypeAlias

import numba
import numpy as np

from engine88.evaluation.classical.evaluation_state import EVALUATION, clear_evaluation
from engine88.evaluation.network.layout import NETWORK_STATE

EVALUATION_STATE: Final = np.dtype(
    [("classical", np.dtype((np.record, EVALUATION))), ("network", NETWORK_STATE)], align=True
)
EVALUATION_STATE_TYPE = numba.from_dtype(EVALUATION_STATE)
"""Numba's type of an EVALUATION_STATE record."""

EvaluationState: TypeAlias = Annotated[Any, EVALUATION_STATE_TYPE]
"""An EVALUATION_STATE record."""


def new_evaluation_state() -> EvaluationState:
    """Return a fresh record (about 1 MB), without a network; one per search thread."""
    array: Any = np.recarray(1, EVALUATION_STATE)
    array.view(np.uint8)[:] = 0
    record: EvaluationState = array[0]
    clear_evaluation(record.classical)
    return record
