"""What earlier nodes taught: histories of moves, counter moves, and corrections of the static evaluation.

Every entry moves towards the limit of its table by "gravity": the nearer it is, the less a bonus moves it.
A row names the piece that moved and where to: `piece * 64 + to`.
"""

from engine88.board.record import Board
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.search.params import (
    CORRECTION_BONUS_LIMIT,
    CORRECTION_CONTINUATION_FACTOR,
    CORRECTION_LIMIT,
    CORRECTION_NON_PAWN_FACTOR,
    CORRECTION_PAWN_FACTOR,
    CORRECTION_SHIFT,
    HISTORY_BONUS_BASE,
    HISTORY_BONUS_FACTOR,
    HISTORY_BONUS_LIMIT,
    HISTORY_LIMIT,
)
from engine88.search.search_state import CORRECTION_SIZE, LEAD, MAX_TRIED, SearchNode, SearchState

_CORRECTION_MASK = uint64(CORRECTION_SIZE - 1)
_EVAL_LIMIT = 15000  # a corrected evaluation stays clear of mate scores


@inlined
def to_64(square: int) -> int:
    """Return the 0..63 index of a 0x88 square."""
    return (square + (square & 7)) >> 1


@inlined
def butterfly(move: int) -> int:
    """Return the index of a move by its squares: from * 64 + to."""
    return uint64((to_64(move & 0x7F) << 6) | to_64((move >> 7) & 0x7F))


@inlined
def row_of(board: Board, move: int) -> int:
    """Return the row of a move that has not been made yet."""
    return (int64(board.squares[uint64(move & 0x7F)]) << 6) | to_64((move >> 7) & 0x7F)


@inlined
def capture_index(board: Board, move: int) -> int:
    """Return the index of a capture or promotion: moving piece, target, kind of the victim (0 none)."""
    victim = int64(board.squares[uint64((move >> 7) & 0x7F)]) & 7
    return uint64((row_of(board, move) << 3) | victim)


@inlined
def gravity(entry: int, bonus: int, limit: int) -> int:
    """Return the table entry after a bonus (or malus); it never leaves -limit..limit."""
    return entry + bonus - entry * abs(bonus) // limit


@inlined
def history_bonus(depth: int) -> int:
    """Return the bonus of a move that was best at `depth`."""
    return min(HISTORY_BONUS_FACTOR * depth - HISTORY_BONUS_BASE, HISTORY_BONUS_LIMIT)


@inlined
def continuation_score(state: SearchState, ply: int, row: int) -> int:
    """Return what the moves 1, 2 and 4 plies ago say of the move of `row`, which would be made at `ply`."""
    stack = state.stack
    index = uint64(row)
    return (
        int64(state.continuation[uint64(stack[ply + (LEAD - 1)].row), index])
        + int64(state.continuation[uint64(stack[ply + (LEAD - 2)].row), index])
        + int64(state.continuation[uint64(stack[ply + (LEAD - 4)].row), index])
    )


@inlined
def quiet_history(board: Board, state: SearchState, ply: int, move: int) -> int:
    """Return main plus continuation history of a quiet move (within 4 times HISTORY_LIMIT)."""
    main = int64(state.history[uint64(board.side), butterfly(move)])
    return main + continuation_score(state, ply, row_of(board, move))


@inlined
def capture_history(board: Board, state: SearchState, move: int) -> int:
    """Return the history of a capture or promotion."""
    return int64(state.capture_history[capture_index(board, move)])


@inlined
def _reward_continuation(state: SearchState, ply: int, back: int, row: int, bonus: int) -> None:
    previous = uint64(state.stack[ply + LEAD - back].row)
    index = uint64(row)
    state.continuation[previous, index] = gravity(int64(state.continuation[previous, index]), bonus, HISTORY_LIMIT)


@kernel
def reward_continuations(state: SearchState, ply: int, row: int, bonus: int) -> None:
    """Add `bonus` to the move of `row` at `ply` as the answer to the moves 1, 2 and 4 plies earlier."""
    _reward_continuation(state, ply, 1, row, bonus)
    _reward_continuation(state, ply, 2, row, bonus)
    _reward_continuation(state, ply, 4, row, bonus)


@kernel
def reward_quiet(board: Board, state: SearchState, ply: int, move: int, bonus: int) -> None:
    """Add `bonus` (negative: a malus) to a quiet move that may be made now at `ply`."""
    side, index = uint64(board.side), butterfly(move)
    state.history[side, index] = gravity(int64(state.history[side, index]), bonus, HISTORY_LIMIT)
    reward_continuations(state, ply, row_of(board, move), bonus)


