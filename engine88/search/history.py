"""History tables: statistics of moves from earlier nodes, and corrections of the static evaluation.

What a node adds to them is in learning.py.

- History heuristic (Schaeffer 1983) and continuation history: chessprogramming wiki, "History Heuristic".
- Correction history: the mean error of the static evaluation in positions that share a feature (pawn structure, pieces
  of one side, last two moves) corrects it: chessprogramming wiki, "Static Evaluation Correction History".

The axes of all tables are listed in search_state.py. Every update uses "history gravity": the nearer an entry is to the
limit of its table, the less a bonus of the same sign moves it.
"""

import numpy as np
from numpy.typing import NDArray

from engine88.board.defs import KING, PAWN
from engine88.board.move_list import MoveList
from engine88.board.moves import from_square, is_tactical, to_square
from engine88.board.record import Board
from engine88.board.squares import to_64, type_of
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.intrinsics import prefetch
from engine88.compiler.jit import Unsigned, inlined, int64, jitable, kernel, uint64
from engine88.search.params import (
    CAPTURE_HISTORY_LIMIT,
    CONTINUATION_HISTORY_LIMIT,
    CORRECTION_BONUS_FACTOR,
    CORRECTION_BONUS_LIMIT,
    CORRECTION_CONTINUATION_FACTOR,
    CORRECTION_LIMIT,
    CORRECTION_NON_PAWN_FACTOR,
    CORRECTION_PAWN_FACTOR,
    CORRECTION_SHIFT,
    HISTORY_FOUR_PLIES_FACTOR,
    HISTORY_LIMIT,
    HISTORY_ONE_PLY_FACTOR,
    HISTORY_PAWN_FACTOR,
    HISTORY_SIX_PLIES_FACTOR,
    HISTORY_THREE_PLIES_FACTOR,
    HISTORY_TWO_PLIES_FACTOR,
    ORDER_PAWN_HISTORY_FACTOR,
    PAWN_HISTORY_LIMIT,
)
from engine88.search.search_state import (
    CORRECTION_ENTRIES,
    MAX_SEARCHED,
    PAWN_STRUCTURES,
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
def _pawn_structure(board: Board) -> int:
    return uint64(board.pawn_key & uint64(PAWN_STRUCTURES - 1))


@inlined
def history_gravity(entry: int, bonus: int, limit: int) -> int:
    """Return the entry after a bonus (negative: malus); within -limit..limit it stays there if |bonus| <= limit."""
    if DEBUG:
        assert abs(entry) <= limit, "a history entry beyond its limit"
        assert abs(bonus) <= limit, "a history bonus beyond the limit of its table"
    return entry + bonus - entry * abs(bonus) // limit


@inlined
def _continuation_entry(state: SearchState, ply: int, back: int, row: int) -> int:
    return int64(state.continuation_history[uint64(node_at(state, ply - back).piece_to), uint64(row)])


@inlined
def continuation_pair(state: SearchState, ply: int, row: int) -> int:
    """Return the sum of the continuation histories of a move at `ply` after the last two moves.

    `row` is the piece-to index of the move.
    """
    return _continuation_entry(state, ply, 1, row) + _continuation_entry(state, ply, 2, row)


@inlined
def quiet_history(board: Board, state: SearchState, ply: int, move: int) -> int:
    """Return twice the main history of a quiet move, and its continuation histories after the last two moves."""
    main = int64(state.history[uint64(board.side), butterfly_index(move)])
    return 2 * main + continuation_pair(state, ply, piece_to_index(board, move))


@inlined
def pawn_history(board: Board, state: SearchState, row: int) -> int:
    """Return the history of a quiet move in this pawn structure; `row` is the piece-to index of the move."""
    return int64(state.pawn_history[_pawn_structure(board), uint64(row)])


@inlined
def score_by_history(board: Board, lists: MoveList, state: SearchState, ply: int, start: int, end: int) -> None:
    """Score the quiet moves start..end of the list by the sum of all their histories.

    What the moves share is read before the loop: the compiler does not know that the scores lie elsewhere.
    """
    main, table, pawns = state.history[uint64(board.side)], state.continuation_history, state.pawn_history
    structure = _pawn_structure(board)
    one, two = uint64(node_at(state, ply - 1).piece_to), uint64(node_at(state, ply - 2).piece_to)
    three, four = uint64(node_at(state, ply - 3).piece_to), uint64(node_at(state, ply - 4).piece_to)
    six = uint64(node_at(state, ply - 6).piece_to)
    for i in range(uint64(start), uint64(end)):
        move = int64(lists.moves[i])
        row = uint64(piece_to_index(board, move))
        score = 2 * int64(main[butterfly_index(move)]) + ORDER_PAWN_HISTORY_FACTOR * int64(pawns[structure, row])
        score += int64(table[one, row]) + int64(table[two, row])
        score += int64(table[three, row]) + int64(table[four, row]) + int64(table[six, row])
        lists.scores[i] = score


@inlined
def capture_history(board: Board, state: SearchState, move: int) -> int:
    """Return the history of a capture or promotion."""
    return int64(state.capture_history[capture_index(board, move)])


@inlined
def _bounded(bonus: int, limit: int) -> int:
    return max(-limit, min(limit, bonus))


@inlined
def update_main_history(state: SearchState, color: int, move: int, bonus: int) -> None:
    """Add `bonus` to the main history of a quiet move of `color`."""
    side, index = uint64(color), butterfly_index(move)
    bounded = _bounded(bonus, HISTORY_LIMIT)
    state.history[side, index] = history_gravity(int64(state.history[side, index]), bounded, HISTORY_LIMIT)


@inlined
def _update_continuation_history(state: SearchState, ply: int, back: int, row: int, bonus: int) -> None:
    previous = uint64(node_at(state, ply - back).piece_to)
    index = uint64(row)
    bounded = _bounded(bonus, CONTINUATION_HISTORY_LIMIT)
    state.continuation_history[previous, index] = history_gravity(
        int64(state.continuation_history[previous, index]), bounded, CONTINUATION_HISTORY_LIMIT
    )


@kernel
def update_continuation_histories(state: SearchState, ply: int, row: int, bonus: int) -> None:
    """Add shares of `bonus` to the continuation histories of a move at `ply`; in check only to the last two.

    `row` is the piece-to index of the move.
    """
    _update_continuation_history(state, ply, 1, row, bonus * HISTORY_ONE_PLY_FACTOR // 1024)
    _update_continuation_history(state, ply, 2, row, bonus * HISTORY_TWO_PLIES_FACTOR // 1024)
    if node_at(state, ply).in_check:
        return
    _update_continuation_history(state, ply, 3, row, bonus * HISTORY_THREE_PLIES_FACTOR // 1024)
    _update_continuation_history(state, ply, 4, row, bonus * HISTORY_FOUR_PLIES_FACTOR // 1024)
    _update_continuation_history(state, ply, 6, row, bonus * HISTORY_SIX_PLIES_FACTOR // 1024)


@inlined
def update_pawn_history(board: Board, state: SearchState, row: int, bonus: int) -> None:
    """Add `bonus` to the history of a quiet move in this pawn structure; `row` is the piece-to index of the move."""
    structure, index = _pawn_structure(board), uint64(row)
    bounded = _bounded(bonus, PAWN_HISTORY_LIMIT)
    state.pawn_history[structure, index] = history_gravity(
        int64(state.pawn_history[structure, index]), bounded, PAWN_HISTORY_LIMIT
    )


@kernel
def update_quiet_history(board: Board, state: SearchState, ply: int, move: int, bonus: int) -> None:
    """Add `bonus` (negative: a malus) to a quiet move that may be made now at `ply`."""
    if DEBUG:
        assert not is_tactical(move), "a capture in the history of quiet moves"
    row = piece_to_index(board, move)
    update_main_history(state, int64(board.side), move, bonus)
    update_continuation_histories(state, ply, row, bonus)
    update_pawn_history(board, state, row, bonus * HISTORY_PAWN_FACTOR // 1024)


@kernel
def update_capture_history(board: Board, state: SearchState, move: int, bonus: int) -> None:
    """Add `bonus` to a capture or promotion that may be made now."""
    if DEBUG:
        assert is_tactical(move), "a quiet move in the history of captures"
    index = capture_index(board, move)
    bounded = _bounded(bonus, CAPTURE_HISTORY_LIMIT)
    state.capture_history[index] = history_gravity(int64(state.capture_history[index]), bounded, CAPTURE_HISTORY_LIMIT)


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


@jitable
def _prefetch_piece(table: NDArray[np.int16], index: int) -> None:
    """Prefetch the entries of one piece on all squares, which fill two lines of the cache."""
    _prefetch_entry(table, index)
    _prefetch_entry(table, index + uint64(_SQUARES // 2))


@inlined
def prefetch_quiet_histories(board: Board, state: SearchState, ply: int) -> None:
    """Prefetch what the quiet moves at `ply` may read of the histories after the last move and by pawn structure.

    The scoring reads it soon. The histories after older moves have been used by the nodes around.
    """
    first_piece = int64(board.side) << 3
    after_last = uint64(node_at(state, ply - 1).piece_to) * uint64(PIECE_TO_SIZE)
    structure = _pawn_structure(board) * uint64(PIECE_TO_SIZE)
    for piece_type in range(PAWN, KING + 1):
        row = uint64((first_piece | piece_type) * _SQUARES)
        _prefetch_piece(state.continuation_history, after_last + row)
        _prefetch_piece(state.pawn_history, structure + row)


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
