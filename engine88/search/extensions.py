"""Extensions: nodes and moves that are searched deeper than others.

Source: chessprogramming wiki, "Singular Extensions" (Anantharaman, Campbell, Hsu 1988), "Multi-Cut" (Bjornsson and
Marsland 2001), "Late Move Reductions" (hindsight).
"""

from engine88.board.defs import MATE_BOUND
from engine88.board.moves import is_tactical
from engine88.compiler.jit import inlined, int64
from engine88.search.params import (
    DOUBLE_EXTENSION_PV_MARGIN,
    DOUBLE_EXTENSION_QUIET_MARGIN,
    HINDSIGHT_EXTENSION_THRESHOLD,
    HINDSIGHT_REDUCTION_MARGIN,
    SINGULAR_DEPTH_MARGIN,
    SINGULAR_FACTOR,
    SINGULAR_THRESHOLD,
    SINGULAR_TT_PV_FACTOR,
)
from engine88.search.search_state import SearchState, node_at
from engine88.search.tt import BOUND_LOWER

MULTI_CUT = 100
"""Returned in place of an extension: several moves beat beta, so the node is cut (multi-cut)."""


@inlined
def line_is_extended_fully(state: SearchState, ply: int) -> bool:
    """Return whether a line is twice as long as the root depth: further extensions could explode the tree."""
    return bool(ply >= 2 * state.root_depth)


@inlined
def hindsight_depth(state: SearchState, ply: int, depth: int) -> int:
    """Return the depth of a node outside of check, corrected by what its evaluation says about the move before it.

    A move that was reduced much and did not worsen its side's evaluation deserves a ply more; one that was reduced and
    leaves the opponent far better off needs a ply less.
    """
    node, before = node_at(state, ply), node_at(state, ply - 1)
    reduction, sum_of_both = int64(before.reduction), int64(node.static_eval + before.static_eval)
    before.reduction = 0
    if reduction >= HINDSIGHT_EXTENSION_THRESHOLD and sum_of_both <= 0:
        depth += 1
    if reduction >= 1 and depth >= 2 and sum_of_both > HINDSIGHT_REDUCTION_MARGIN:
        depth -= 1
    return depth


@inlined
def is_singular_candidate(state: SearchState, ply: int, depth: int) -> bool:
    """Return whether a search without the table move should show if all other moves are worse (singularity).

    It needs a deep entry whose score is a lower bound: only then does the score say how good the table move is.
    """
    node = node_at(state, ply)
    if line_is_extended_fully(state, ply) or state.stop:
        return False
    if depth < SINGULAR_THRESHOLD + node.tt_pv or node.tt_depth < depth - SINGULAR_DEPTH_MARGIN:
        return False
    return bool(node.tt_bound & BOUND_LOWER != 0 and abs(node.tt_score) < MATE_BOUND)


@inlined
def singular_search_beta(state: SearchState, ply: int, depth: int, pv_node: bool) -> int:
    """Return the score that every other move must stay below for the table move to be singular."""
    node = node_at(state, ply)
    factor = int64(SINGULAR_FACTOR)
    if node.tt_pv and not pv_node:
        factor += SINGULAR_TT_PV_FACTOR
    return int64(node.tt_score) - factor * depth // 64


@inlined
def singular_extension(
    state: SearchState, ply: int, score: int, singular_beta: int, beta: int, pv_node: bool, cut_node: int
) -> int:
    """Return the extension of the table move in plies (negative: reduction), or MULTI_CUT to cut the node.

    `score` is the result of the search without the table move. Where the other moves are worse, much depends on the
    table move, which deserves a ply more, and two where they are much worse. Where another move beats beta too, a full
    search would very likely fail high. Else the table move is one of several, and needs less where it beats beta or a
    cut is expected.
    """
    node = node_at(state, ply)
    if score < singular_beta:
        margin = int64(DOUBLE_EXTENSION_PV_MARGIN if pv_node else 0)
        if not is_tactical(node.tt_move):
            margin -= DOUBLE_EXTENSION_QUIET_MARGIN
        return int64(2 if score < singular_beta - margin else 1)
    if score >= beta and abs(score) < MATE_BOUND:
        return int64(MULTI_CUT)
    if node.tt_score >= beta:
        return int64(-3)
    return int64(-2) if cut_node != 0 else int64(0)
