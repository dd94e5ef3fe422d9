"""The move picker: moves in stages, generated when the stage before did not cut, sorted as far as they are asked for.

    main search   table move, good captures, killers, counter move, quiets, bad captures
    in check      table move, evasions
    quiescence    table move, captures
    probcut       table move, captures that win at least a threshold

Generated moves are pseudo-legal; each is tested when it is about to be searched, not before.
"""

import numpy as np

from engine88.board import Board
from engine88.defs import NO_MOVE, PAWN, QUEEN
from engine88.history import capture_history, quiet_history
from engine88.jit import inlined, int64, kernel, uint64
from engine88.legality import is_legal
from engine88.move_list import MoveList
from engine88.movegen import generate_captures, generate_quiets, is_legal_generated
from engine88.movegen_evasions import generate_evasions
from engine88.moves import PROMOTIONS, is_tactical
from engine88.node import prefetch_child
from engine88.params import ORDER_CAPTURE_FACTOR, ORDER_GOOD_CAPTURE_MARGIN
from engine88.search_state import LEAD, SearchNode, SearchState
from engine88.see import see_ge

STAGE_TT_MOVE = 0
STAGE_CAPTURES = 1
STAGE_GOOD_CAPTURES = 2
STAGE_KILLER_1 = 3
STAGE_KILLER_2 = 4
STAGE_COUNTER_MOVE = 5
STAGE_QUIETS = 6
STAGE_EACH_QUIET = 7
STAGE_BAD_CAPTURES = 8
STAGE_EVASION_TT_MOVE = 10
STAGE_EVASIONS = 11
STAGE_EACH_EVASION = 12
STAGE_QS_TT_MOVE = 20
STAGE_QS_CAPTURES = 21
STAGE_EACH_CAPTURE = 22
STAGE_END = 30

VICTIM_VALUES = np.array([0, 100, 320, 330, 500, 950, 0, 0], dtype=np.int64)
"""Centipawns by piece type, for ordering and quiescence only."""
_EVASION_CAPTURE = 1 << 20
_NEVER = -(1 << 30)


@inlined
def victim_value(board: Board, move: int) -> int:
    """Return what a tactical move takes, plus what a promotion gains."""
    kind = int64(board.squares[uint64((move >> 7) & 0x7F)]) & 7
    value = int64(VICTIM_VALUES[uint64(kind)])
    if move & (1 << 17):
        value += VICTIM_VALUES[PAWN]
    if move & PROMOTIONS:
        value += VICTIM_VALUES[uint64((move >> 14) & 7)] - VICTIM_VALUES[PAWN]
    return value


@inlined
def start_picking(state: SearchState, ply: int, tt_move: int, stage: int) -> None:
    """Set the picker of `ply` to its first stage; its moves follow those of the node above."""
    node = state.stack[ply + LEAD]
    node.stage = stage
    node.tt_move = tt_move
    node.start = state.stack[ply + (LEAD - 1)].end
    node.index = node.start
    node.end = node.start
    node.bad_end = node.start
    node.skip_quiets = 0
    node.counter_move = int64(state.counter_moves[uint64(state.stack[ply + (LEAD - 1)].row)])
    if tt_move == 0:
        node.stage = stage + 1


@kernel
def _score_captures(board: Board, lists: MoveList, state: SearchState, start: int, end: int) -> None:
    """Most valuable victim first, then by history; an under-promotion comes last."""
    for i in range(start, end):
        move = int64(lists.moves[uint64(i)])
        score = ORDER_CAPTURE_FACTOR * victim_value(board, move) + capture_history(board, state, move) // 2
        promotion = (move >> 14) & 7
        if promotion != 0 and promotion != QUEEN:
            score -= ORDER_CAPTURE_FACTOR * VICTIM_VALUES[QUEEN]
        lists.scores[uint64(i)] = score


@kernel
def _score_quiets(board: Board, lists: MoveList, state: SearchState, ply: int, start: int, end: int) -> None:
    for i in range(start, end):
        lists.scores[uint64(i)] = quiet_history(board, state, ply, int64(lists.moves[uint64(i)]))


@kernel
def _score_evasions(board: Board, lists: MoveList, state: SearchState, ply: int, start: int, end: int) -> None:
    for i in range(start, end):
        move = int64(lists.moves[uint64(i)])
        if is_tactical(move):
            lists.scores[uint64(i)] = _EVASION_CAPTURE + victim_value(board, move)
        else:
            lists.scores[uint64(i)] = quiet_history(board, state, ply, move)


@inlined
def _bring_best(lists: MoveList, index: int, end: int) -> int:
    """Swap the best-scored move of index..end to `index` and return it."""
    best_score = int64(_NEVER)
    for i in range(uint64(index), uint64(end)):
        best_score = max(best_score, int64(lists.scores[i]))
    best = uint64(index)
    while int64(lists.scores[best]) != best_score:
        best += uint64(1)
    move = int64(lists.moves[uint64(best)])
    lists.moves[uint64(best)] = lists.moves[uint64(index)]
    lists.scores[uint64(best)] = lists.scores[uint64(index)]
    lists.moves[uint64(index)] = move
    lists.scores[uint64(index)] = best_score
    return move


