"""Lines to positions that a search evaluates, recorded for training; compiled to nothing in an engine that plays."""

from engine88.compiler.jit import inlined, int64, kernel
from engine88.search.recording import RECORD_EVERY
from engine88.search.search_state import RECORDED_LINES, RECORDED_PLIES, SearchState, node_at


@inlined
def count_evaluation(state: SearchState, ply: int) -> None:
    """Count an evaluation of the node at `ply`, and record the line to it if it is due."""
    if RECORD_EVERY > 0:
        state.evaluations_left -= 1
        if state.evaluations_left <= 0 and state.recorded_count < RECORDED_LINES:
            record_line(state, ply)


@kernel
def record_line(state: SearchState, ply: int) -> None:
    """Record the moves from the root to `ply`; a line that is too long, or has a null move in it, is left out."""
    if not 0 < ply <= RECORDED_PLIES:
        return
    line = state.recorded_count
    for i in range(ply):
        move = int64(node_at(state, i).current_move)
        if move == 0:
            return
        state.recorded_moves[line, i] = move
    state.recorded_plies[line] = ply
    state.recorded_count = line + 1
    state.evaluations_left = int64(RECORD_EVERY)
