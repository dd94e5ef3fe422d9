"""The signed 0x88 board: pieces -6 to 6, and the whole state in the half of the board that no piece uses.

A piece is positive for White and negative for Black, its kind is the absolute value, and two pieces are enemies if
their product is negative. The first row is rank 8, so a square is `(7 - rank) * 16 + file`, and White's pawns walk
towards smaller numbers. The state:

    8, 9      the number of the full move, 128 * cell 8 + cell 9 (so at most 16,383)
    123, 11   the squares of White's and Black's king
    56        the side to move, 1 for White and -1 for Black
    78, 79    0 while White may castle on the a-side, the h-side; -1 once that is lost.   62, 63   the same for Black
    61, 77    the en-passant square behind a black pawn, behind a white one; 0 for none

There is no cell for the half-move clock and none for earlier positions. Source: a wiki page on chess boards of 2016.
"""

import numpy as np

from engine88.board.defs import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from engine88.board.representations import array_64
from engine88.board.representations.counting import Cells, add, add_pawn_move, promotion_of, start_of, target_of
from engine88.board.squares import color_of, from_64, on_board, type_of
from engine88.compiler.jit import int64, kernel

LENGTH = 128
MOST_MOVE_NUMBER = 127 * 128 + 127
MOVE_HIGH, MOVE_LOW, SIDE = 8, 9, 56
WHITE_KING, BLACK_KING = 123, 11
BEHIND_BLACK, BEHIND_WHITE = 61, 77
CASTLING = {"K": 79, "Q": 78, "k": 63, "q": 62}
_LETTERS = " PNBRQK"

_STEPS = np.array([-16, 1, 16, -1, -15, 17, 15, -17])
"""A rook's four steps, then a bishop's."""
_JUMPS = np.array([-31, -14, 18, 33, 31, 14, -18, -33])
_CASTLING_CELLS = np.zeros((128, 2), np.int8)
for _square, _cells in {112: (78, 78), 116: (78, 79), 119: (79, 79), 0: (62, 62), 4: (62, 63), 7: (63, 63)}.items():
    _CASTLING_CELLS[_square] = _cells
"""The cells of the rights that a move from or to a square ends; 0 for none."""


def from_fen(fen: str) -> Cells:
    """Return the board of a FEN that is known to be good. Raises ValueError for a move number that has no place."""
    _, side, castling, _, _, number = fen.split()
    if int(number) > MOST_MOVE_NUMBER:
        raise ValueError(f"move {number} has no place on the signed board: it counts to {MOST_MOVE_NUMBER}")
    cells = np.zeros(LENGTH, np.int8)
    board = array_64.from_fen(fen).tolist()
    for square, piece in enumerate(board[:64]):
        cells[from_64(square ^ 56)] = -type_of(piece) if color_of(piece) else type_of(piece)
    cells[WHITE_KING], cells[BLACK_KING] = (from_64(square ^ 56) for square in board[array_64.KINGS :])
    cells[MOVE_HIGH], cells[MOVE_LOW] = divmod(int(number), 128)
    cells[SIDE] = 1 if side == "w" else -1
    for letter, cell in CASTLING.items():
        cells[cell] = 0 if letter in castling else -1
    if board[array_64.EN_PASSANT] != array_64.NONE:
        cells[BEHIND_BLACK if side == "w" else BEHIND_WHITE] = from_64(board[array_64.EN_PASSANT] ^ 56)
    return cells


def to_fen(cells: Cells) -> str:
    """Return the FEN of a board, with a half-move clock of 0. Raises ValueError for any other array."""
    if cells.shape != (LENGTH,) or cells.dtype != np.int8:
        raise ValueError(f"a signed board has {LENGTH} cells of int8, not {cells.shape} of {cells.dtype}")
    rows = "/".join(_row(cells, row) for row in range(8))
    for cell, king in ((WHITE_KING, KING), (BLACK_KING, -KING)):
        square = int(cells[cell])
        if square < 0 or not on_board(square) or cells[square] != king:
            raise ValueError(f"cell {cell} holds {square}, but that king is elsewhere")
    if cells[SIDE] not in (1, -1):
        raise ValueError(f"cell {SIDE} holds {cells[SIDE]}: expected 1 (White moves) or -1 (Black moves)")
    castling = "".join(letter for letter, cell in CASTLING.items() if not cells[cell]) or "-"
    behind = int(cells[BEHIND_BLACK if cells[SIDE] > 0 else BEHIND_WHITE])
    en_passant = f"{'abcdefgh'[behind & 7]}{8 - (behind >> 4)}" if behind else "-"
    number = 128 * int(cells[MOVE_HIGH]) + int(cells[MOVE_LOW])
    return f"{rows} {'w' if cells[SIDE] > 0 else 'b'} {castling} {en_passant} 0 {number}"


def _row(cells: Cells, row: int) -> str:
    text = ""
    for piece in map(int, cells[row * 16 : row * 16 + 8]):
        if not -KING <= piece <= KING:
            raise ValueError(f"{piece} is not a piece: expected -6 to 6")
        letter = _LETTERS[abs(piece)]
        text += letter if piece > 0 else letter.lower()
    for empty in range(8, 0, -1):
        text = text.replace(" " * empty, str(empty))
    return text


