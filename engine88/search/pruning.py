"""Every rule that leaves something out or looks deeper, as one predicate (or one number) each.

Depths are plies left, scores centipawns for the side to move, reductions 1024ths of a ply.
"""

from typing import Any

import numpy as np

from engine88.board.defs import MATE_BOUND
from engine88.compiler.jit import inlined, int64, uint64
from engine88.search.params import (
    FUTILITY_BASE,
    FUTILITY_FACTOR,
    FUTILITY_THRESHOLD,
    HISTORY_FACTOR,
    HISTORY_THRESHOLD,
    IIR_THRESHOLD,
    LMP_BASE,
    LMR_BASE,
    LMR_CAPTURE_BASE,
    LMR_FACTOR,
    NULL_MOVE_BASE,
    NULL_MOVE_DEPTH_FACTOR,
    NULL_MOVE_EVAL_FACTOR,
    NULL_MOVE_EVAL_LIMIT,
    NULL_MOVE_STATIC_BASE,
    NULL_MOVE_STATIC_FACTOR,
    NULL_MOVE_THRESHOLD,
    PROBCUT_THRESHOLD,
    RAZOR_BASE,
    RAZOR_FACTOR,
    RAZOR_THRESHOLD,
    REVERSE_FUTILITY_IMPROVING_MARGIN,
    REVERSE_FUTILITY_MARGIN,
    REVERSE_FUTILITY_THRESHOLD,
    SEE_CAPTURE_FACTOR,
    SEE_QUIET_FACTOR,
    SEE_QUIET_THRESHOLD,
    SINGULAR_DEPTH_MARGIN,
    SINGULAR_THRESHOLD,
)
from engine88.search.tt import BOUND_LOWER

_TABLE_SIDE = 64


def _reduction_table() -> np.ndarray[Any, np.dtype[np.int64]]:
    depths = np.maximum(np.arange(_TABLE_SIDE), 1)[:, None]
    counts = np.maximum(np.arange(_TABLE_SIDE), 1)[None, :]
    return (LMR_BASE + LMR_FACTOR * np.log(depths) * np.log(counts)).astype(np.int64).reshape(-1)


REDUCTION = _reduction_table()


@inlined
def base_reduction(depth: int, move_count: int) -> int:
    """Return the reduction of the `move_count`-th move at `depth` before anything else is known."""
    return int64(REDUCTION[uint64((min(depth, _TABLE_SIDE - 1) << 6) | min(move_count, _TABLE_SIDE - 1))])


@inlined
def capture_reduction(reduction: int) -> int:
    """Return what a capture is reduced by where a quiet move is by `reduction`."""
    return LMR_CAPTURE_BASE + reduction // 2


@inlined
def is_reverse_futile(depth: int, eval_score: int, beta: int, improving: int) -> bool:
    """Return whether the evaluation is so far above beta that a shallow search will not bring it down."""
    if depth >= REVERSE_FUTILITY_THRESHOLD or beta <= -MATE_BOUND or eval_score >= MATE_BOUND:
        return False
    return eval_score - REVERSE_FUTILITY_MARGIN * depth + REVERSE_FUTILITY_IMPROVING_MARGIN * improving >= beta


@inlined
def is_razored(depth: int, eval_score: int, alpha: int) -> bool:
    """Return whether the evaluation is so far below alpha that only captures could help."""
    return depth < RAZOR_THRESHOLD and eval_score + RAZOR_BASE + RAZOR_FACTOR * depth <= alpha


@inlined
def may_try_null_move(depth: int, eval_score: int, static_eval: int, beta: int) -> bool:
    """Return whether passing is likely to fail high (the caller adds: pieces left, no null move just before)."""
    if depth < NULL_MOVE_THRESHOLD or eval_score < beta or beta <= -MATE_BOUND:
        return False
    return static_eval >= beta + NULL_MOVE_STATIC_BASE - NULL_MOVE_STATIC_FACTOR * depth


@inlined
def null_move_reduction(depth: int, eval_score: int, beta: int) -> int:
    """Return by how many plies the search after a null move is shallower."""
    above = min((eval_score - beta) // NULL_MOVE_EVAL_FACTOR, NULL_MOVE_EVAL_LIMIT)
    return NULL_MOVE_BASE + depth // NULL_MOVE_DEPTH_FACTOR + above


@inlined
def may_probcut(depth: int, beta: int) -> bool:
    """Return whether a capture that beats beta by a margin at a lower depth may cut this node."""
    return depth >= PROBCUT_THRESHOLD and abs(beta) < MATE_BOUND


@inlined
def is_internally_reduced(depth: int, tt_move: int, pv_node: bool, cut_node: int) -> bool:
    """Return whether a node without a table move is searched one ply less: it is unlikely to matter."""
    return depth >= IIR_THRESHOLD and tt_move == 0 and (pv_node or cut_node != 0)


@inlined
def may_be_singular(depth: int, tt_depth: int, tt_bound: int, tt_score: int) -> bool:
    """Return whether the table move is worth asking if all other moves are much worse."""
    if depth < SINGULAR_THRESHOLD or tt_depth < depth - SINGULAR_DEPTH_MARGIN:
        return False
    return (tt_bound & BOUND_LOWER) != 0 and abs(tt_score) < MATE_BOUND


@inlined
def is_late(move_count: int, depth: int, improving: int, pv_node: bool) -> bool:
    """Return whether the quiet moves after this one come too late; in the principal variation none does."""
    return not pv_node and move_count >= (LMP_BASE + depth * depth) // (2 - improving)


@inlined
def is_futile(lmr_depth: int, static_eval: int, alpha: int) -> bool:
    """Return whether a quiet move is unlikely to lift the evaluation to alpha."""
    return lmr_depth < FUTILITY_THRESHOLD and static_eval + FUTILITY_BASE + FUTILITY_FACTOR * lmr_depth <= alpha


@inlined
def has_bad_history(lmr_depth: int, history: int) -> bool:
    """Return whether a quiet move failed too often elsewhere."""
    return lmr_depth < HISTORY_THRESHOLD and history < -HISTORY_FACTOR * lmr_depth


@inlined
def quiet_exchange_floor(lmr_depth: int) -> int:
    """Return what a quiet move may lose in the exchange on its target square."""
    reduced = min(lmr_depth, SEE_QUIET_THRESHOLD)
    return -SEE_QUIET_FACTOR * reduced * reduced


@inlined
def capture_exchange_floor(depth: int) -> int:
    """Return what a capture may lose in exchange."""
    return -SEE_CAPTURE_FACTOR * depth
