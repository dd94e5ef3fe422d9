"""Late move reductions: by how much a move that is unlikely to be the best is searched less deeply.

Reductions are 1024ths of a ply. Source: chessprogramming wiki, "Late Move Reductions".
"""

from typing import Any

import numpy as np

from engine88.board.defs import MATE_BOUND
from engine88.board.moves import is_tactical
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.search.invariants import check_reduced
from engine88.search.params import (
    ALPHA_RAISED_REDUCTION,
    ALPHA_RAISED_THRESHOLD,
    LMR_BASE,
    LMR_CAPTURE_HISTORY_BASE,
    LMR_CORRECTION_FACTOR,
    LMR_COUNT_FACTOR,
    LMR_CUT_NODE_FACTOR,
    LMR_CUTOFF_ALL_NODE_FACTOR,
    LMR_CUTOFF_FACTOR,
    LMR_CUTOFF_THRESHOLD,
    LMR_DEEPER_FACTOR,
    LMR_DEEPER_MARGIN,
    LMR_FACTOR,
    LMR_FIRST_DEEP_THRESHOLD,
    LMR_FIRST_NO_TT_MOVE_FACTOR,
    LMR_FIRST_THRESHOLD,
    LMR_HISTORY_BASE,
    LMR_HISTORY_FACTOR,
    LMR_LATER_BASE,
    LMR_LATER_COUNT_FACTOR,
    LMR_LATER_TT_PV_FACTOR,
    LMR_NO_TT_MOVE_FACTOR,
    LMR_NOT_IMPROVING_FACTOR,
    LMR_PV_FACTOR,
    LMR_SHALLOWER_MARGIN,
    LMR_TT_CAPTURE_FACTOR,
    LMR_TT_CAPTURE_SHALLOW_FACTOR,
    LMR_TT_CAPTURE_THRESHOLD,
    LMR_TT_DEPTH_CUT_NODE_FACTOR,
    LMR_TT_DEPTH_FACTOR,
    LMR_TT_MOVE_FACTOR,
    LMR_TT_PV_FACTOR,
    LMR_TT_SCORE_FACTOR,
    LMR_WINDOW_FACTOR,
)
from engine88.search.search_state import SearchState, node_at

NODE_PV, NODE_CUT, NODE_IMPROVING, NODE_TT_CAPTURE = 1, 2, 4, 8
_PLY = 1024
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
    flags = improving * NODE_IMPROVING + cut_node * NODE_CUT
    if pv_node:
        flags += NODE_PV
    if is_tactical(node_at(state, ply).tt_move):
        flags += NODE_TT_CAPTURE
    return int64(flags)


@inlined
def whole_plies(reduction: int) -> int:
    """Return a reduction in plies, rounded towards zero."""
    return reduction // _PLY if reduction >= 0 else -(-reduction // _PLY)


@inlined
def base_reduction(state: SearchState, ply: int, depth: int, move_count: int, window: int, flags: int) -> int:
    """Return the reduction of the `move_count`-th move that pruning counts with, from depth, count and node.

    It grows with ln(depth) * ln(count), more if the evaluation does not improve. `window` is beta - alpha: a node whose
    window is as wide as the root's decides about the move that is played.
    """
    product = _LOGARITHMS[uint64(min(depth, _TABLE_SIDE - 1) * _TABLE_SIDE + min(move_count, _TABLE_SIDE - 1))]
    reduction = int64((LMR_FACTOR * product) >> _LOGARITHM_SHIFT)
    if flags & NODE_IMPROVING == 0:
        reduction += reduction * LMR_NOT_IMPROVING_FACTOR // _PLY
    if flags & NODE_PV:
        reduction -= LMR_WINDOW_FACTOR * window // int64(state.root_delta)
    if node_at(state, ply).tt_pv:
        reduction += LMR_TT_PV_FACTOR
    return reduction + LMR_BASE - LMR_COUNT_FACTOR * move_count


@inlined
def _tt_pv_reduction(state: SearchState, ply: int, depth: int, alpha: int, flags: int) -> int:
    """Return by how much a move is reduced less where the table remembers a principal variation."""
    node = node_at(state, ply)
    less = int64(LMR_LATER_TT_PV_FACTOR)
    if flags & NODE_PV:
        less += LMR_PV_FACTOR
    if node.tt_score > alpha:
        less += LMR_TT_SCORE_FACTOR
    if node.tt_depth >= depth:
        less += LMR_TT_DEPTH_FACTOR
        if flags & NODE_CUT:
            less += LMR_TT_DEPTH_CUT_NODE_FACTOR
    return less


