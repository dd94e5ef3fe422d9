"""History tables: statistics of moves from earlier nodes, and corrections of the static evaluation.

- History heuristic (Schaeffer 1983) and continuation history: chessprogramming wiki, "History Heuristic".
- Correction history: the mean error of the static evaluation in positions that share a feature (pawn structure, pieces
  of one side, last two moves) corrects it: chessprogramming wiki, "Static Evaluation Correction History".

The axes of all tables are listed in search_state.py. Every update uses "history gravity": the nearer an entry is to the
limit of its table, the less a bonus of the same sign moves it.
"""

import numpy as np
from numpy.typing import NDArray

from engine88.board.defs import KING, NO_MOVE, PAWN
from engine88.board.move_list import MoveList
from engine88.board.moves import from_square, is_tactical, to_square
from engine88.board.record import Board
from engine88.board.squares import to_64, type_of
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.intrinsics import prefetch
from engine88.compiler.jit import Unsigned, inlined, int64, jitable, kernel, uint64
from engine88.search.params import (
    CORRECTION_BONUS_FACTOR,
    CORRECTION_BONUS_LIMIT,
    CORRECTION_CONTINUATION_FACTOR,
    CORRECTION_LIMIT,
    CORRECTION_NON_PAWN_FACTOR,
    CORRECTION_PAWN_FACTOR,
    CORRECTION_SHIFT,
    HISTORY_BONUS_BASE,
    HISTORY_BONUS_FACTOR,
    HISTORY_BONUS_LIMIT,
    HISTORY_FAIL_LOW_FACTOR,
    HISTORY_FIRST_MOVE_THRESHOLD,
    HISTORY_FOUR_PLIES_FACTOR,
    HISTORY_LIMIT,
)
from engine88.search.search_state import (
    CORRECTION_ENTRIES,
    MAX_SEARCHED,
    PIECE_TO_SIZE,
    SearchNode,
    SearchState,
    node_at,
)

_CORRECTION_MASK = uint64(CORRECTION_ENTRIES - 1)
EVAL_LIMIT = 15000
"""A corrected evaluation stays within +-EVAL_LIMIT, clear of mate scores."""
_SQUARES = 64
_PIECE_TYPES = 8


@inlined
def butterfly_index(move: int) -> int:
    """Return the index of a move in `history`: from square * 64 + to square, both 0..63."""
    return uint64(to_64(from_square(move)) * _SQUARES + to_64(to_square(move)))


@inlined
def piece_to_index(board: Board, move: int) -> int:
    """Return the piece-to index of a move that has not been made yet: piece code * 64 + target square 0..63."""
    return int64(board.squares[uint64(from_square(move))]) * _SQUARES + to_64(to_square(move))


@inlined
def capture_index(board: Board, move: int) -> int:
    """Return the index of a capture or promotion in `capture_history`: piece-to * 8 + type of the captured piece."""
    victim = type_of(int64(board.squares[uint64(to_square(move))]))
    return uint64(piece_to_index(board, move) * _PIECE_TYPES + victim)


@inlined
def history_gravity(entry: int, bonus: int, limit: int) -> int:
    """Return the entry after a bonus (negative: malus); within -limit..limit it stays there if |bonus| <= limit."""
    if DEBUG:
        assert abs(entry) <= limit, "a history entry beyond its limit"
        assert abs(bonus) <= limit, "a history bonus beyond the limit of its table"
    return entry + bonus - entry * abs(bonus) // limit


@inlined
def history_bonus(depth: int) -> int:
    """Return the history bonus of a move that caused a cut-off at `depth`."""
    return min(HISTORY_BONUS_FACTOR * depth - HISTORY_BONUS_BASE, HISTORY_BONUS_LIMIT)


@inlined
def _quiet_score(state: SearchState, side: int, one: int, two: int, four: int, move: int, row: int) -> int:
    """Return main plus continuation history of a quiet move of `side` (within 4 times HISTORY_LIMIT).

    `row` is its piece-to index; `one`, `two` and `four` are those of the moves so many plies before. The oldest weighs
    less.
    """
    table, index = state.continuation_history, uint64(row)
    main = int64(state.history[uint64(side), butterfly_index(move)])
    newer = int64(table[uint64(one), index]) + int64(table[uint64(two), index])
    return main + newer + (HISTORY_FOUR_PLIES_FACTOR * int64(table[uint64(four), index]) >> 6)


