"""Aspiration: an iteration is searched with a narrow window around the score of the iteration before.

A narrow window cuts more nodes. If the score is outside, the window was wrong: it is widened on that side and the
iteration searched again. The window is kept in the search record, so that plain Python can report each failure and
compiled self-play runs the same kernels without leaving machine code. Source: chessprogramming wiki, "Aspiration
Windows".
"""

from engine88.board.defs import INFINITE
from engine88.board.move_list import MoveList
from engine88.board.record import Board
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.jit import entry, inlined, int64
from engine88.evaluation.evaluation_state import EvaluationState
from engine88.search.params import (
    ASPIRATION_FACTOR,
    ASPIRATION_LIMIT,
    ASPIRATION_MARGIN,
    ASPIRATION_REDUCTION_LIMIT,
    ASPIRATION_THRESHOLD,
)
from engine88.search.search_root import search_root
from engine88.search.search_state import SearchState
from engine88.search.tt import BOUND_EXACT, BOUND_LOWER, BOUND_UPPER


@entry
def open_window(state: SearchState, depth: int, previous_score: int) -> None:
    """Set the window of an iteration around the score of the one before, INFINITE or -INFINITE if there is none.

    The first iterations are too cheap for a window, and their scores change too much.
    """
    state.window_alpha = -INFINITE
    state.window_beta = INFINITE
    state.window_margin = ASPIRATION_MARGIN
    state.window_reduction = 0
    if depth >= ASPIRATION_THRESHOLD and abs(previous_score) < INFINITE:
        state.window_alpha = max(previous_score - ASPIRATION_MARGIN, -INFINITE)
        state.window_beta = min(previous_score + ASPIRATION_MARGIN, INFINITE)


@inlined
def judge_score(state: SearchState, score: int) -> None:
    """Set `window_bound` to what `score` is; if it is outside the window, widen that for the next search.

    After a failure low the upper half of the window is dropped too, because the score has moved away from it. After
    failures high the next search is shallower: the better move is known, and its exact score matters less.
    """
    if DEBUG:
        assert state.window_alpha < state.window_beta, "an empty window"
        assert state.window_margin >= ASPIRATION_MARGIN, "a window narrower than the first one"
    if state.window_alpha < score < state.window_beta:
        state.window_bound = BOUND_EXACT
        return
    state.window_margin += state.window_margin * ASPIRATION_FACTOR // 100
    is_widest = state.window_margin > ASPIRATION_LIMIT
    if score <= state.window_alpha:
        state.window_bound = BOUND_UPPER
        state.window_beta = (state.window_alpha + state.window_beta) // 2
        state.window_alpha = -INFINITE if is_widest else max(score - state.window_margin, -INFINITE)
        state.window_reduction = 0
    else:
        state.window_bound = BOUND_LOWER
        state.window_beta = INFINITE if is_widest else min(score + state.window_margin, INFINITE)
        state.window_reduction = min(state.window_reduction + 1, ASPIRATION_REDUCTION_LIMIT)


@entry
def search_window(board: Board, lists: MoveList, state: SearchState, evaluation: EvaluationState, depth: int) -> int:
    """Search the root once with the current window; return the score and set `window_bound`.

    BOUND_EXACT ends the iteration, also if the search was stopped: what it finished beat alpha. With another bound the
    caller searches again, unless `state.stop` is set.
    """
    reduced = max(int64(1), depth - state.window_reduction)
    score = search_root(board, lists, state, evaluation, int64(state.window_alpha), int64(state.window_beta), reduced)
    judge_score(state, score)
    return score
