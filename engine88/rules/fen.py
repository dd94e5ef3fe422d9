"""FEN to board: accepts standard FEN, X-FEN and Shredder-FEN, with or without counters; refuses the rest by name."""

import numpy as np
from numpy.typing import NDArray

from engine88.board.attacks import is_attacked
from engine88.board.defs import BLACK, EMPTY, KING, NO_SQUARE, PAWN, ROOK, WHITE
from engine88.board.moves import EN_PASSANT_XOR
from engine88.board.record import LIST_LENGTH, Board, build_lists, compute_keys, new_board
from engine88.board.squares import FILE_NAMES, PIECE_LETTERS, parse_piece, parse_square, piece_of
from engine88.rules.castling import set_castling_rights
from engine88.rules.en_passant import usable_en_passant

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

MAX_HALFMOVE_CLOCK = 9999
MAX_MOVE_NUMBER = 30000
COLOR_NAMES = ("White", "Black")


class FenError(ValueError):
    """A FEN that is not a chess position; the text names the field and the problem."""

    def __init__(self, field: str, problem: str) -> None:
        """Name the field of the FEN and what is wrong with it."""
        super().__init__(f"bad FEN, {field}: {problem}")
        self.field = field


def read_fen(fen: str, chess960: bool = False) -> Board:
    """Return the board of a FEN.

    With `chess960` castling moves are named king takes rook; rights that only Chess960 knows turn it on by themselves.
    An en-passant square that no legal capture uses is dropped.
    """
    fields = fen.split()
    if not 4 <= len(fields) <= 6:
        raise FenError("fields", f"expected 4 to 6 (placement side castling en-passant counters), got {len(fields)}")
    board = new_board()
    _read_placement(board, fields[0])
    _read_side(board, fields[1])
    board.chess960 = chess960
    _read_castling(board, fields[2])
    _read_counters(board, fields[4:])
    _check_kings(board)
    _read_en_passant(board, fields[3])
    compute_keys(board)
    return board


def _read_placement(board: Board, text: str) -> None:
    rows = text.split("/")
    if len(rows) != 8:
        raise FenError("placement", f"expected 8 ranks separated by '/', got {len(rows)}")
    squares = board.squares  # a field of a record is slow to reach
    for rank, row in zip(range(7, -1, -1), rows, strict=True):
        _read_rank(squares, rank, row)
    _check_pieces(squares.tolist())
    build_lists(board)


def _read_rank(squares: NDArray[np.uint8], rank: int, row: str) -> None:
    file = 0
    after_digit = False
    for letter in row:
        is_digit = letter in "12345678"
        if is_digit and after_digit:
            raise FenError("placement", f"two digits in a row on rank {rank + 1}: {row!r}")
        after_digit = is_digit
        if is_digit:
            file += int(letter)
        elif letter.isalpha() and letter in PIECE_LETTERS:
            if file < 8:
                squares[rank * 16 + file] = parse_piece(letter)
            file += 1
        else:
            raise FenError("placement", f"{letter!r} on rank {rank + 1} is neither a piece nor a digit 1-8")
    if file != 8:
        raise FenError("placement", f"rank {rank + 1} has {file} squares instead of 8: {row!r}")


def _check_pieces(squares: list[int]) -> None:
    on_squares = [piece for piece in squares if piece != EMPTY]
    for color in (WHITE, BLACK):
        name = COLOR_NAMES[color]
        kings = on_squares.count(piece_of(color, KING))
        if kings != 1:
            raise FenError("placement", f"{name} has {kings or 'no'} king{'s' if kings else ''}, expected exactly one")
        if on_squares.count(piece_of(color, PAWN)) > 8:
            raise FenError("placement", f"{name} has more than 8 pawns")
        if sum(piece >> 3 == color for piece in on_squares) > LIST_LENGTH:
            raise FenError("placement", f"{name} has more than {LIST_LENGTH} pieces")
    for rank in (0, 7):
        if any(piece & 7 == PAWN for piece in squares[rank * 16 : rank * 16 + 8]):
            raise FenError("placement", f"a pawn on rank {rank + 1}")


def _read_side(board: Board, text: str) -> None:
    if text not in ("w", "b"):
        raise FenError("side to move", f"expected 'w' or 'b', got {text!r}")
    board.side = "wb".index(text)


