"""Positions with every trap of the rules, by random games from positions that have them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import chess

#: Name of the trap and a position that has it, or has it after a move or two.
TRAPS = (
    ("the start", chess.STARTING_FEN),
    ("castling both ways", "r3k2r/pppq1ppp/2npbn2/4p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9"),
    ("castling through an attacked square", "r3k2r/8/8/8/8/5b2/8/R3K2R w KQkq - 0 1"),
    ("castling out of check", "r3k2r/8/8/8/4r3/8/8/R3K2R w KQ - 0 1"),
    ("castling with the rook's path attacked only", "4k3/8/8/8/1r6/8/8/R3K3 w Q - 0 1"),
    ("en passant", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"),
    ("en passant that would expose the king on the rank", "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"),
    ("en passant that captures the checking pawn", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1"),
    ("en passant with a pinned pawn", "4k3/8/8/3pP3/8/8/8/3RK2b w - d6 0 2"),
    ("promotion with and without a capture", "1n1n4/P1P1P3/8/8/8/2k5/8/4K3 w - - 0 1"),
    ("promotion while in check", "4k3/1P6/8/8/8/8/4r3/4K3 w - - 0 1"),
    ("underpromotion that avoids stalemate", "8/6P1/7k/8/6K1/8/8/8 w - - 0 1"),
    ("double check", "4k3/8/8/8/4r3/5n2/8/3QK2R w K - 0 1"),
    ("a pinned piece", "4k3/4r3/8/8/8/4N3/4P3/4K3 w - - 0 1"),
    ("one legal move", "7k/8/8/8/8/8/4q3/7K w - - 0 1"),
    ("close to stalemate", "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1"),
    ("close to fifty moves", "4k3/8/8/8/8/8/4R3/4K3 w - - 97 80"),
    ("queens on all sides", "4k3/Q6Q/8/8/8/8/Q6Q/4K2Q w - - 0 1"),
)
#: White mates in so many moves, and not sooner.
MATES = (
    (1, "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"),
    (1, "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"),
    (1, "7k/8/5N2/8/8/8/8/K5R1 w - - 0 1"),
    (1, "k7/2P5/1K6/8/8/8/8/8 w - - 0 1"),
    (1, "rnbqkbnr/ppppp2p/5p2/6p1/3PP3/8/PPP2PPP/RNBQKBNR w KQkq g6 0 3"),
    (2, "7k/8/5K2/8/8/8/8/R7 w - - 0 1"),
    (2, "k7/8/2K5/8/8/8/8/7Q w - - 0 1"),
    (2, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"),
)
_PLIES = 12


@dataclass(frozen=True, slots=True)
class TrapPosition:
    """A position to be asked about, and the trap that it comes from."""

    trap: str
    board: chess.Board


def positions(count: int, seed: int = 0, *, chess960: bool = False) -> Iterator[TrapPosition]:
    """Yield so many positions in which there is a legal move; the same ones for the same seed."""
    rng = random.Random(seed)
    while True:
        for trap, fen in TRAPS:
            board = chess.Board(fen)
            if chess960:
                trap, board = "Chess960", chess.Board.from_chess960_pos(rng.randrange(960))
            for _ in range(_PLIES):
                if board.is_game_over():
                    break
                yield TrapPosition(trap, board.copy())
                count -= 1
                if count == 0:
                    return
                board.push(rng.choice(list(board.legal_moves)))


def forces_mate(board: chess.Board, moves: int) -> bool:
    """Whether the side that has just moved mates in so many moves more, whatever is answered; 0: it has mated."""
    if board.is_checkmate():
        return True
    if moves == 0 or board.is_game_over():
        return False
    return all(_mates(board, reply, moves) for reply in list(board.legal_moves))


def _mates(board: chess.Board, reply: chess.Move, moves: int) -> bool:
    board.push(reply)
    found = False
    for move in list(board.legal_moves):
        board.push(move)
        found = forces_mate(board, moves - 1)
        board.pop()
        if found:
            break
    board.pop()
    return found


def long_game(plies: int) -> chess.Board:
    """Return a game of so many half-moves without captures, at whose end there is a legal move."""
    rng = random.Random(0)
    board = chess.Board()
    while len(board.move_stack) < plies:
        quiet = [move for move in board.legal_moves if not board.is_capture(move)]
        board.push(rng.choice(quiet or list(board.legal_moves)))
        if not any(board.legal_moves):
            board.pop()
    return board
