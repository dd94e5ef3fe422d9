"""Two engines as people write them for lichess-bot: one random, one minimax with an opening book in a dictionary."""

import logging
import random

import chess
from chess.engine import Limit, PlayResult
from lib.engine_wrapper import MinimalEngine
from lib.lichess_types import HOMEMADE_ARGS_TYPE, MOVE

logger = logging.getLogger(__name__)
PIECES = {"p": 1, "n": 3, "b": 3.2, "r": 5, "q": 9, "k": 0}
BOOK = {chess.STARTING_BOARD_FEN: "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR": "c7c5"}


class ExampleEngine(MinimalEngine):
    """The base of both, as in lichess-bot."""


class RandomMove(ExampleEngine):
    def search(self, board: chess.Board, *args: HOMEMADE_ARGS_TYPE) -> PlayResult:
        return PlayResult(random.choice(list(board.legal_moves)), None)


class Minimax(ExampleEngine):
    def search(
        self, board: chess.Board, time_limit: Limit, ponder: bool, draw_offered: bool, root_moves: MOVE
    ) -> PlayResult:
        booked = BOOK.get(board.board_fen())
        if booked:
            return PlayResult(chess.Move.from_uci(booked), None, {"string": "book"})
        left = time_limit.white_clock if board.turn == chess.WHITE else time_limit.black_clock
        depth = 1 if isinstance(left, (int, float)) and left < 5 else 2
        moves = root_moves if isinstance(root_moves, list) else list(board.legal_moves)
        best, best_value = moves[0], -9999.0
        for move in moves:
            board.push(move)
            value = -self.minimax(board, depth - 1)
            board.pop()
            if value > best_value:
                best, best_value = move, value
        logger.info("chose %s", best)
        return PlayResult(best, None, {"score": int(100 * best_value), "depth": depth}, draw_offered=draw_offered)

    def minimax(self, board, depth):
        if board.is_checkmate():
            return -1000
        if depth == 0 or board.is_game_over():
            return self.material(board)
        return max(-self.child(board, move, depth) for move in board.legal_moves)

    def child(self, board, move, depth):
        board.push(move)
        value = self.minimax(board, depth - 1)
        board.pop()
        return value

    def material(self, board):
        total = 0
        for piece in board.piece_map().values():
            total += PIECES[piece.symbol().lower()] * (1 if piece.color == board.turn else -1)
        return total