@inlined
def _piece_to(state: SearchState, ply: int) -> int:
    return int64(node_at(state, ply).piece_to)


@inlined
def quiet_history(board: Board, state: SearchState, ply: int, move: int) -> int:
    """Return main plus continuation history of a quiet move (within 4 times HISTORY_LIMIT)."""
    one, two, four = _piece_to(state, ply - 1), _piece_to(state, ply - 2), _piece_to(state, ply - 4)
    return _quiet_score(state, int64(board.side), one, two, four, move, piece_to_index(board, move))


@inlined
def score_by_history(board: Board, lists: MoveList, state: SearchState, ply: int, start: int, end: int) -> None:
    """Score the quiet moves start..end of the list by `quiet_history`.

    What they share is read before the loop: the compiler does not know that the scores lie elsewhere.
    """
    side = int64(board.side)
    one, two, four = _piece_to(state, ply - 1), _piece_to(state, ply - 2), _piece_to(state, ply - 4)
    for i in range(uint64(start), uint64(end)):
        move = int64(lists.moves[i])
        lists.scores[i] = _quiet_score(state, side, one, two, four, move, piece_to_index(board, move))


@inlined
def capture_history(board: Board, state: SearchState, move: int) -> int:
    """Return the history of a capture or promotion."""
    return int64(state.capture_history[capture_index(board, move)])


@inlined
def _update_main_history(state: SearchState, color: int, move: int, bonus: int) -> None:
    side, index = uint64(color), butterfly_index(move)
    state.history[side, index] = history_gravity(int64(state.history[side, index]), bonus, HISTORY_LIMIT)


@inlined
def _update_continuation_history(state: SearchState, ply: int, back: int, row: int, bonus: int) -> None:
    previous = uint64(node_at(state, ply - back).piece_to)
    index = uint64(row)
    state.continuation_history[previous, index] = history_gravity(
        int64(state.continuation_history[previous, index]), bonus, HISTORY_LIMIT
    )


@kernel
def update_continuation_histories(state: SearchState, ply: int, row: int, bonus: int) -> None:
    """Add `bonus` to the continuation histories of a move at `ply` after the moves 1, 2 and 4 plies earlier.

    `row` is the piece-to index of the move.
    """
    _update_continuation_history(state, ply, 1, row, bonus)
    _update_continuation_history(state, ply, 2, row, bonus)
    _update_continuation_history(state, ply, 4, row, bonus)


@kernel
def update_quiet_history(board: Board, state: SearchState, ply: int, move: int, bonus: int) -> None:
    """Add `bonus` (negative: a malus) to a quiet move that may be made now at `ply`."""
    if DEBUG:
        assert not is_tactical(move), "a capture in the history of quiet moves"
    _update_main_history(state, int64(board.side), move, bonus)
    update_continuation_histories(state, ply, piece_to_index(board, move), bonus)


@kernel
def update_capture_history(board: Board, state: SearchState, move: int, bonus: int) -> None:
    """Add `bonus` to a capture or promotion that may be made now."""
    if DEBUG:
        assert is_tactical(move), "a quiet move in the history of captures"
    index = capture_index(board, move)
    state.capture_history[index] = history_gravity(int64(state.capture_history[index]), bonus, HISTORY_LIMIT)


@kernel
def update_histories(board: Board, state: SearchState, ply: int, move: int, tactical: bool, depth: int) -> None:
    """Update all histories after a beta cut-off at `ply`: a bonus for `move`, a malus for those searched before it.

    The lists still hold the moves that a singular search at `ply` refuted, so those get a malus again.
    """
    node = node_at(state, ply)
    bonus = history_bonus(depth)
    if tactical:
        update_capture_history(board, state, move, bonus)
    else:
        # A shallow cut-off by the first quiet move says little: the move was first because it is known to be good.
        if depth > HISTORY_FIRST_MOVE_THRESHOLD or node.quiet_count > 0:
            update_quiet_history(board, state, ply, move, bonus)
        for i in range(node.quiet_count):
            update_quiet_history(board, state, ply, int64(node.quiets_searched[i]), -bonus)
    for i in range(node.capture_count):
        update_capture_history(board, state, int64(node.captures_searched[i]), -bonus)