@kernel
def full_reduction(
    state: SearchState, ply: int, move: int, depth: int, move_count: int, alpha: int, flags: int, reduction: int
) -> int:
    """Return the reduction of a move that has just been made, from its `base_reduction`.

    Each sign that the move may be good after all (history, a node on a principal variation, a corrected evaluation)
    makes it smaller. An expected cut node, a missing table move and answers that cut make it larger.
    """
    node, tactical = node_at(state, ply), is_tactical(move)
    reduction += LMR_LATER_BASE - LMR_LATER_COUNT_FACTOR * move_count
    if node.tt_pv:
        reduction -= _tt_pv_reduction(state, ply, depth, alpha, flags)
    if not node.in_check:
        reduction -= LMR_CORRECTION_FACTOR * abs(int64(node.static_eval - node.raw_eval))
    if flags & NODE_CUT:
        reduction += LMR_CUT_NODE_FACTOR
        if node.tt_move == 0:
            reduction += LMR_NO_TT_MOVE_FACTOR
    if flags & NODE_TT_CAPTURE and not tactical:  # a capture was best here: a quiet move is likely to miss the point
        reduction += LMR_TT_CAPTURE_FACTOR
        if depth < LMR_TT_CAPTURE_THRESHOLD:
            reduction += LMR_TT_CAPTURE_SHALLOW_FACTOR
    if node_at(state, ply + 1).cutoff_count > LMR_CUTOFF_THRESHOLD:
        reduction += LMR_CUTOFF_FACTOR
        if flags & (NODE_PV | NODE_CUT) == 0:
            reduction += LMR_CUTOFF_ALL_NODE_FACTOR
    elif move == node.tt_move:
        reduction -= LMR_TT_MOVE_FACTOR
    base = int64(LMR_CAPTURE_HISTORY_BASE if tactical else LMR_HISTORY_BASE)
    return reduction - LMR_HISTORY_FACTOR * (int64(node.stat_score) - base) // _PLY


@inlined
def reduced_depth(new_depth: int, reduction: int, best_move: int, flags: int) -> int:
    """Return the depth of the first search of a late move.

    A negative reduction extends it by a ply where a move may be good: not in an expected all node. In the principal
    variation it is another one until a move has raised alpha.
    """
    limit = new_depth
    if flags & (NODE_PV | NODE_CUT):
        limit += 1
    if flags & NODE_PV and best_move == 0:
        limit += 1
    reduced = max(int64(1), min(new_depth - whole_plies(reduction), limit))
    check_reduced(reduced, new_depth)
    return reduced


@inlined
def first_depth(new_depth: int, reduction: int, tt_move: int) -> int:
    """Return the depth of a move without late move reduction outside the principal variation.

    It is a ply or two less where much speaks against the move.
    """
    if tt_move == 0:
        reduction += LMR_FIRST_NO_TT_MOVE_FACTOR
    if reduction <= LMR_FIRST_THRESHOLD:
        return new_depth
    return new_depth - 2 if reduction > LMR_FIRST_DEEP_THRESHOLD and new_depth > 2 else new_depth - 1


@inlined
def research_depth(new_depth: int, reduced: int, score: int, best_score: int) -> int:
    """Return the depth of the second search of a late move whose first search, to depth `reduced`, beat alpha.

    A score well above the best one shows an important move, which is searched deeper if its first search was reduced. A
    score that hardly differs needs less effort. There is no second search if the first one was as deep.
    """
    if reduced < new_depth and score > best_score + LMR_DEEPER_MARGIN + LMR_DEEPER_FACTOR * new_depth:
        return new_depth + 1
    if score < best_score + LMR_SHALLOWER_MARGIN:
        return new_depth - 1
    return new_depth


@inlined
def depth_after_raise(depth: int, score: int) -> int:
    """Return the depth of the moves after one that raised alpha to `score`: most of them are worse than it."""
    if 2 < depth < ALPHA_RAISED_THRESHOLD and abs(score) < MATE_BOUND:
        return max(int64(1), depth - ALPHA_RAISED_REDUCTION)
    return depth
