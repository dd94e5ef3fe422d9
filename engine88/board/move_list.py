"""The MOVE_LIST record: one long stack of moves and their scores, shared by all plies of a search.

A generator writes from `start` on and returns the end; the node at the next ply starts there.
"""

from typing import Annotated, Any, TypeAlias

import numba
import numpy as np

from engine88.board.defs import MAX_PLY

MAX_MOVES = 320
"""More than any position with sixteen pieces a side allows (15 queens included)."""
CAPACITY = (MAX_PLY + 2) * MAX_MOVES

MOVE_LIST = np.dtype([("moves", np.int32, (CAPACITY,)), ("scores", np.int32, (CAPACITY,))], align=True)

MOVE_LIST_TYPE = numba.from_dtype(MOVE_LIST)

MoveList: TypeAlias = Annotated[np.record, MOVE_LIST_TYPE]
"""A MOVE_LIST record."""


def new_move_list() -> MoveList:
    """Return an empty move list."""
    lists: Any = np.recarray(1, MOVE_LIST)
    record: MoveList = lists[0]
    return record
