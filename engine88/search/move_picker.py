"""The staged move picker: moves are generated when a stage is reached and sorted only as far as they are asked for.

    next_move      main search: table move, good captures, quiets, bad captures, bad quiets
    next_capture   quiescence and probcut: table move, captures and promotions
    both in check  table move, evasions

Generated moves are pseudo-legal and tested for legality right before they are searched. Source: chessprogramming wiki,
"Move Ordering", "Move Generation" (staged).
"""

from engine88.board.defs import NO_MOVE
from engine88.board.move_list import MoveList
from engine88.board.moves import is_tactical
from engine88.board.record import Board
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.rules.invariants import assert_generated
from engine88.rules.legality import is_legal
from engine88.rules.movegen import generate_captures, generate_quiets, is_legal_generated
from engine88.rules.movegen_evasions import generate_evasions
from engine88.rules.see import see_ge
from engine88.search.history import prefetch_quiet_histories
from engine88.search.move_scores import NEVER, pick_best, score_captures, score_evasions, score_quiets
from engine88.search.node import prefetch_child
from engine88.search.params import ORDER_BAD_QUIET, ORDER_GOOD_CAPTURE_MARGIN
from engine88.search.search_state import SearchNode, SearchState, node_at

STAGE_TT_MOVE = 0
STAGE_CAPTURES = 1
STAGE_GOOD_CAPTURES = 2
STAGE_QUIETS = 3
STAGE_EACH_QUIET = 4
STAGE_BAD_CAPTURES = 5
STAGE_BAD_QUIETS = 6
STAGE_EVASION_TT_MOVE = 10
STAGE_EVASIONS = 11
STAGE_EACH_EVASION = 12
STAGE_QS_TT_MOVE = 20
STAGE_QS_CAPTURES = 21
STAGE_EACH_CAPTURE = 22
STAGE_END = 30


@inlined
def init_picker(state: SearchState, ply: int, tt_move: int, stage: int) -> None:
    """Start the picker of `ply` with a table move at a stage, in check with evasions; forget the moves searched before.

    Its moves lie behind the parent's in the move list.
    """
    node = node_at(state, ply)
    if node.in_check:
        stage = int64(STAGE_EVASION_TT_MOVE)
    node.move_count = 0
    node.quiet_count = 0
    node.capture_count = 0
    if tt_move == node.excluded_move:
        tt_move = int64(NO_MOVE)
    node.picker_stage = stage
    node.picker_tt_move = tt_move
    node.picker_start = node_at(state, ply - 1).picker_end
    node.picker_index = node.picker_start
    node.picker_end = node.picker_start
    node.picker_bad_end = node.picker_start
    node.skip_quiets = 0
    if tt_move == NO_MOVE:
        node.picker_stage = stage + 1
    if DEBUG:
        assert tt_move == NO_MOVE or stage != STAGE_QS_TT_MOVE or is_tactical(tt_move), "a quiet move in quiescence"


@inlined
def _checked(board: Board, node: SearchNode, move: int) -> int:
    """Return the move that is searched next; under ENGINE88_DEBUG=1 it is checked."""
    if DEBUG:
        assert is_legal(board, move), "the picker returns an illegal move"
        assert move != node.excluded_move, "the picker returns the excluded move"
        assert node.picker_start <= node.picker_bad_end, "the losing captures begin before the list"
        assert node.picker_index <= node.picker_end, "the picker reads beyond its moves"
    return move


@inlined
def _pick_tt_move(board: Board, node: SearchNode) -> int:
    """Return the table move, whose bucket `probe_tt` has prefetched, and advance to the next stage."""
    node.picker_stage += 1
    return _checked(board, node, int64(node.picker_tt_move))


@inlined
def _take(board: Board, lists: MoveList, state: SearchState, node: SearchNode) -> int:
    """Return the next move of the list, and prefetch its table bucket, while the move is tested for legality."""
    move = int64(lists.moves[uint64(node.picker_index)])
    node.picker_index += 1
    prefetch_child(board, state, move)
    return move


@inlined
def _take_best(board: Board, lists: MoveList, state: SearchState, node: SearchNode) -> int:
    """Return the best of the moves that are left, likewise."""
    pick_best(lists, node.picker_index, node.picker_end)
    return _take(board, lists, state, node)


