"""Where the middlegame and the endgame of a game begin, as scalachess divides it (`Divider.scala`)."""

from __future__ import annotations

from collections.abc import Iterable

import chess

MIDDLEGAME_PIECES, ENDGAME_PIECES, FULL_RANK, MIXED = 10, 6, 4, 150
SMALL_SQUARE = 0x0303


def division(boards: Iterable[chess.Board]) -> dict[str, int]:
    """Return the plies `middle` and `end`, each only if the game reached it; `boards` has all positions in order."""
    middle = end = None
    for ply, board in enumerate(boards):
        pieces = chess.popcount(board.occupied & ~(board.kings | board.pawns))
        if middle is None and (pieces <= MIDDLEGAME_PIECES or _is_sparse(board) or _mixedness(board) > MIXED):
            middle = ply
        if end is None and pieces <= ENDGAME_PIECES:
            end = ply
    if middle is None:
        return {}
    found = {} if end is not None and end <= middle else {"middle": middle}
    return found if end is None else found | {"end": end}


def _is_sparse(board: chess.Board) -> bool:
    """Return whether a side has left its first rank."""
    first = chess.popcount(board.occupied_co[chess.WHITE] & chess.BB_RANK_1)
    last = chess.popcount(board.occupied_co[chess.BLACK] & chess.BB_RANK_8)
    return min(first, last) < FULL_RANK


def _mixedness(board: chess.Board) -> int:
    """Return how much both sides' men mingle, over all squares of two by two fields."""
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    return sum(
        _score(y + 1, chess.popcount(white & region), chess.popcount(black & region))
        for y in range(7)
        for region in (SMALL_SQUARE << (x + 8 * y) for x in range(7))
    )


def _score(y: int, white: int, black: int) -> int:
    """Return the points of a square whose lower rank is `y`, from 1, by the men of both sides in it."""
    if not white and not black:
        return 0
    if not black:
        home = {1: 0, 2: 2, 3: 1, 4: 1}[white]
        return {1: 9 - y, 2: y, 3: y + 2, 4: y + 2}[white] if y > home else 0
    if not white:
        home = {1: 8, 2: 6, 3: 7, 4: 7}[black]
        return {1: 1 + y, 2: 8 - y, 3: 10 - y, 4: 10 - y}[black] if y < home else 0
    mixed = {(1, 1): 5 + abs(3 - y), (2, 1): 4 + y, (3, 1): 5 + y, (1, 2): 10 - y, (2, 2): 7, (1, 3): 11 - y}
    return mixed[white, black]
