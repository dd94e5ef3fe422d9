"""Step 4: quiescence. Never evaluate in the middle of an exchange: follow the captures to their end."""

import chess
from step2_evaluation import MATE, VALUES, evaluate

DEPTH = 2


class Step4:
    def choose_move(self, board, limit):
        score, line = search(board, DEPTH, -2 * MATE, 2 * MATE)
        return line[0], score, line


def search(board, depth, alpha, beta):
    """Return the score for the side to move and the best line, as in step 3."""
    if not any(board.legal_moves):
        return evaluate(board) - depth * board.is_check(), []
    if depth == 0:
        return quiesce(board, alpha, beta), []
    best_line = []
    for move in sorted(board.legal_moves, key=lambda move: gain(board, move), reverse=True):
        board.push(move)
        score, line = search(board, depth - 1, -beta, -alpha)
        board.pop()
        if -score > alpha:
            alpha, best_line = -score, [move, *line]
        if alpha >= beta:
            break
    return alpha, best_line


def quiesce(board, alpha, beta):
    """Return the score after the captures. Nobody has to capture, so the position as it is counts too."""
    score = evaluate(board)
    if score >= beta:
        return beta
    alpha = max(alpha, score)
    for move in sorted(board.generate_legal_captures(), key=lambda move: gain(board, move), reverse=True):
        board.push(move)
        score = -quiesce(board, -beta, -alpha)
        board.pop()
        if score >= beta:
            return beta
        alpha = max(alpha, score)
    return alpha


def gain(board, move):
    """Return what a move captures, less a little for what captures: the pawn takes the queen first."""
    if not board.is_capture(move):
        return 0
    victim = board.piece_type_at(move.to_square) or chess.PAWN  # none there: en passant
    return VALUES[victim] - VALUES[board.piece_type_at(move.from_square)] / 10 + 100