@kernel
def reward_move_before(board: Board, state: SearchState, ply: int, depth: int) -> None:
    """Add part of a bonus to the opponent's last move, if it is quiet: no answer at `ply` beats alpha."""
    before = node_at(state, ply - 1)
    move = int64(before.current_move)
    if move == NO_MOVE or is_tactical(move):
        return
    bonus = history_bonus(depth) * HISTORY_FAIL_LOW_FACTOR // 64
    _update_main_history(state, 1 - int64(board.side), move, bonus)
    update_continuation_histories(state, ply - 1, int64(before.piece_to), bonus)


@inlined
def add_searched_move(node: SearchNode, move: int, tactical: bool) -> None:
    """Append a move that was searched without a cut-off to the node's list of quiets or captures."""
    if DEBUG:
        assert 0 <= node.quiet_count <= MAX_SEARCHED, "the list of searched quiet moves overflows"
        assert 0 <= node.capture_count <= MAX_SEARCHED, "the list of searched captures overflows"
    if tactical:
        if node.capture_count < MAX_SEARCHED:
            node.captures_searched[node.capture_count] = move
            node.capture_count += 1
    elif node.quiet_count < MAX_SEARCHED:
        node.quiets_searched[node.quiet_count] = move
        node.quiet_count += 1


@inlined
def _correction_index(table: int, key: Unsigned) -> int:
    return uint64(table * CORRECTION_ENTRIES) + (key & _CORRECTION_MASK)


@inlined
def correction_indices(board: Board, state: SearchState, ply: int) -> tuple[int, int, int, int]:
    """Return the indices of the position at `ply` in `corrections`: pawns, White's pieces, Black's, last two moves.

    The first three depend on the side to move, which the last two moves imply. Different keys may share an entry.
    """
    side = int64(board.side)
    before, last = node_at(state, ply - 2).piece_to, node_at(state, ply - 1).piece_to
    if DEBUG:
        assert 0 <= before < PIECE_TO_SIZE, "a piece-to index beyond its table"
        assert 0 <= last < PIECE_TO_SIZE, "a piece-to index beyond its table"
    return (
        _correction_index(side, board.pawn_key),
        _correction_index(2 + side, board.non_pawn_key[0]),
        _correction_index(4 + side, board.non_pawn_key[1]),
        _correction_index(int64(6), uint64((before << 4) ^ last)),
    )


@inlined
def prefetch_corrections(board: Board, state: SearchState, ply: int) -> None:
    """Ask for the corrections of the position at `ply`, so that they are near once the table has been read."""
    for index in correction_indices(board, state, ply):
        _prefetch_entry(state.corrections, index)


@jitable
def _prefetch_entry(table: NDArray[np.int16], index: int) -> None:
    prefetch(uint64(table.ctypes.data) + index * uint64(table.itemsize))


@inlined
def prefetch_continuations(board: Board, state: SearchState, ply: int) -> None:
    """Prefetch all continuation histories that moves at `ply` may have, before the moves are scored.

    Those of a piece fill two lines of the cache.
    """
    first_piece = int64(board.side) << 3
    for back in (1, 2, 4):
        before = int64(node_at(state, ply - back).piece_to) * PIECE_TO_SIZE
        for piece_type in range(PAWN, KING + 1):
            index = uint64(before + (first_piece | piece_type) * _SQUARES)
            _prefetch_entry(state.continuation_history, index)
            _prefetch_entry(state.continuation_history, index + uint64(_SQUARES // 2))


@inlined
def corrected_eval(board: Board, state: SearchState, ply: int, raw_eval: int) -> int:
    """Return the static evaluation plus the corrections of its features, centipawns (about +-150 at most)."""
    table = state.corrections
    pawns, white, black, moves = correction_indices(board, state, ply)
    total = CORRECTION_PAWN_FACTOR * int64(table[pawns])
    total += CORRECTION_NON_PAWN_FACTOR * (int64(table[white]) + int64(table[black]))
    total += CORRECTION_CONTINUATION_FACTOR * int64(table[moves])
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, raw_eval + (total >> CORRECTION_SHIFT)))


@kernel
def update_corrections(board: Board, state: SearchState, ply: int, depth: int, error: int) -> None:
    """Move the corrections of this position towards `error`: search score minus static evaluation, centipawns."""
    bonus = max(-CORRECTION_BONUS_LIMIT, min(CORRECTION_BONUS_LIMIT, CORRECTION_BONUS_FACTOR * error * depth))
    table = state.corrections
    for index in correction_indices(board, state, ply):
        table[index] = history_gravity(int64(table[index]), bonus, CORRECTION_LIMIT)
