"""A chess position for plain Python: FEN and UCI in and out. The rules themselves live in the kernels below."""

from dataclasses import dataclass

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
from engine88.rules.perft import perft

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
    """One position with the history that led to it. It never changes: `push` answers with the next one."""

    __slots__ = ("board",)

    def __init__(self, board: Board) -> None:
        """Wrap a BOARD record, which from now on belongs to this position."""
        self.board = board

    @classmethod
    def start(cls) -> "Position":
        """The initial position of standard chess."""
        return cls.from_fen(START_FEN)

    @classmethod
    def from_fen(cls, fen: str, chess960: bool = False) -> "Position":
        """The position of a FEN. Raises FenError (a ValueError) that names the bad field."""
        return cls(read_fen(START_FEN if fen == "startpos" else fen, chess960))

    @property
    def side(self) -> int:
        """WHITE or BLACK, whoever is to move."""
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
        """The FEN; without an en-passant square that no legal capture uses."""
        return write_fen(self.board)

    def legal_codes(self) -> list[int]:
        """All legal moves as packed codes (see moves.py)."""
        lists = new_move_list()
        end = generate_legal(self.board, lists, 0)
        return [int(move) for move in lists.moves[:end]]

    def legal_moves(self) -> list[str]:
        """All legal moves in UCI notation."""
        return [self.move_name(move) for move in self.legal_codes()]

    def move_name(self, move: int) -> str:
        """UCI notation of a packed move; castling is king takes rook in Chess960 only. NO_MOVE is `0000`."""
        if move == NO_MOVE:
            return "0000"
        king, target = from_square(move), to_square(move)
        if is_castling(move) and not self.chess960:
            target = castled_king(king, target)
        return square_name(king) + square_name(int(target)) + _PROMOTION_LETTERS[promotion(move)]

    def parse_move(self, text: str) -> int:
        """The packed code of a legal move in UCI notation. Raises ValueError if there is no such move.

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
        """The position after a move, given in UCI notation or packed. Raises ValueError if it is not legal."""
        if isinstance(move, int) and move not in self.legal_codes():
            raise ValueError(f"{self.move_name(move)} is not a legal move in {self.fen()}")
        board = copy_board(self.board)
        if board.stack_size >= _HISTORY_FULL:
            _forget_old_history(board)
        make_move(board, self.parse_move(move) if isinstance(move, str) else move)
        return Position(board)

    def is_check(self) -> bool:
        """True if the side to move is in check."""
        return bool(in_check(self.board))

    def repetitions(self) -> int:
        """How often this position stood on the board before."""
        return int(repetitions(self.board))

    def outcome(self, claim_draw: bool = False) -> Outcome | None:
        """How the game ended here, None if it goes on.

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

    def perft(self, depth: int) -> int:
        """Number of move sequences of `depth` plies. Raises ValueError for a negative depth."""
        if depth < 0:
            raise ValueError(f"perft needs a depth of 0 or more, got {depth}")
        return int(perft(copy_board(self.board), new_move_list(), depth, 0))

    def __str__(self) -> str:
        """The board drawn in letters, White below."""
        return draw_board(self.board)

    def __repr__(self) -> str:
        return f"Position.from_fen({self.fen()!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.fen() == other.fen()

    def __hash__(self) -> int:
        return hash(self.fen())


def _castling_names(move: int) -> tuple[str, str]:
    king, rook = from_square(move), to_square(move)
    return square_name(king) + square_name(rook), square_name(king) + square_name(int(castled_king(king, rook)))


def _forget_old_history(board: Board) -> None:
    """Drop the oldest plies of the undo stack: those before the last irreversible move, or more if need be."""
    size = int(board.stack_size)
    kept = min(max(int(board.halfmove_clock), 16), _HISTORY_KEPT, size)
    for name in ("keys", "pawn_keys", "non_pawn_keys", "moves", "halfmove_clocks", "captured", "rights", "en_passants"):
        stack = board[name]
        stack[:kept] = stack[size - kept : size].copy()
    board.captured_places[:kept] = board.captured_places[size - kept : size].copy()
    board.stack_size = kept
