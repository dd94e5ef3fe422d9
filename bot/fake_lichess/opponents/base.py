"""What opponents share: moves without an engine, and the answer to a challenge."""

from __future__ import annotations

import random
from collections.abc import Callable

import chess

from ..errors import ApiError
from ..world.challenges import Challenge
from ..world.opponent import ChallengeHandler

PIECE_VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 320, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}
MATE_VALUE = 100_000
Picker = Callable[[chess.Board, random.Random], chess.Move]


def pick_random(board: chess.Board, rng: random.Random) -> chess.Move:
    """Return a random legal move."""
    return rng.choice(list(board.legal_moves))


def pick_endless(board: chess.Board, rng: random.Random) -> chess.Move:
    """Return a random legal move that does not end the game, if there is one."""
    moves = list(board.legal_moves)
    rng.shuffle(moves)
    return next((move for move in moves if not _ends(board, move)), moves[0])


def _ends(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    ends = board.is_game_over() or board.is_repetition(3)
    board.pop()
    return ends


def pick_greedy(board: chess.Board, rng: random.Random) -> chess.Move:
    """Return the move that wins most material at once; mate first, a hanging piece counts as lost, ties at random."""
    scored = [(_gain(board, move), rng.random(), move) for move in board.legal_moves]
    return max(scored, key=lambda entry: entry[:2])[2]


def _gain(board: chess.Board, move: chess.Move) -> int:
    gain = PIECE_VALUES.get(move.promotion or 0, 0)
    victim = board.piece_type_at(move.to_square)
    if victim is not None and board.color_at(move.to_square) != board.turn:
        gain += PIECE_VALUES[victim]
    mover = move.promotion or move.drop or board.piece_type_at(move.from_square) or chess.PAWN
    if board.is_attacked_by(not board.turn, move.to_square):
        gain -= PIECE_VALUES[mover]
    if board.gives_check(move) if move.drop is None else False:
        board.push(move)
        gain += MATE_VALUE if board.is_checkmate() else 10
        board.pop()
    return gain


class AcceptsChallenges:
    """Accepts every pending challenge that the server allows."""

    def on_challenge(self, handler: ChallengeHandler, challenge: Challenge) -> None:
        """Accept, or decline if the server refuses."""
        if not challenge.pending or challenge.dest is None:
            return
        try:
            handler.accept(challenge.dest, challenge.id)
        except ApiError:
            handler.decline(challenge.dest, challenge.id, "later")