@inlined
def _was_picked(node: SearchNode, move: int) -> bool:
    refuted = move == node.killer_1 or move == node.killer_2 or move == node.counter_move
    return bool(refuted or move == node.tt_move)


@kernel
def _next_good_capture(board: Board, lists: MoveList, node: SearchNode) -> int:
    """Return the next capture that does not lose material; those that do are kept at the front for later."""
    while node.index < node.end:
        move = _bring_best(lists, node.index, node.end)
        score = int64(lists.scores[uint64(node.index)])
        node.index += 1
        if move == node.tt_move or not is_legal_generated(board, move):
            continue
        if see_ge(board, move, -score // ORDER_GOOD_CAPTURE_MARGIN):
            return move
        lists.moves[uint64(node.bad_end)] = move
        node.bad_end += 1
    return int64(0)


@kernel
def _next_sorted(board: Board, lists: MoveList, node: SearchNode) -> int:
    """Return the next legal move by score that is not the table move."""
    while node.index < node.end:
        move = _bring_best(lists, node.index, node.end)
        node.index += 1
        if move != node.tt_move and is_legal_generated(board, move):
            return move
    return int64(0)


@kernel
def _next_quiet(board: Board, lists: MoveList, node: SearchNode) -> int:
    while node.index < node.end:
        move = _bring_best(lists, node.index, node.end)
        node.index += 1
        if not _was_picked(node, move) and is_legal_generated(board, move):
            return move
    return int64(0)


@inlined
def _refutation(board: Board, node: SearchNode, stage: int) -> int:
    """Return the killer or counter move of the stage if it is legal here and was not picked yet, else 0."""
    move = node.counter_move
    if stage == STAGE_KILLER_1:
        move = node.killer_1
    elif stage == STAGE_KILLER_2:
        move = node.killer_2
    elif move == node.killer_1 or move == node.killer_2:
        return int64(0)
    if move == 0 or move == node.tt_move or not is_legal(board, move):
        return int64(0)
    return int64(move)


@inlined
def _generate(board: Board, lists: MoveList, state: SearchState, node: SearchNode, ply: int) -> None:
    """Generate and score the moves of a generating stage, and go to the stage that hands them out."""
    stage = node.stage
    if stage == STAGE_EVASIONS:
        node.end = generate_evasions(board, lists, node.start)
        _score_evasions(board, lists, state, ply, node.start, node.end)
    elif stage == STAGE_QUIETS and not node.skip_quiets:
        node.index = node.bad_end
        node.end = generate_quiets(board, lists, node.bad_end)
        _score_quiets(board, lists, state, ply, node.index, node.end)
    elif stage != STAGE_QUIETS:
        node.end = generate_captures(board, lists, node.start)
        _score_captures(board, lists, state, node.start, node.end)
    node.stage = stage + 1


@inlined
def _next_bad_capture(lists: MoveList, node: SearchNode) -> int:
    if node.index < node.bad_end:
        node.index += 1
        return int64(lists.moves[uint64(node.index - 1)])
    node.stage = STAGE_END
    return int64(0)


@kernel
def next_move(board: Board, lists: MoveList, state: SearchState, ply: int) -> int:
    """Return the next legal move to search at `ply`, 0 when there is none left; its table line is asked for."""
    node = state.stack[ply + LEAD]
    while True:
        stage = node.stage
        move = int64(0)
        if stage == STAGE_END:
            return move
        if stage in (STAGE_TT_MOVE, STAGE_EVASION_TT_MOVE, STAGE_QS_TT_MOVE):
            node.stage = stage + 1
            prefetch_child(board, state, node.tt_move)
            return int64(node.tt_move)
        if stage in (STAGE_CAPTURES, STAGE_QUIETS, STAGE_EVASIONS, STAGE_QS_CAPTURES):
            _generate(board, lists, state, node, ply)
            continue
        if stage == STAGE_GOOD_CAPTURES:
            move = _next_good_capture(board, lists, node)
            if move == 0:
                node.stage = STAGE_BAD_CAPTURES if node.skip_quiets else STAGE_KILLER_1
                node.index = node.start
        elif stage <= STAGE_COUNTER_MOVE:
            move = _refutation(board, node, stage)
            node.stage = stage + 1
        elif stage == STAGE_EACH_QUIET:
            if not node.skip_quiets:
                move = _next_quiet(board, lists, node)
            if move == 0:
                node.stage = STAGE_BAD_CAPTURES
                node.index = node.start
        elif stage == STAGE_BAD_CAPTURES:
            move = _next_bad_capture(lists, node)
        else:
            move = _next_sorted(board, lists, node)
            if move == 0:
                node.stage = STAGE_END
        if move not in (NO_MOVE, node.excluded_move):
            prefetch_child(board, state, move)
            return move
