"""Extensions: moves that are searched deeper than the others of their node.

Source: chessprogramming wiki, "Singular Extensions" (Anantharaman, Campbell, Hsu 1988), "Check Extensions".
"""

from engine88.board.defs import MATE_BOUND
from engine88.compiler.jit import inlined, int64
from engine88.search.params import (
    DOUBLE_EXTENSION_LIMIT,
    DOUBLE_EXTENSION_MARGIN,
    SINGULAR_DEPTH_MARGIN,
    SINGULAR_FACTOR,
    SINGULAR_THRESHOLD,
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
def is_singular_candidate(state: SearchState, ply: int, depth: int) -> bool:
    """Return whether a search without the table move should show if all other moves are worse (singularity).

    It needs a deep entry whose score is a lower bound: only then does the score say how good the table move is.
    """
    node = node_at(state, ply)
    if line_is_extended_fully(state, ply) or state.stop:
        return False
    if depth < SINGULAR_THRESHOLD or node.tt_depth < depth - SINGULAR_DEPTH_MARGIN:
        return False
    return bool(node.tt_bound & BOUND_LOWER != 0 and abs(node.tt_score) < MATE_BOUND)


@inlined
def singular_search_beta(state: SearchState, ply: int, depth: int) -> int:
    """Return the score that every other move must stay below for the table move to be singular."""
    return int64(node_at(state, ply).tt_score) - SINGULAR_FACTOR * depth


@inlined
def singular_extension(
    state: SearchState, ply: int, score: int, singular_beta: int, beta: int, pv_node: bool, cut_node: int
) -> int:
    """Return the extension of the table move in plies (negative: reduction), or MULTI_CUT to cut the node.

    `score` is the result of the search without the table move. Where the other moves are much worse, everything hangs
    on the table move, which deserves two plies more; a limit per line keeps forced sequences finite. Where another move
    beats beta too, a full search would very likely fail high. Else the table move is one of several, and needs less
    where it beats beta or a cut is expected.
    """
    node = node_at(state, ply)
    if score < singular_beta:
        is_far_below = score < singular_beta - DOUBLE_EXTENSION_MARGIN
        if not pv_node and is_far_below and node.double_extensions < DOUBLE_EXTENSION_LIMIT:
            node.double_extensions += 1
            return int64(2)
        return int64(1)
    if singular_beta >= beta and not state.stop:
        return int64(MULTI_CUT)
    return int64(-2) if node.tt_score >= beta or cut_node != 0 else int64(0)


@inlined
def check_extension(state: SearchState, ply: int) -> int:
    """Return 1 if the move just made gives check: its few answers cost little, and tactics often hide behind it."""
    if node_at(state, ply + 1).in_check and not line_is_extended_fully(state, ply):
        return int64(1)
    return int64(0)