@kernel
def is_attacked(cells: Cells, square: int, by: int) -> bool:
    """Return whether a piece of one color (1 or -1) attacks a square."""
    for step in _JUMPS:
        if on_board(square + step) and cells[square + step] == by * KNIGHT:
            return True
    for direction in range(8):
        step, slider = _STEPS[direction], ROOK if direction < 4 else BISHOP
        start = square + step
        while on_board(start):
            piece = cells[start] * by
            if piece != 0:
                if piece in (slider, QUEEN) or (piece == KING and start == square + step):
                    return True
                break
            start += step
    left, right = square + 16 * by - 1, square + 16 * by + 1  # White's pawns stand below, on larger numbers
    return (on_board(left) and cells[left] == by * PAWN) or (on_board(right) and cells[right] == by * PAWN)


@kernel
def generate(cells: Cells, moves: Cells) -> int:
    """Write the pseudo-legal moves; return their number."""
    side, count = cells[SIDE], 0
    for start in range(128):
        kind = cells[start] * side
        if not on_board(start) or kind <= 0:
            continue
        if kind == PAWN:
            count = _pawn_moves(cells, moves, count, start, side)
        elif kind == KNIGHT:
            count = _walk(cells, moves, count, start, _JUMPS, False)
        elif kind == BISHOP:
            count = _walk(cells, moves, count, start, _STEPS[4:], True)
        elif kind == ROOK:
            count = _walk(cells, moves, count, start, _STEPS[:4], True)
        else:
            count = _walk(cells, moves, count, start, _STEPS, kind == QUEEN)
    return _castling_moves(cells, moves, count, side)


@kernel
def _walk(cells: Cells, moves: Cells, count: int, start: int, steps: Cells, slides: bool) -> int:
    own = cells[start]
    for step in steps:
        target = start + step
        while on_board(target):
            product = own * cells[target]
            if product <= 0:
                count = add(moves, count, start, target)
            if product != 0 or not slides:
                break
            target += step
    return count


@kernel
def _pawn_moves(cells: Cells, moves: Cells, count: int, start: int, side: int) -> int:
    forward = -16 * side
    first, last = (96, 0) if side > 0 else (16, 112)
    target = start + forward
    promotes = target & 0x70 == last
    if cells[target] == 0:
        count = add_pawn_move(moves, count, start, target, promotes)
        if start & 0x70 == first and cells[target + forward] == 0:
            count = add(moves, count, start, target + forward)
    behind = cells[BEHIND_BLACK if side > 0 else BEHIND_WHITE]
    for target in (start + forward - 1, start + forward + 1):
        if on_board(target) and (cells[target] * side < 0 or (behind != 0 and target == behind)):
            count = add_pawn_move(moves, count, start, target, promotes)
    return count


@kernel
def _castling_moves(cells: Cells, moves: Cells, count: int, side: int) -> int:
    king, a_side = (116, 78) if side > 0 else (4, 62)
    short = cells[a_side + 1] == 0 and cells[king + 1] == 0 and cells[king + 2] == 0
    long = cells[a_side] == 0 and cells[king - 1] == 0 and cells[king - 2] == 0 and cells[king - 3] == 0
    if not (short or long) or is_attacked(cells, king, -side):
        return count
    if short and not is_attacked(cells, king + 1, -side):
        count = add(moves, count, king, king + 2)
    if long and not is_attacked(cells, king - 1, -side):
        count = add(moves, count, king, king - 2)
    return count


@kernel
def make(cells: Cells, move: int, child: Cells) -> None:
    """Write the board after a move."""
    child[:] = cells
    start, target, side = start_of(move), target_of(move), cells[SIDE]
    kind = abs(cells[start])
    child[target] = side * promotion_of(move) if promotion_of(move) else cells[start]
    child[start] = 0
    child[BEHIND_BLACK] = child[BEHIND_WHITE] = 0
    if kind == KING:
        child[WHITE_KING if side > 0 else BLACK_KING] = target
        if abs(target - start) == 2:
            rook = target + 1 if target > start else target - 2
            child[(start + target) >> 1] = cells[rook]
            child[rook] = 0
    elif kind == PAWN:
        if abs(target - start) == 32:
            child[BEHIND_WHITE if side > 0 else BEHIND_BLACK] = (start + target) >> 1
        elif (target - start) & 15 != 0 and cells[target] == 0:  # en passant: a capture on an empty square
            child[target + 16 * side] = 0
    for square in (start, target):
        for cell in _CASTLING_CELLS[square]:
            if cell:
                child[cell] = -1
    if side < 0:
        number = 128 * np.int64(cells[MOVE_HIGH]) + cells[MOVE_LOW] + 1
        child[MOVE_HIGH], child[MOVE_LOW] = number >> 7, number & 127
    child[SIDE] = -side


@kernel
def may_stand(cells: Cells) -> bool:
    """Return whether the king of the side that has just moved is safe."""
    side = int64(cells[SIDE])
    return not is_attacked(cells, int64(cells[BLACK_KING if side > 0 else WHITE_KING]), side)
