"""Nanoseconds per evaluation: `python benchmarks/evaluation_speed.py [EPD]`, one core, kernels from the disk cache.

Two figures: the same position again and again (a perfect branch predictor), and all children of each position in
turn, the stream that a quiescence search sees (the cost of making and unmaking the moves is taken off). The
positions are middlegames of ../shared/data/tactics/STS1-STS15_LAN_v3.epd unless a file is named.
"""

import sys
import time
from pathlib import Path
from typing import Any, Final

import numba

from engine88.board.move_list import MOVE_LIST_TYPE, MoveList, new_move_list
from engine88.board.record import BOARD_TYPE, Board
from engine88.compiler.jit import compile_entries, entry, int64
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import EVALUATION_STATE_TYPE, EvaluationState, new_evaluation_state
from engine88.rules.fen import read_fen
from engine88.rules.make_move import make_move, unmake_move
from engine88.rules.movegen import generate_legal

DEFAULT_POSITIONS: Final = Path(__file__).parents[2] / "shared/data/tactics/STS1-STS15_LAN_v3.epd"
EVERY: Final = 15  # of the 1500 positions of the default file
ROUNDS: Final = 4
REPEATS: Final = 40


@entry(BOARD_TYPE, EVALUATION_STATE_TYPE, MOVE_LIST_TYPE, numba.int64)
def evaluate_children(board: Board, evaluation: EvaluationState, lists: MoveList, judged: int) -> int:
    """Make and unmake every legal move, evaluating in between if `judged`; returns the number of moves."""
    end = generate_legal(board, lists, int64(0))
    total = int64(0)
    for i in range(end):
        make_move(board, int64(lists.moves[i]))
        if judged:
            total += evaluate(board, evaluation)
        unmake_move(board)
    lists.scores[0] = total & 0xFFFF
    return end


@entry(BOARD_TYPE, EVALUATION_STATE_TYPE, numba.int64)
def evaluate_again(board: Board, evaluation: EvaluationState, times: int) -> int:
    """Evaluate one position many times."""
    total = int64(0)
    for _ in range(times):
        total += evaluate(board, evaluation)
    return total


def children_ns(boards: list[Board], evaluation: Any) -> float:
    """Nanoseconds of one evaluation in the stream of children, moves taken off."""
    lists = new_move_list()
    best = {0: float("inf"), 1: float("inf")}
    for _ in range(REPEATS):
        for judged in best:
            start = time.process_time()
            moves = sum(evaluate_children(board, evaluation, lists, judged) for _ in range(ROUNDS) for board in boards)
            best[judged] = min(best[judged], (time.process_time() - start) / moves)
    return (best[1] - best[0]) * 1e9


def again_ns(boards: list[Board], evaluation: Any) -> float:
    """Nanoseconds of one evaluation of the same position again."""
    times = 40 * ROUNDS
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        for board in boards:
            evaluate_again(board, evaluation, times)
        best = min(best, (time.process_time() - start) / (times * len(boards)))
    return best * 1e9


def main() -> None:
    """Measure and print."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_POSITIONS
    lines = source.read_text(encoding="utf-8").splitlines()
    if len(sys.argv) == 1:
        lines = lines[::EVERY]
    boards = [read_fen(" ".join(line.split()[:4])) for line in lines if line.strip()]
    compile_entries()
    evaluation = new_evaluation_state()
    again = again_ns(boards, evaluation)
    print(f"{len(boards)} positions: the same again {again:.0f} ns, children {children_ns(boards, evaluation):.0f} ns")


if __name__ == "__main__":
    main()
