"""The EVALUATION_STATE record: what one search thread's evaluation keeps, one part for each way to evaluate."""

from typing import Annotated, Any, Final, TypeAlias

import numba
import numpy as np

from engine88.compiler.indirect import address_of
from engine88.evaluation.classical.evaluation_state import EVALUATION, clear_evaluation
from engine88.evaluation.classical.score import classical_score
from engine88.evaluation.network.layout import NETWORK_STATE
from engine88.evaluation.network.loaded_network import LoadedNetwork

EVALUATION_STATE: Final = np.dtype(
    [("classical", np.dtype((np.record, EVALUATION))), ("network", NETWORK_STATE)], align=True
)
EVALUATION_STATE_TYPE = numba.from_dtype(EVALUATION_STATE)
"""Numba's type of an EVALUATION_STATE record."""

EvaluationState: TypeAlias = Annotated[Any, EVALUATION_STATE_TYPE]
"""An EVALUATION_STATE record."""


def new_evaluation_state(network: LoadedNetwork | None = None) -> EvaluationState:
    """Return a fresh record (about 1 MB) that evaluates by a network, or by the hand-written terms; one per thread.

    The network must live as long as the record.
    """
    array: Any = np.recarray(1, EVALUATION_STATE)
    array.view(np.uint8)[:] = 0
    record: EvaluationState = array[0]
    clear_evaluation(record.classical)
    if network is None:
        record.classical.score_address = address_of(classical_score)
    else:
        network.give_to(record.network)
    return record
