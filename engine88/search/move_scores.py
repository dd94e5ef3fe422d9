"""Scores for move ordering, and selection of the best-scored move."""

import numpy as np

from engine88.board.defs import PAWN, QUEEN
from engine88.board.move_list import MoveList
from engine88.board.moves import EN_PASSANT, PROMOTIONS, is_tactical, promotion, to_square
from engine88.board.record import Board, king_square
from engine88.board.squares import type_of
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.rules.checks import gives_direct_check
from engine88.rules.see import see_ge
from engine88.search.history import capture_history, quiet_history, score_by_history
from engine88.search.params import ORDER_CAPTURE_FACTOR, ORDER_CHECK_BASE, ORDER_CHECK_MARGIN
from engine88.search.search_state import SearchState
from engine88.search.threats import set_threats, threat_score

MVV_VALUE = np.array([0, 100, 320, 330, 500, 950, 0, 0], dtype=np.int64)
"""Centipawns by piece type, for the order of captures and the futility of quiescence.

Different from SEE_VALUE (rules/see.py) on purpose: an exchange of bishop for knight is even, but a bishop is captured
first, and pruning must not count the king of 10000.
"""
_EVASION_CAPTURE = 1 << 20
NEVER = -(1 << 30)


@inlined
def victim_value(board: Board, move: int) -> int:
    """Return the value of the captured piece plus the gain of a promotion, centipawns."""
    victim = type_of(int64(board.squares[uint64(to_square(move))]))
    value = int64(MVV_VALUE[uint64(victim)])
    if move & EN_PASSANT:
        value += MVV_VALUE[PAWN]
    if move & PROMOTIONS:
        value += MVV_VALUE[uint64(promotion(move))] - MVV_VALUE[PAWN]
    return value


@inlined
def score_captures(board: Board, lists: MoveList, state: SearchState, start: int, end: int) -> None:
    """Score and sort captures: most valuable victim first, then by capture history; underpromotions last.

    Captures are few and most are asked for, so insertion sort beats selecting the best each time.
    """
    for i in range(start, end):
        move = int64(lists.moves[uint64(i)])
        score = ORDER_CAPTURE_FACTOR * victim_value(board, move) + capture_history(board, state, move)
        if move & PROMOTIONS and promotion(move) != QUEEN:
            score -= ORDER_CAPTURE_FACTOR * MVV_VALUE[QUEEN]
        place = uint64(i)
        while place > uint64(start) and int64(lists.scores[place - uint64(1)]) < score:
            lists.scores[place] = lists.scores[place - uint64(1)]
            lists.moves[place] = lists.moves[place - uint64(1)]
            place -= uint64(1)
        lists.scores[place] = score
        lists.moves[place] = move


@inlined
def score_quiets(board: Board, lists: MoveList, state: SearchState, ply: int, start: int, end: int) -> None:
    """Score quiet moves by their histories, and by threats; direct checks that lose little come early."""
    king = king_square(board, 1 - int64(board.side))
    set_threats(board, state)
    score_by_history(board, lists, state, ply, start, end)
    for i in range(start, end):
        move = int64(lists.moves[uint64(i)])
        score = int64(lists.scores[uint64(i)]) + threat_score(board, state, move)
        if gives_direct_check(board, move, king) and see_ge(board, move, int64(-ORDER_CHECK_MARGIN)):
            score += ORDER_CHECK_BASE
        lists.scores[uint64(i)] = score


@kernel
def score_evasions(board: Board, lists: MoveList, state: SearchState, ply: int, start: int, end: int) -> None:
    """Score evasions: captures by the captured piece, before quiet moves by history."""
    for i in range(start, end):
        move = int64(lists.moves[uint64(i)])
        if is_tactical(move):
            lists.scores[uint64(i)] = _EVASION_CAPTURE + victim_value(board, move)
        else:
            lists.scores[uint64(i)] = quiet_history(board, state, ply, move)


@inlined
def pick_best(lists: MoveList, index: int, end: int) -> None:
    """Swap the best-scored move of index..end to `index`."""
    best_score = int64(NEVER)
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
