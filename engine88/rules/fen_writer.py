"""Board to FEN, and the drawing of a board."""

import re
from typing import Final

from engine88.board.defs import NO_SQUARE, ROOK
from engine88.board.record import Board
from engine88.board.squares import FILE_NAMES, PIECE_LETTERS, RANK_NAMES, piece_of, square_name

_EMPTY_SQUARES: Final = re.compile(r"\.+")


def write_fen(board: Board) -> str:
    """Return the FEN of a board: castling rights as KQkq for outermost rooks (X-FEN), as files if read so."""
    en_passant = "-" if board.en_passant == NO_SQUARE else square_name(int(board.en_passant))
    side = "wb"[int(board.side)]
    counters = f"{int(board.halfmove_clock)} {int(board.move_number)}"
    return f"{_placement(board)} {side} {_castling(board)} {en_passant} {counters}"


def _placement(board: Board) -> str:
    return _EMPTY_SQUARES.sub(lambda found: str(len(found[0])), "/".join(_ranks(board)))


def _ranks(board: Board) -> list[str]:
    """Return the letters of each rank, `.` for an empty square, rank 8 first."""
    squares = board.squares.tolist()
    return ["".join(PIECE_LETTERS[piece] for piece in squares[first : first + 8]) for first in range(0x70, -1, -0x10)]


def _castling(board: Board) -> str:
    rights = int(board.castling_rights)
    return "".join(_right(board, wing) for wing in range(4) if rights >> wing & 1) or "-"


def _right(board: Board, wing: int) -> str:
    color, rook = wing >> 1, int(board.castling_rooks[wing])
    letter = FILE_NAMES[rook & 7] if board.shredder_fen or not _is_outermost(board, wing, rook) else "kq"[wing & 1]
    return letter if color else letter.upper()


def _is_outermost(board: Board, wing: int, rook: int) -> bool:
    edge = rook & 0x70 | (0 if wing & 1 else 7)
    beyond = range(edge, rook) if wing & 1 else range(rook + 1, edge + 1)
    return all(int(board.squares[square]) != piece_of(wing >> 1, ROOK) for square in beyond)


def draw_board(board: Board) -> str:
    """Return a drawing of the board in letters, rank 8 on top, with the names of files and ranks."""
    rows = [f"{name}  {' '.join(rank)}" for name, rank in zip(reversed(RANK_NAMES), _ranks(board), strict=True)]
    return "\n".join([*rows, "", "   " + " ".join(FILE_NAMES)])
