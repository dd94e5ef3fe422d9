"""A game of the engine with itself, from the first move to the result, as one kernel."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine88.board.attacks import in_check
from engine88.board.defs import NO_MOVE, WHITE
from engine88.board.move_list import MoveList
from engine88.board.record import Board
from engine88.rules.draws import FIFTY_MOVES, is_dead_position, repetitions
from engine88.rules.make_move import make_move
from engine88.rules.movegen import generate_legal
from engine88.training.compiled import compiled, int64
from engine88.training.label import label_cp
from engine88.training.replay import packed_move
from engine88.training.selfplay.deepen import SearchMemory, deepen

BLACK_WON: Final = 0
DRAWN: Final = 1
WHITE_WON: Final = 2
GOES_ON: Final = -1


class GameRules(NamedTuple):
    """Nodes of each search, and when a game is called won, drawn or long enough; won endgames are played on.

    Won: for `won_plies` plies in a row one side is ahead by more than `won_cp`. Drawn: after `level_from_ply` plies,
    the last `level_plies` scores are all within `level_cp`. After `most_plies` plies a game is drawn.
    """

    soft_nodes: int = 2000
    hard_nodes: int = 10_000
    won_cp: int = 2000
    won_plies: int = 5
    level_cp: int = 5
    level_plies: int = 14
    level_from_ply: int = 80
    most_plies: int = 400


@compiled
def play_game(
    board: Board, memory: SearchMemory, rules: GameRules, moves: NDArray[np.uint16], scores_cp: NDArray[np.int16]
) -> tuple[int, int]:
    """Play until the result is known; the result and the number of plies.

    The moves are written to `moves` as files of games hold them, White's labels before each to `scores_cp`; both have
    room for `rules.most_plies`.
    """
    won = int64(0)  # plies in a row with White (positive) or Black (negative) far ahead
    level = int64(0)
    for ply in range(rules.most_plies):
        if is_drawn(board, memory.lists):
            return DRAWN, ply
        move, score = deepen(board, memory, rules.soft_nodes, rules.hard_nodes)
        if move == NO_MOVE:
            return result_without_moves(board), ply
        sign = int64(1) if board.side == WHITE else int64(-1)
        moves[ply] = packed_move(move)
        scores_cp[ply] = sign * label_cp(board, memory.evaluation, score)
        score *= sign
        won = far_ahead(rules, won, score)
        level = near_level(rules, level, score)
        make_move(board, move)
        result = called_result(rules, won, level, int64(ply + 1))
        if result != GOES_ON:
            return result, ply + 1
    return DRAWN, rules.most_plies


@compiled
def result_without_moves(board: Board) -> int:
    """The result where the side to move has no legal move: it is mated, or stalemated."""
    if not in_check(board):
        return DRAWN
    return BLACK_WON if board.side == WHITE else WHITE_WON


@compiled
def far_ahead(rules: GameRules, won: int, score: int) -> int:
    """For how many plies in a row White (positive) or Black (negative) is far ahead, with White's score after `won`."""
    if score > rules.won_cp:
        return max(won, int64(0)) + 1
    if score < -rules.won_cp:
        return min(won, int64(0)) - 1
    return int64(0)


@compiled
def near_level(rules: GameRules, level: int, score: int) -> int:
    """For how many plies in a row the score was level, with this one after `level`."""
    return level + 1 if abs(score) <= rules.level_cp else int64(0)


@compiled
def called_result(rules: GameRules, won: int, level: int, plies: int) -> int:
    """The result that the scores leave no doubt of, else -1."""
    if won >= rules.won_plies:
        return WHITE_WON
    if won <= -rules.won_plies:
        return BLACK_WON
    return DRAWN if plies >= rules.level_from_ply and level >= rules.level_plies else GOES_ON


@compiled
def is_drawn(board: Board, lists: MoveList) -> bool:
    """Whether nobody can win, or the side to move may claim a draw; it may not where it is mated."""
    if is_dead_position(board) or repetitions(board) >= 2:
        return True
    return board.halfmove_clock >= FIFTY_MOVES and (not in_check(board) or generate_legal(board, lists, int64(0)) > 0)
