"""A chess position for plain Python, with FEN and UCI notation; the rules are in the kernels of this folder."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine88.board.attacks import in_check
from engine88.board.defs import BLACK, MAX_PLY, NO_MOVE, WHITE
from engine88.board.move_list import new_move_list
from engine88.board.moves import from_square, is_castling, promotion, to_square
from engine88.board.record import STACK_LENGTH, Board, copy_board
from engine88.board.squares import square_name
from engine88.rules.castling import castled_king
from engine88.rules.draws import FIFTY_MOVES, SEVENTY_FIVE_MOVES, is_dead_position, repetitions
from engine88.rules.fen import START_FEN, read_fen
from engine88.rules.fen_writer import draw_board, write_fen
from engine88.rules.make_move import make_move
from engine88.rules.movegen import generate_legal
from engine88.rules.perft import stoppable_perft

_HISTORY_KEPT = 640
"""Plies of history a position keeps at most: more than can be repeated before the 75-move rule ends the game."""
_PROMOTION_LETTERS = ("", "", "n", "b", "r", "q")
_HISTORY_FULL = STACK_LENGTH - 2 * MAX_PLY


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the rule that ended it, and the winner (WHITE, BLACK or None for a draw)."""

    termination: str
    winner: int | None

    @property
    def result(self) -> str:
        """`1-0`, `0-1` or `1/2-1/2`."""
        return {WHITE: "1-0", BLACK: "0-1", None: "1/2-1/2"}[self.winner]