@kernel
def reward_capture(board: Board, state: SearchState, move: int, bonus: int) -> None:
    """Add `bonus` to a capture or promotion that may be made now."""
    index = capture_index(board, move)
    state.capture_history[index] = gravity(int64(state.capture_history[index]), bonus, HISTORY_LIMIT)


@kernel
def reward_cut(board: Board, state: SearchState, ply: int, move: int, is_tactical: bool, depth: int) -> None:
    """Learn from a beta cut-off at `ply`: `move` gains, the moves tried before it lose."""
    node = state.stack[uint64(ply + LEAD)]
    bonus = history_bonus(depth)
    if is_tactical:
        reward_capture(board, state, move, bonus)
    else:
        if node.killer_1 != move:
            node.killer_2 = node.killer_1
            node.killer_1 = move
        state.counter_moves[uint64(state.stack[ply + LEAD - 1].row)] = move
        if depth > 2 or node.quiet_count > 0:  # an easy cut by the first quiet move teaches little
            reward_quiet(board, state, ply, move, bonus)
        for i in range(node.quiet_count):
            reward_quiet(board, state, ply, int64(node.quiets_tried[i]), -bonus)
    for i in range(node.capture_count):
        reward_capture(board, state, int64(node.captures_tried[i]), -bonus)


@inlined
def remember_tried(node: SearchNode, move: int, is_tactical: bool) -> None:
    """Note a move that was searched and did not cut."""
    if is_tactical:
        if node.capture_count < MAX_TRIED:
            node.captures_tried[node.capture_count] = move
            node.capture_count += 1
    elif node.quiet_count < MAX_TRIED:
        node.quiets_tried[node.quiet_count] = move
        node.quiet_count += 1


@inlined
def _pawn_index(board: Board) -> int:
    return uint64(board.pawn_key & _CORRECTION_MASK)


@inlined
def _non_pawn_index(board: Board, color: int) -> int:
    return uint64(board.non_pawn_key[color] & _CORRECTION_MASK)


@inlined
def _continuation_index(state: SearchState, ply: int) -> int:
    """Return the index of the last two moves; some pairs share one, which costs less than a table of all would."""
    before, last = state.stack[uint64(ply + (LEAD - 2))].row, state.stack[uint64(ply + (LEAD - 1))].row
    return uint64(((before << 4) ^ last) & (CORRECTION_SIZE - 1))


@kernel
def corrected(board: Board, state: SearchState, ply: int, raw_eval: int) -> int:
    """Return the static evaluation moved by what searches of like positions found (within +-150 centipawns or so)."""
    side = uint64(board.side)
    two = uint64(2)
    one = uint64(1)
    total = CORRECTION_PAWN_FACTOR * int64(state.pawn_correction[side, _pawn_index(board)])
    white = int64(state.non_pawn_correction[side * two, _non_pawn_index(board, 0)])
    black = int64(state.non_pawn_correction[side * two + one, _non_pawn_index(board, 1)])
    total += CORRECTION_NON_PAWN_FACTOR * (white + black)
    total += CORRECTION_CONTINUATION_FACTOR * int64(state.continuation_correction[_continuation_index(state, ply)])
    return max(-_EVAL_LIMIT, min(_EVAL_LIMIT, raw_eval + (total >> CORRECTION_SHIFT)))


@kernel
def learn_correction(board: Board, state: SearchState, ply: int, depth: int, error: int) -> None:
    """Move the corrections of this position towards `error`: score found minus static evaluation, centipawns."""
    bonus = max(-CORRECTION_BONUS_LIMIT, min(CORRECTION_BONUS_LIMIT, 2 * error * depth))
    side = uint64(board.side)
    two = uint64(2)
    one = uint64(1)
    index = _pawn_index(board)
    table = state.pawn_correction
    table[side, index] = gravity(int64(table[side, index]), bonus, CORRECTION_LIMIT)
    table = state.non_pawn_correction
    index = _non_pawn_index(board, 0)
    table[side * two, index] = gravity(int64(table[side * two, index]), bonus, CORRECTION_LIMIT)
    index = _non_pawn_index(board, 1)
    table[side * two + one, index] = gravity(int64(table[side * two + one, index]), bonus, CORRECTION_LIMIT)
    table = state.continuation_correction
    index = _continuation_index(state, ply)
    table[index] = gravity(int64(table[index]), bonus, CORRECTION_LIMIT)
