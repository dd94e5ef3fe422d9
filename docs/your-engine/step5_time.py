"""Step 5: time. Search depth after depth, and stop when the time for this move is over."""

import time

import chess
from step2_evaluation import MATE, evaluate
from step4_quiescence import gain, quiesce


class Step5:
    name = "Step 5"
    author = "you"
    options = {"Contempt": (0, -100, 100)}

    def choose_move(self, board, limit):
        self.deadline = time.monotonic() + seconds_for(board, limit)
        best = None
        for self.depth in range(1, (limit.depth or 30) + 1):
            try:
                score, line = self.search(board.copy(), self.depth, -2 * MATE, 2 * MATE, best)
            except TimeoutError:
                return
            best = line[0]
            yield best, score, line  # the best so far; the last one is played

    def search(self, board, depth, alpha, beta, first=None):
        """Return the score for the side to move and the best line. `first` is searched first: it was best before."""
        if self.depth > 1 and time.monotonic() > self.deadline:
            raise TimeoutError
        if not any(board.legal_moves):
            return evaluate(board) - depth * board.is_check(), []
        if depth < self.depth and (board.is_repetition(2) or board.halfmove_clock >= 100):
            return -self.options["Contempt"], []
        if depth == 0:
            return quiesce(board, alpha, beta), []
        best_line = []
        moves = sorted(board.legal_moves, key=lambda move: (move == first, gain(board, move)), reverse=True)
        for move in moves:
            board.push(move)
            score, line = self.search(board, depth - 1, -beta, -alpha)
            board.pop()
            if -score > alpha:
                alpha, best_line = -score, [move, *line]
            if alpha >= beta:
                break
        return alpha, best_line


def seconds_for(board, limit):
    """Return how long to think: a thirtieth of the clock and half the increment."""
    if limit.time is not None:
        return 0.9 * limit.time
    white = board.turn == chess.WHITE
    clock = limit.white_clock if white else limit.black_clock
    increment = limit.white_inc if white else limit.black_inc
    return 1.0 if clock is None else clock / 30 + (increment or 0) / 2
