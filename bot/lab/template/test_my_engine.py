"""Tests of the engine; run them with: python -m unittest test_my_engine"""

import unittest

import chess
import chess.engine
from my_engine import MyEngine, evaluate


def best_move(fen, depth=2):
    """Return the move that the engine plays in a position."""
    limit = chess.engine.Limit(time=60, depth=depth)
    *_, (move, _score, _line) = MyEngine().choose_move(chess.Board(fen), limit)
    return move.uci()


class TestMyEngine(unittest.TestCase):
    def test_mate_in_one(self):
        self.assertEqual(best_move("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"), "a1a8")

    def test_a_hanging_queen_is_taken(self):
        self.assertEqual(best_move("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"), "e4d5")

    def test_the_start_position_is_level(self):
        self.assertEqual(evaluate(chess.Board()), 0)


if __name__ == "__main__":
    unittest.main()
