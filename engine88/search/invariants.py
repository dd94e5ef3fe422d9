"""Debug assertions about the nodes of a search; compiled only under ENGINE88_DEBUG=1."""

from engine88.board.attacks import in_check
from engine88.board.defs import INFINITE, MATE, MAX_PLY, NO_MOVE
from engine88.board.move_list import CAPACITY
from engine88.board.record import Board
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.jit import Unsigned, assertion, int64, kernel
from engine88.rules.legality import is_legal
from engine88.search.search_state import MAX_ROOT_MOVES, PIECE_TO_SIZE, SearchState, node_at


@assertion
def assert_node(board: Board, state: SearchState, ply: int, alpha: int, beta: int, cut_node: int) -> None:
    """Raise AssertionError unless a node may be searched with this window."""
    assert 0 < ply < MAX_PLY, "a ply beyond the stack"
    assert -INFINITE <= alpha < beta <= INFINITE, "an empty window, or one beyond the scores of a search"
    assert 0 <= cut_node <= 1, "cut_node is neither 0 nor 1"
    assert not cut_node or beta - alpha == 1, "a node of the principal variation is expected to be cut"
    node, parent = node_at(state, ply), node_at(state, ply - 1)
    assert (node.in_check != 0) == in_check(board), "the node does not know whether its side is in check"
    assert node.excluded_move == NO_MOVE or is_legal(board, node.excluded_move), "an illegal move is excluded"
    assert 0 <= parent.picker_end <= CAPACITY, "the parent's moves end beyond the move list"
    assert 0 <= parent.piece_to < PIECE_TO_SIZE, "the parent's move has no piece-to index"
    assert not (parent.current_move == NO_MOVE and node.in_check), "a check by a null move"


@assertion
def assert_score(score: int, ply: int) -> None:
    """Raise AssertionError unless `score` can be the score of a node at `ply`."""
    assert score >= ply - MATE, "a mate that is shorter than the line"
    assert score <= MATE - ply, "a mate that is shorter than the line to it"


@assertion
def assert_result(
    board: Board, state: SearchState, ply: int, best_move: int, best_score: int, old_alpha: int, key: Unsigned
) -> None:
    """Raise AssertionError unless move and score of a searched node agree, and the board is as it was before."""
    assert_score(best_score, ply)
    assert (best_move != NO_MOVE) == (best_score > old_alpha), "a best move without a score above alpha, or without it"
    assert best_move == NO_MOVE or is_legal(board, best_move), "an illegal best move"
    assert board.key == key, "the board is not the one that the node began with"
    assert node_at(state, ply).excluded_move != best_move or best_move == NO_MOVE, "the excluded move is the best one"


@assertion
def assert_reduced(reduced: int, new_depth: int) -> None:
    """Raise AssertionError unless a late move is searched a ply deep at least, and at most two deeper than planned."""
    assert reduced >= 1, "a reduction into quiescence"
    assert reduced <= max(int64(1), new_depth + 2), "an extension by more than two plies"


@assertion
def assert_root(board: Board, state: SearchState, alpha: int, beta: int, depth: int) -> None:
    """Raise AssertionError unless the root may be searched with this window."""
    assert -INFINITE <= alpha < beta <= INFINITE, "an empty window, or one beyond the scores of a search"
    assert 1 <= depth < MAX_PLY, "a depth beyond the stack"
    assert 0 <= state.pv_index < state.root_count <= MAX_ROOT_MOVES, "pv_index is not an index of a root move"
    for i in range(state.root_count):
        assert is_legal(board, int64(state.root_moves[i])), "an illegal root move"


@kernel
def check_node(board: Board, state: SearchState, ply: int, alpha: int, beta: int, cut_node: int) -> None:
    """Call `assert_node` under ENGINE88_DEBUG=1; otherwise compile to nothing."""
    if DEBUG:
        assert_node(board, state, ply, alpha, beta, cut_node)


@kernel
def check_reduced(reduced: int, new_depth: int) -> None:
    """Call `assert_reduced` under ENGINE88_DEBUG=1; otherwise compile to nothing."""
    if DEBUG:
        assert_reduced(reduced, new_depth)


@kernel
def check_result(
    board: Board, state: SearchState, ply: int, best_move: int, best_score: int, old_alpha: int, key: Unsigned
) -> None:
    """Call `assert_result` under ENGINE88_DEBUG=1; otherwise compile to nothing."""
    if DEBUG:
        assert_result(board, state, ply, best_move, best_score, old_alpha, key)
