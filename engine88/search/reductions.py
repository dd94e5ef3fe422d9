"""Late move reductions: by how much a move that is unlikely to be the best is searched less deeply.

Reductions are 1024ths of a ply. Source: chessprogramming wiki, "Late Move Reductions".
"""

from typing import Any

import numpy as np

from engine88.board.moves import is_tactical
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.search.params import (
    LMR_BASE,
    LMR_CAPTURE_BASE,
    LMR_CAPTURE_HISTORY_FACTOR,
    LMR_CHECK_FACTOR,
    LMR_CUT_NODE_FACTOR,
    LMR_DEEPER_FACTOR,
    LMR_DEEPER_MARGIN,
    LMR_FACTOR,
    LMR_HISTORY_FACTOR,
    LMR_NOT_IMPROVING_FACTOR,
    LMR_PV_FACTOR,
    LMR_SHALLOWER_MARGIN,
    LMR_TT_CAPTURE_FACTOR,
    LMR_TT_PV_FACTOR,
)
from engine88.search.search_state import SearchState, node_at

NODE_PV, NODE_CUT, NODE_IMPROVING, NODE_TT_PV, NODE_TT_CAPTURE = 1, 2, 4, 8, 16
_TABLE_SIDE = 64
_LOGARITHM_SHIFT = 20


def _logarithms() -> np.ndarray[Any, np.dtype[np.int64]]:
    depths = np.maximum(np.arange(_TABLE_SIDE), 1)[:, None]
    counts = np.maximum(np.arange(_TABLE_SIDE), 1)[None, :]
    products = np.rint(np.log(depths) * np.log(counts) * (1 << _LOGARITHM_SHIFT))
    flat: np.ndarray[Any, np.dtype[np.int64]] = products.astype(np.int64).reshape(-1)
    return flat


_LOGARITHMS = _logarithms()
"""ln(depth) * ln(count) in units of 2**-_LOGARITHM_SHIFT, at depth * _TABLE_SIDE + count."""


@inlined
def node_flags(state: SearchState, ply: int, pv_node: bool, cut_node: int, improving: int) -> int:
    """Return the properties of the node that reductions depend on, as a sum of NODE_ bits."""
    node = node_at(state, ply)
    flags = improving * NODE_IMPROVING + cut_node * NODE_CUT + node.tt_pv * NODE_TT_PV
    if pv_node:
        flags += NODE_PV
    if node.excluded_move == 0 and is_tactical(node.tt_move):
        flags += NODE_TT_CAPTURE
    return int64(flags)


@inlined
def base_reduction(depth: int, move_count: int) -> int:
    """Return the reduction of the `move_count`-th move at `depth`: LMR_BASE + LMR_FACTOR * ln(depth) * ln(count)."""
    product = _LOGARITHMS[uint64(min(depth, _TABLE_SIDE - 1) * _TABLE_SIDE + min(move_count, _TABLE_SIDE - 1))]
    return int64(LMR_BASE + ((LMR_FACTOR * product) >> _LOGARITHM_SHIFT))


@inlined
def capture_reduction(reduction: int) -> int:
    """Return the reduction of a capture where a quiet move is reduced by `reduction`: captures decide more often."""
    return LMR_CAPTURE_BASE + reduction // 2


@kernel
def reduced_depth(
    state: SearchState, ply: int, depth: int, new_depth: int, move_count: int, tactical: bool, flags: int
) -> int:
    """Return the depth of the first search of a late move that has just been made.

    Each sign that the move may be good after all (history, check, a node on a principal variation) makes the
    reduction smaller. An expected cut node and a falling evaluation make it larger: there a late move seldom matters.
    """
    node = node_at(state, ply)
    reduction = base_reduction(depth, move_count)
    if tactical:
        reduction = capture_reduction(reduction) - node.stat_score // LMR_CAPTURE_HISTORY_FACTOR
    else:
        reduction -= node.stat_score // LMR_HISTORY_FACTOR
        if flags & NODE_TT_CAPTURE:  # a capture was best here, so a quiet move is likely to miss the point
            reduction += LMR_TT_CAPTURE_FACTOR
    if flags & NODE_PV:
        reduction -= LMR_PV_FACTOR
    if flags & NODE_CUT:
        reduction += LMR_CUT_NODE_FACTOR
    if flags & NODE_IMPROVING == 0:
        reduction += LMR_NOT_IMPROVING_FACTOR
    if flags & NODE_TT_PV:
        reduction -= LMR_TT_PV_FACTOR
    if node_at(state, ply + 1).in_check:
        reduction -= LMR_CHECK_FACTOR
    return max(int64(1), min(new_depth, new_depth - int64(reduction) // 1024))


@inlined
def research_depth(new_depth: int, score: int, best_score: int) -> int:
    """Return the depth of the second search of a late move whose reduced search beat alpha.

    A score well above the best one shows an important move, which is searched deeper; a score that hardly differs needs
    less effort.
    """
    if score > best_score + LMR_DEEPER_MARGIN + LMR_DEEPER_FACTOR * new_depth:
        return new_depth + 1
    if score < best_score + LMR_SHALLOWER_MARGIN:
        return new_depth - 1
    return new_depth