def _check_kings(board: Board) -> None:
    side = int(board.side)
    if is_attacked(board, int(board.pieces[1 - side, 0]), side):
        raise FenError("side to move", f"{COLOR_NAMES[1 - side]} is in check but it is {COLOR_NAMES[side]}'s move")


def _read_castling(board: Board, text: str) -> None:
    squares, kings = board.squares.tolist(), board.pieces[:, 0].tolist()
    rooks = [NO_SQUARE] * 4
    for letter in "" if text == "-" else text:
        color = WHITE if letter.isupper() else BLACK
        rook = _castling_rook(squares, kings[color], color, letter)
        wing = 2 * color + (rook < kings[color])
        if rooks[wing] != NO_SQUARE:
            raise FenError("castling", f"{text!r} names the same right twice")
        rooks[wing] = rook
        if letter.upper() not in "KQ" and rook == _outermost_rook(squares, kings[color], wing):
            board.shredder_fen = 1  # X-FEN would have written K or Q for this rook
    rights = sum(1 << wing for wing in range(4) if rooks[wing] != NO_SQUARE)
    set_castling_rights(board, rights, (rooks[0], rooks[1], rooks[2], rooks[3]))
    standard = all(
        rook == NO_SQUARE or (rook & 7 == (7, 0)[wing & 1] and kings[wing >> 1] & 7 == 4)
        for wing, rook in enumerate(rooks)
    )
    if not standard:
        board.chess960 = 1


def _castling_rook(squares: list[int], king: int, color: int, letter: str) -> int:
    """Return the square of the rook that a castling letter means: the outermost for K and Q, else on that file."""
    home = 0x70 * color
    if letter not in "KQkq" + FILE_NAMES + FILE_NAMES.upper():
        raise FenError("castling", f"{letter!r} is neither one of KQkq nor a file a-h")
    if king & 0x70 != home:
        raise FenError("castling", f"{letter!r}: the {COLOR_NAMES[color]} king is not where castling is possible")
    if letter.upper() in "KQ":
        rook = _outermost_rook(squares, king, 2 * color + "KQ".index(letter.upper()))
    else:
        rook = home + FILE_NAMES.index(letter.lower())
    if rook == NO_SQUARE or squares[rook] != piece_of(color, ROOK):
        raise FenError("castling", f"{letter!r}: {COLOR_NAMES[color]} has no rook there to castle with")
    return rook


def _outermost_rook(squares: list[int], king: int, wing: int) -> int:
    """Return the square of the rook farthest from the king on that wing, NO_SQUARE if there is none."""
    from_the_edge = range(king & 0x70, king) if wing & 1 else range(king | 7, king, -1)
    return next((square for square in from_the_edge if squares[square] == piece_of(wing >> 1, ROOK)), NO_SQUARE)


def _read_en_passant(board: Board, text: str) -> None:
    if text == "-":
        return
    try:
        target = parse_square(text)
    except ValueError as error:
        raise FenError("en passant", str(error)) from None
    side = int(board.side)
    if target >> 4 != (2 if side else 5):
        raise FenError("en passant", f"{text} is not on the rank that a pawn of the other side can have jumped over")
    pawn, origin = target ^ EN_PASSANT_XOR, target ^ 0x30
    if int(board.squares[pawn]) != piece_of(1 - side, PAWN):
        raise FenError("en passant", f"no pawn of the other side has just passed {text}")
    if int(board.squares[target]) != EMPTY or int(board.squares[origin]) != EMPTY:
        raise FenError("en passant", f"the pawn that passed {text} cannot have come through occupied squares")
    board.en_passant = usable_en_passant(board, target)


def _read_counters(board: Board, fields: list[str]) -> None:
    if fields:
        board.halfmove_clock = _counter("halfmove clock", fields[0], MAX_HALFMOVE_CLOCK)
    if len(fields) > 1:
        board.move_number = max(1, _counter("move number", fields[1], MAX_MOVE_NUMBER))


def _counter(name: str, text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 6 or int(text) > most:
        raise FenError(name, f"expected a number from 0 to {most}, got {text[:20]!r}")
    return int(text)
