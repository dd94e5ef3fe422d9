"""Step 2: the evaluation. Try every move, and keep the one after which the position is best for us."""

import chess

VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 320, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}
MATE = 100_000


class Step2:
    def choose_move(self, board, limit):
        best_move, best_score = None, -2 * MATE
        for move in board.legal_moves:
            board.push(move)
            score = -evaluate(board)  # from the opponent's point of view, so with the sign changed
            board.pop()
            if score > best_score:
                best_move, best_score = move, score
        return best_move, best_score


def evaluate(board):
    """Return the score in centipawns for the side to move: material, mate, and a little for the centre."""
    if board.is_checkmate():
        return -MATE
    if board.is_stalemate():
        return 0
    score = 0
    for square, piece in board.piece_map().items():
        centre = 7 - abs(2 * chess.square_file(square) - 7) + 7 - abs(2 * chess.square_rank(square) - 7)
        value = VALUES[piece.piece_type] + (centre if piece.piece_type != chess.KING else -centre)
        score += value if piece.color == board.turn else -value
    return score
