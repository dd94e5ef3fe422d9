"""Opponents without an engine, and what all opponents share."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import chess

from ..errors import ApiError
from ..world.challenges import Challenge
from ..world.chat_room import ChatLine
from ..world.opponent import ChallengeHandler, Driver
from ..world.seat import Seat

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


class MoverDriver:
    """Moves after a fixed delay and accepts takebacks."""

    def __init__(self, seat: Seat, pick: Picker, delay_s: float) -> None:
        self.seat = seat
        self.pick = pick
        self.delay_s = delay_s
        self._timer: asyncio.TimerHandle | None = None

    def wake(self) -> None:
        """Answer offers; schedule a move if it is the turn."""
        opponent = self.seat.game.players[not self.seat.color]
        if self.seat.game.playable and opponent.offers_takeback:
            self.seat.takeback(True)
        elif self.seat.to_move and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.delay_s, self._move)

    def _move(self) -> None:
        self._timer = None
        if self.seat.to_move and not self.seat.world.down:
            move = self.pick(self.seat.game.board, self.seat.game.rng)
            self._post(self.seat.game.board.uci(move))
        elif self.seat.to_move:
            self._timer = asyncio.get_running_loop().call_later(0.05, self._move)

    def _post(self, uci: str) -> None:
        try:
            self.seat.move(uci)
        except ApiError:
            if self.seat.game.playable:  # only a flag that has just fallen explains the refusal
                raise

    def on_chat(self, line: ChatLine) -> None:
        """Ignore the chat."""

    def close(self) -> None:
        """Cancel the planned move."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Mover(AcceptsChallenges):
    """An opponent that picks each move by a function of the position."""

    def __init__(self, pick: Picker, delay_s: float) -> None:
        self.pick = pick
        self.delay_s = delay_s

    def join(self, seat: Seat) -> Driver:
        """Play one side of a new game."""
        return MoverDriver(seat, self.pick, self.delay_s)
