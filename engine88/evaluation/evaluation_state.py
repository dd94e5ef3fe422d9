"""The EVALUATION_STATE record: what one search thread's evaluation keeps, one part for each way to evaluate."""

from typing import Annotated, Any, Final, TypeAlias

import numba
import numpy as np

from engine88.compiler.indirect import address_of
from engine88.compiler.memory import aligned_words
from engine88.evaluation.classical.evaluation_state import EVALUATION, clear_evaluation
from engine88.evaluation.classical.score import classical_score
from engine88.evaluation.network.layout import NETWORK_STATE
from engine88.evaluation.network.loaded_network import LoadedNetwork

EVALUATION_STATE: Final = np.dtype(
    [("network", NETWORK_STATE), ("classical", np.dtype((np.record, EVALUATION)))], align=True
)
EVALUATION_STATE_TYPE = numba.from_dtype(EVALUATION_STATE)
"""Numba's type of an EVALUATION_STATE record."""

EvaluationState: TypeAlias = Annotated[Any, EVALUATION_STATE_TYPE]
"""An EVALUATION_STATE record."""


def new_evaluation_state(network: LoadedNetwork | None = None) -> EvaluationState:
    """Return a fresh record (about 1 MB) that evaluates by a network, or by the hand-written terms; one per thread.

    The network must live as long as the record.
    """
    # At the start of a page, for a vector across two lines of the cache takes twice as long.
    array: Any = aligned_words(EVALUATION_STATE.itemsize // 8).array.view(EVALUATION_STATE).view(np.recarray)
    record: EvaluationState = array[0]
    clear_evaluation(record.classical)
    if network is None:
        record.classical.score_address = address_of(classical_score)
    else:
        network.give_to(record.network)
    return record
