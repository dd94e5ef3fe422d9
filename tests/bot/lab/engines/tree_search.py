"""Monte Carlo tree search with short random games, and a state that lives through the game."""

import math
import random
import time

VALUES = (0, 1, 3, 3, 5, 9, 0)


class Node:
    def __init__(self, move=None):
        self.move, self.children, self.visits, self.score = move, [], 0, 0.0


class TreeSearch:
    author = "somebody"

    def __init__(self):
        self.rng = random.Random(1)
        self.moves_played = 0

    def new_game(self):
        self.moves_played = 0

    def choose_move(self, board, limit):
        self.moves_played += 1
        clock = limit.white_clock if board.turn else limit.black_clock
        deadline = time.monotonic() + min(limit.time or 9, (clock or 30) / 40)
        root = Node()
        while time.monotonic() < deadline and root.visits < 400:
            self.visit(root, board.copy(stack=False))
        best = max(root.children, key=lambda node: node.visits)
        return best.move, round(200 * best.score / max(1, best.visits))

    def visit(self, node, board):
        path = [node]
        while node.children:
            node = max(node.children, key=lambda child: self.bound(child, path[-1].visits))
            board.push(node.move)
            path.append(node)
        node.children = [Node(move) for move in board.legal_moves]
        result = -self.play_out(board)  # for the side that moved to this node
        for one in reversed(path):
            one.visits += 1
            one.score += result
            result = -result

    def bound(self, node, visits):
        if not node.visits:
            return math.inf
        return node.score / node.visits + math.sqrt(2 * math.log(visits) / node.visits)

    def play_out(self, board):
        turn = board.turn
        for _ in range(6):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(self.rng.choice(moves))
        if board.is_checkmate():
            return -1 if board.turn == turn else 1
        ours = sum(
            VALUES[piece.piece_type] * (1 if piece.color == turn else -1) for piece in board.piece_map().values()
        )
        return math.tanh(ours / 8)