@kernel
def _next_good_capture(board: Board, lists: MoveList, state: SearchState, node: SearchNode) -> int:
    """Return the next capture that does not lose material; losing ones are kept at the front for the last stage."""
    while node.picker_index < node.picker_end:
        score = int64(lists.scores[uint64(node.picker_index)])
        move = _take(board, lists, state, node)
        if move == node.picker_tt_move or not is_legal_generated(board, move):
            continue
        if see_ge(board, move, -score // ORDER_GOOD_CAPTURE_MARGIN):
            return move
        lists.moves[uint64(node.picker_bad_end)] = move
        node.picker_bad_end += 1
    return int64(0)


@kernel
def _next_quiet(board: Board, lists: MoveList, state: SearchState, node: SearchNode, least: int) -> int:
    """Return the best quiet move that is left, 0 if its score is below `least` or none is left."""
    while node.picker_index < node.picker_end:
        pick_best(lists, node.picker_index, node.picker_end)
        if int64(lists.scores[uint64(node.picker_index)]) < least:
            break
        move = _take(board, lists, state, node)
        if move != node.picker_tt_move and is_legal_generated(board, move):
            return move
    return int64(0)


@inlined
def _generate_captures(board: Board, lists: MoveList, state: SearchState, node: SearchNode) -> int:
    """Generate and score the captures and promotions; return their end in the move list."""
    end = generate_captures(board, lists, node.picker_start)
    if DEBUG:
        assert_generated(board, lists, node.picker_start, end, True)
    score_captures(board, lists, state, node.picker_start, end)
    return end


@inlined
def _generate(board: Board, lists: MoveList, state: SearchState, node: SearchNode, ply: int) -> None:
    """Generate and score captures or quiets, and advance to the stage that returns them."""
    if node.picker_stage == STAGE_CAPTURES:
        node.picker_end = _generate_captures(board, lists, state, node)
    else:
        prefetch_quiet_histories(board, state, ply)
        node.picker_index = node.picker_bad_end
        node.picker_end = generate_quiets(board, lists, node.picker_bad_end)
        if DEBUG:
            assert_generated(board, lists, node.picker_index, node.picker_end, False)
        score_quiets(board, lists, state, ply, node.picker_index, node.picker_end)
    node.picker_stage += 1


@inlined
def _next_bad_capture(board: Board, lists: MoveList, state: SearchState, node: SearchNode) -> int:
    if node.picker_index < node.picker_bad_end:
        return _take(board, lists, state, node)
    node.picker_stage = STAGE_BAD_QUIETS
    node.picker_index = node.picker_quiets
    return int64(0)


@kernel
def _next_evasion(board: Board, lists: MoveList, state: SearchState, ply: int) -> int:
    """Return the next legal evasion to search at `ply`, 0 when none is left."""
    node = node_at(state, ply)
    if node.picker_stage == STAGE_EVASION_TT_MOVE:
        return _pick_tt_move(board, node)
    if node.picker_stage == STAGE_EVASIONS:
        node.picker_end = generate_evasions(board, lists, node.picker_start)
        score_evasions(board, lists, state, ply, node.picker_start, node.picker_end)
        node.picker_stage = STAGE_EACH_EVASION
    while node.picker_index < node.picker_end:
        move = _take_best(board, lists, state, node)
        if move not in (node.picker_tt_move, node.excluded_move) and is_legal_generated(board, move):
            return _checked(board, node, move)
    return int64(0)


@kernel
def next_move(board: Board, lists: MoveList, state: SearchState, ply: int) -> int:
    """Return the next legal move to search at `ply`, 0 when none is left; its table bucket is prefetched."""
    node = node_at(state, ply)
    if node.in_check:
        return _next_evasion(board, lists, state, ply)
    while True:
        stage = node.picker_stage
        move = int64(0)
        if stage == STAGE_END:
            return move
        if stage == STAGE_TT_MOVE:
            return _pick_tt_move(board, node)
        if stage in (STAGE_CAPTURES, STAGE_QUIETS):
            _generate(board, lists, state, node, ply)
            continue
        if stage == STAGE_GOOD_CAPTURES:
            move = _next_good_capture(board, lists, state, node)
            if move == 0:
                node.picker_stage = STAGE_BAD_CAPTURES if node.skip_quiets else STAGE_QUIETS
                node.picker_index = node.picker_start
        elif stage == STAGE_EACH_QUIET:
            if not node.skip_quiets:
                move = _next_quiet(board, lists, state, node, int64(ORDER_BAD_QUIET))
            if move == 0:
                node.picker_stage = STAGE_BAD_CAPTURES
                node.picker_quiets = node.picker_index
                node.picker_index = node.picker_start
        elif stage == STAGE_BAD_CAPTURES:
            move = _next_bad_capture(board, lists, state, node)
        else:
            if not node.skip_quiets:
                move = _next_quiet(board, lists, state, node, int64(NEVER))
            if move == 0:
                node.picker_stage = STAGE_END
        if move not in (NO_MOVE, node.excluded_move):
            return _checked(board, node, move)


@kernel
def next_capture(board: Board, lists: MoveList, state: SearchState, ply: int) -> int:
    """Return the next legal capture or promotion (evasion in check) to search at `ply`, 0 when none is left.

    Most nodes are quiescence nodes; a picker of their own is faster than more branches in `next_move`.
    """
    node = node_at(state, ply)
    if node.in_check:
        return _next_evasion(board, lists, state, ply)
    if node.picker_stage == STAGE_QS_TT_MOVE:
        return _pick_tt_move(board, node)
    if node.picker_stage == STAGE_QS_CAPTURES:
        node.picker_end = _generate_captures(board, lists, state, node)
        node.picker_stage = STAGE_EACH_CAPTURE
    while node.picker_index < node.picker_end:
        move = _take(board, lists, state, node)
        if move not in (node.picker_tt_move, node.excluded_move) and is_legal_generated(board, move):
            return _checked(board, node, move)
    return int64(0)
