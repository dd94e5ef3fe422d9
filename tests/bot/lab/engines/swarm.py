"""Joke engines with an idea each, in the style of the tournaments of odd engines that people make videos of."""

import chess


class Swarm:
    """All pieces towards the opponent's king."""

    def choose_move(self, board, limit):
        return min(board.legal_moves, key=lambda move: self.distance(board, move))

    def distance(self, board, move):
        me = board.turn
        board.push(move)
        king = board.king(not me)
        total = sum(chess.square_distance(square, king) for square in chess.SquareSet(board.occupied_co[me]))
        mate = board.is_checkmate()
        board.pop()
        return -1 if mate else total


class CheckCapturePush:
    """Mate, check, capture, push: the first that is possible."""

    def choose_move(self, board, limit):
        def worth(move):
            board.push(move)
            mate, check = board.is_checkmate(), board.is_check()
            board.pop()
            rank = chess.square_rank(move.to_square)
            return mate, check, board.is_capture(move), rank if board.turn else 7 - rank, move.uci()

        return max(board.legal_moves, key=worth)
