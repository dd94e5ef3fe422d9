"""A chess engine in one class; docs/your-engine.md explains every line of it."""

import time

import chess

VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 320, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}
MATE = 100_000


class MyEngine:
    def choose_move(self, board, limit):
        """Search one depth after the other while there is time; `yield` makes the move known that is best so far."""
        self.deadline = time.monotonic() + seconds_for(board, limit)
        for self.depth in range(1, (limit.depth or 20) + 1):
            try:
                score, line = self.search(board.copy(), self.depth, -2 * MATE, 2 * MATE)
            except TimeoutError:
                return
            yield line[0], score, line

    def search(self, board, depth, alpha, beta):
        """Return the score in centipawns for the side to move, and the best line, between alpha and beta."""
        if time.monotonic() > self.deadline and depth > 1:
            raise TimeoutError
        if board.is_checkmate():
            return -MATE - depth, []
        if board.is_stalemate() or (
            depth < self.depth and (board.is_repetition(2) or board.is_insufficient_material())
        ):
            return 0, []
        if depth == 0:
            return evaluate(board), []
        best_line = []
        for move in sorted(board.legal_moves, key=board.is_capture, reverse=True):
            board.push(move)
            score, line = self.search(board, depth - 1, -beta, -alpha)
            board.pop()
            if -score > alpha:
                alpha, best_line = -score, [move, *line]
            if alpha >= beta:
                break  # the opponent has something better and will avoid this position
        return alpha, best_line


def evaluate(board):
    """Count material, and prefer pieces near the centre."""
    score = 0
    for square, piece in board.piece_map().items():
        centre = 7 - abs(2 * chess.square_file(square) - 7) + 7 - abs(2 * chess.square_rank(square) - 7)
        value = VALUES[piece.piece_type] + (centre if piece.piece_type != chess.KING else -centre)
        score += value if piece.color == board.turn else -value
    return score


def seconds_for(board, limit):
    """Return how long to think: a thirtieth of the clock and half the increment."""
    if limit.time is not None:
        return 0.9 * limit.time
    white = board.turn == chess.WHITE
    clock = limit.white_clock if white else limit.black_clock
    increment = limit.white_inc if white else limit.black_inc
    return 1.0 if clock is None else clock / 30 + (increment or 0) / 2
