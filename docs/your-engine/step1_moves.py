"""Step 1: the moves. python-chess generates them; any of them will do for a start."""

import random


class Step1:
    def choose_move(self, board, limit):
        return random.choice(list(board.legal_moves))