class Position:
    """An immutable position with the history that led to it; `push` returns the next one."""

    __slots__ = ("board",)

    def __init__(self, board: Board) -> None:
        """Wrap a BOARD record, which belongs to this position from now on."""
        self.board = board

    @classmethod
    def start(cls) -> "Position":
        """Return the initial position of standard chess."""
        return cls.from_fen(START_FEN)

    @classmethod
    def from_fen(cls, fen: str, chess960: bool = False) -> "Position":
        """Return the position of a FEN; raise FenError (a ValueError) that names the bad field."""
        return cls(read_fen(START_FEN if fen == "startpos" else fen, chess960))

    @property
    def side(self) -> int:
        """The side to move, WHITE or BLACK."""
        return int(self.board.side)

    @property
    def chess960(self) -> bool:
        """True if castling is named king takes rook."""
        return bool(self.board.chess960)

    @property
    def key(self) -> int:
        """The Zobrist key, 64 bits."""
        return int(self.board.key)

    def fen(self) -> str:
        """Return the FEN, without an en-passant square that no legal capture uses."""
        return write_fen(self.board)

    def to_shadow_board(self) -> NDArray[np.int8]:
        """Return the position as a signed 0x88 board, int8[128] with the state in its unused half.

        The layout is in representations/signed_0x88.py. The half-move clock and earlier positions have no place there.
        Raises ValueError for Chess960 and for move numbers above 16,383.
        """
        if self.chess960:
            raise ValueError("the signed board knows no Chess960: its castling cells name no rooks")
        from engine88.board.representations import signed_0x88  # here, since the engine needs none of its kernels

        return signed_0x88.from_fen(self.fen())

    @classmethod
    def from_shadow_board(cls, cells: NDArray[np.int8]) -> "Position":
        """Return the position of a signed 0x88 board, with a half-move clock of 0; raise ValueError if it is none."""
        from engine88.board.representations import signed_0x88  # as above

        return cls.from_fen(signed_0x88.to_fen(cells))

    def legal_codes(self) -> list[int]:
        """Return all legal moves as packed codes (see moves.py)."""
        lists = new_move_list()
        end = generate_legal(self.board, lists, 0)
        return [int(move) for move in lists.moves[:end]]

    def legal_moves(self) -> list[str]:
        """Return all legal moves in UCI notation."""
        return [self.move_name(move) for move in self.legal_codes()]

    def move_name(self, move: int) -> str:
        """Return the UCI name of a packed move, `0000` for NO_MOVE; castling is king takes rook in Chess960 only."""
        if move == NO_MOVE:
            return "0000"
        king, target = from_square(move), to_square(move)
        if is_castling(move) and not self.chess960:
            target = castled_king(king, target)
        return square_name(king) + square_name(int(target)) + _PROMOTION_LETTERS[promotion(move)]

    def parse_move(self, text: str) -> int:
        """Return the packed code of a legal move in UCI notation; raise ValueError if there is no such move.

        Castling is understood in both notations, as far as no other move has that name.
        """
        codes = self.legal_codes()
        for move in codes:
            if self.move_name(move) == text:
                return move
        for move in codes:
            if is_castling(move) and text in _castling_names(move):
                return move
        raise ValueError(f"{text!r} is not a legal move in {self.fen()}")

    def push(self, move: str | int) -> "Position":
        """Return the position after a move in UCI notation or packed; raise ValueError if it is not legal."""
        if isinstance(move, int) and move not in self.legal_codes():
            raise ValueError(f"{self.move_name(move)} is not a legal move in {self.fen()}")
        board = copy_board(self.board)
        if board.stack_size >= _HISTORY_FULL:
            _drop_old_history(board)
        make_move(board, self.parse_move(move) if isinstance(move, str) else move)
        return Position(board)

    def is_check(self) -> bool:
        """Return whether the side to move is in check."""
        return bool(in_check(self.board))

    def repetitions(self) -> int:
        """Return how often this position occurred before."""
        return int(repetitions(self.board))

    def outcome(self, claim_draw: bool = False) -> Outcome | None:
        """Return how the game ended here, None if it continues.

        Automatic: checkmate, stalemate, dead_position, seventyfive_moves, fivefold_repetition. With `claim_draw` also
        fifty_moves and threefold_repetition, as the side to move may claim.
        """
        if not self.legal_codes():
            return Outcome("checkmate", 1 - self.side) if self.is_check() else Outcome("stalemate", None)
        if is_dead_position(self.board):
            return Outcome("dead_position", None)
        clock, before = int(self.board.halfmove_clock), self.repetitions()
        drawn = {
            "seventyfive_moves": clock >= SEVENTY_FIVE_MOVES,
            "fivefold_repetition": before >= 4,
            "fifty_moves": claim_draw and clock >= FIFTY_MOVES,
            "threefold_repetition": claim_draw and before >= 2,
        }
        return next((Outcome(name, None) for name, holds in drawn.items() if holds), None)

    def perft(self, depth: int, is_stopped: Callable[[], bool] = lambda: False) -> int:
        """Return the number of move sequences of `depth` plies; raise ValueError for a depth beyond 0..MAX_PLY.

        Once `is_stopped` returns True the count ends early and is incomplete.
        """
        if not 0 <= depth <= MAX_PLY:
            raise ValueError(f"perft needs a depth from 0 to {MAX_PLY}, not {depth}")
        return stoppable_perft(copy_board(self.board), new_move_list(), depth, is_stopped)

    def __str__(self) -> str:
        """Return the board drawn in letters, White below."""
        return draw_board(self.board)

    def __repr__(self) -> str:
        """Return the expression that makes this position, without its history."""
        return f"Position.from_fen({self.fen()!r})"

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same FEN; the history does not count."""
        return isinstance(other, Position) and self.fen() == other.fen()

    def __hash__(self) -> int:
        """Return the hash of the FEN."""
        return hash(self.fen())


def _castling_names(move: int) -> tuple[str, str]:
    king, rook = from_square(move), to_square(move)
    return square_name(king) + square_name(rook), square_name(king) + square_name(int(castled_king(king, rook)))


def _drop_old_history(board: Board) -> None:
    """Drop the oldest plies of the undo stack, those before the last irreversible move first."""
    size = int(board.stack_size)
    kept = min(max(int(board.halfmove_clock), 16), _HISTORY_KEPT, size)
    for name in ("keys", "pawn_keys", "non_pawn_keys", "moves", "halfmove_clocks", "captured", "rights", "en_passants"):
        stack = board[name]
        stack[:kept] = stack[size - kept : size].copy()
    board.captured_places[:kept] = board.captured_places[size - kept : size].copy()
    board.stack_size = kept
