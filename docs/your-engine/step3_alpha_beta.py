"""Step 3: alpha-beta. Look at the opponent's best reply, at ours to that, and leave out what cannot matter."""

from step2_evaluation import MATE, evaluate

DEPTH = 3


class Step3:
    def choose_move(self, board, limit):
        score, line = search(board, DEPTH, -2 * MATE, 2 * MATE)
        return line[0], score, line


def search(board, depth, alpha, beta):
    """Return the score for the side to move and the best line.

    We have alpha already, elsewhere in the tree; the opponent will not let us have more than beta.
    """
    if depth == 0 or not any(board.legal_moves):
        return evaluate(board) - depth * board.is_check(), []  # a mate that is nearer is worse for the one mated
    best_line = []
    for move in sorted(board.legal_moves, key=board.is_capture, reverse=True):  # captures first: more is left out
        board.push(move)
        score, line = search(board, depth - 1, -beta, -alpha)
        board.pop()
        if -score > alpha:
            alpha, best_line = -score, [move, *line]
        if alpha >= beta:
            break
    return alpha, best_line
