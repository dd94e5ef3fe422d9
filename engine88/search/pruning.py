"""Conditions and amounts of pruning, reduction and extension, one function per rule, on plain numbers.

Depths are plies left, scores centipawns for the side to move, reductions 1024ths of a ply. Sources, by page of the
chessprogramming wiki: "Reverse Futility Pruning", "Razoring", "Null Move Pruning" (Donninger 1993), "ProbCut" (Buro
1995), "Internal Iterative Reductions", "Singular Extensions" (Anantharaman, Campbell, Hsu 1988), "Late Move
Reductions", "Futility Pruning" (Schaeffer 1986, Heinz 1998: move count pruning, history and exchange pruning too).
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
def base_reduction(depth: int, move_count: int) -> int:
    """Return the reduction of the `move_count`-th move at `depth`: LMR_BASE + LMR_FACTOR * ln(depth) * ln(count)."""
    product = _LOGARITHMS[uint64((min(depth, _TABLE_SIDE - 1) << 6) | min(move_count, _TABLE_SIDE - 1))]
    return int64(LMR_BASE + ((LMR_FACTOR * product) >> _LOGARITHM_SHIFT))


@inlined
def capture_reduction(reduction: int) -> int:
    """Return the reduction of a capture where a quiet move is reduced by `reduction`."""
    return LMR_CAPTURE_BASE + reduction // 2


@inlined
def is_reverse_futile(depth: int, eval_score: int, beta: int, improving: int) -> bool:
    """Return whether the evaluation is so far above beta that a shallow search is unlikely to fall below it."""
    if depth >= REVERSE_FUTILITY_THRESHOLD or beta <= -MATE_BOUND or eval_score >= MATE_BOUND:
        return False
    return eval_score - REVERSE_FUTILITY_MARGIN * depth + REVERSE_FUTILITY_IMPROVING_MARGIN * improving >= beta


@inlined
def is_razoring_candidate(depth: int, eval_score: int, alpha: int) -> bool:
    """Return whether the evaluation is so far below alpha that only captures could raise it: try quiescence."""
    return depth < RAZOR_THRESHOLD and eval_score + RAZOR_BASE + RAZOR_FACTOR * depth <= alpha


@inlined
def null_move_is_promising(depth: int, eval_score: int, static_eval: int, beta: int) -> bool:
    """Return whether a null move is likely to fail high; the caller checks for zugzwang and a preceding null move."""
    if depth < NULL_MOVE_THRESHOLD or eval_score < beta or beta <= -MATE_BOUND:
        return False
    return static_eval >= beta + NULL_MOVE_STATIC_BASE - NULL_MOVE_STATIC_FACTOR * depth


@inlined
def null_move_reduction(depth: int, eval_score: int, beta: int) -> int:
    """Return by how many plies the search after a null move is shallower."""
    above = min((eval_score - beta) // NULL_MOVE_EVAL_FACTOR, NULL_MOVE_EVAL_LIMIT)
    return NULL_MOVE_BASE + depth // NULL_MOVE_DEPTH_FACTOR + above


@inlined
def probcut_depth_reached(depth: int, beta: int) -> bool:
    """Return whether a capture that beats beta by a margin at a lower depth may cut this node."""
    return depth >= PROBCUT_THRESHOLD and abs(beta) < MATE_BOUND


@inlined
def iir_applies(depth: int, tt_move: int, pv_node: bool, cut_node: int) -> bool:
    """Return whether internal iterative reduction applies: no table move in a PV or expected cut node."""
    return depth >= IIR_THRESHOLD and tt_move == 0 and (pv_node or cut_node != 0)


@inlined
def is_singular_candidate(depth: int, tt_depth: int, tt_bound: int, tt_score: int) -> bool:
    """Return whether the table entry is deep and high enough to test its move for singularity."""
    if depth < SINGULAR_THRESHOLD or tt_depth < depth - SINGULAR_DEPTH_MARGIN:
        return False
    return (tt_bound & BOUND_LOWER) != 0 and abs(tt_score) < MATE_BOUND


@inlined
def lmp_count_reached(move_count: int, depth: int, improving: int, pv_node: bool) -> bool:
    """Return whether late move pruning skips the quiet moves after this one; never in the principal variation."""
    return not pv_node and move_count >= (LMP_BASE + depth * depth) // (2 - improving)


@inlined
def is_futile(lmr_depth: int, static_eval: int, alpha: int) -> bool:
    """Return whether a quiet move is unlikely to raise the evaluation to alpha (futility pruning)."""
    return lmr_depth < FUTILITY_THRESHOLD and static_eval + FUTILITY_BASE + FUTILITY_FACTOR * lmr_depth <= alpha


@inlined
def is_history_pruned(lmr_depth: int, history: int) -> bool:
    """Return whether the history of a quiet move is bad enough to prune it."""
    return lmr_depth < HISTORY_THRESHOLD and history < -HISTORY_FACTOR * lmr_depth


@inlined
def see_quiet_threshold(lmr_depth: int) -> int:
    """Return the static exchange value below which a quiet move is pruned, centipawns (<= 0)."""
    reduced = min(lmr_depth, SEE_QUIET_THRESHOLD)
    return -SEE_QUIET_FACTOR * reduced * reduced


@inlined
def see_capture_threshold(depth: int) -> int:
    """Return the static exchange value below which a capture is pruned, centipawns (< 0)."""
    return -SEE_CAPTURE_FACTOR * depth
