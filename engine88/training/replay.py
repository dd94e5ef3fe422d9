"""Kernels that play games through on a board of 64 squares and write down the positions worth training on.

A board is uint8 [64], a1 = 0, h8 = 63; a piece is 1 to 6 (pawn, knight, bishop, rook, queen, king), plus 8 if it is
Black's; 0 is an empty square. Moves are packed as in `game_file`. Legality is not checked beyond what would
break the walk: moves come from games that were played.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine88.training.compiled import compiled, int64

PAWN: Final = 1
KNIGHT: Final = 2
BISHOP: Final = 3
ROOK: Final = 4
QUEEN: Final = 5
KING: Final = 6
BLACK: Final = 8
"""The bit of a black piece."""

SAMPLE_TYPE: Final[Any] = np.dtype(
    [
        ("occupancy", "<u8"),
        ("pieces_low", "<u8"),
        ("pieces_high", "<u8"),
        ("score_cp", "<i2"),
        ("ply", "<u2"),
        ("result", "u1"),
        ("own_king", "u1"),
        ("other_king", "u1"),
        ("held_out", "u1"),
    ]
)
"""A position of 32 bytes, as the side to move sees it (Black's ranks flipped): the occupied squares as bits; in order
of their squares the pieces, four bits each (type - 1, plus 8 for the opponent's), sixteen in each word; search score
and result (0 lost, 1 drawn, 2 won) for the side to move; plies since the start of the game; both kings' squares."""

_FILE_STEPS: Final = np.array([0, 0, 1, -1, 1, 1, -1, -1], np.int64)  # rook's directions, then bishop's
_RANK_STEPS: Final = np.array([1, -1, 0, 0, 1, -1, 1, -1], np.int64)
_KNIGHT_FILES: Final = np.array([1, 2, 2, 1, -1, -2, -2, -1], np.int64)
_KNIGHT_RANKS: Final = np.array([2, 1, -1, -2, -2, -1, 1, 2], np.int64)

NO_RESULT: Final = 3
"""The result of a sample that belongs to no game."""


class PackedGames(NamedTuple):
    """Games in arrays.

    boards uint8 [games, 64], black_moves (first), results for White and held_out uint8 [games],
    first_ply int64 [games + 1] (index into the plies), moves uint16 and White's scores_cp int16 [plies].
    """

    boards: NDArray[np.uint8]
    black_moves: NDArray[np.uint8]
    results: NDArray[np.uint8]
    held_out: NDArray[np.uint8]
    first_ply: NDArray[np.int64]
    moves: NDArray[np.uint16]
    scores_cp: NDArray[np.int16]


@compiled
def make_move(board: NDArray[np.uint8], move: int) -> None:
    """Play a packed move on `board`, with castling, en passant and promotion."""
    source = move & 63
    target = move >> 6 & 63
    piece = int64(board[source])
    if piece & 7 == PAWN and (source ^ target) & 7 != 0 and board[target] == 0:
        board[source & 56 | target & 7] = 0  # en passant
    if piece & 7 == KING and abs(target - source) == 2:
        rook_source = target + 1 if target > source else target - 2
        board[(source + target) >> 1] = board[rook_source]
        board[rook_source] = 0
    board[source] = 0
    board[target] = piece if move >> 12 == 0 else piece & BLACK | (move >> 12) + 1


@compiled
def is_playable(board: NDArray[np.uint8], move: int, black: int) -> bool:
    """Whether the side's own piece moves, not onto its own or a king, and only a pawn promotes."""
    piece = int64(board[move & 63])
    captured = int64(board[move >> 6 & 63])
    if piece == 0 or piece >> 3 != black or move >> 12 > 4:
        return False
    if captured != 0 and (captured >> 3 == black or captured & 7 == KING):
        return False
    rank = move >> 9 & 7
    return (move >> 12 != 0) == (piece & 7 == PAWN and (rank == 0 or rank == 7))


@compiled
def is_quiet(board: NDArray[np.uint8], move: int) -> bool:
    """Whether a move neither captures nor promotes."""
    source = move & 63
    target = move >> 6 & 63
    en_passant = board[source] & 7 == PAWN and (source ^ target) & 7 != 0
    return board[target] == 0 and move >> 12 == 0 and not en_passant


@compiled
def is_attacked(board: NDArray[np.uint8], square: int, by_black: int) -> bool:
    """Whether the given side attacks a square."""
    colour = by_black << 3
    file = square & 7
    rank = square >> 3
    for k in range(8):
        to_file = file + _KNIGHT_FILES[k]
        to_rank = rank + _KNIGHT_RANKS[k]
        if 0 <= to_file < 8 and 0 <= to_rank < 8 and board[to_rank << 3 | to_file] == KNIGHT | colour:
            return True
    for k in range(8):
        slider = ROOK if k < 4 else BISHOP
        to_file = file + _FILE_STEPS[k]
        to_rank = rank + _RANK_STEPS[k]
        distance = 1
        while 0 <= to_file < 8 and 0 <= to_rank < 8:
            piece = int64(board[to_rank << 3 | to_file])
            if piece != 0:
                kind = piece & 7
                if piece >> 3 == by_black:
                    if kind in (QUEEN, slider) or (distance == 1 and kind == KING):
                        return True
                    pawn_rank = 1 if by_black else -1  # where an attacking pawn stands, seen from the square
                    if distance == 1 and kind == PAWN and k >= 4 and _RANK_STEPS[k] == pawn_rank:
                        return True
                break
            to_file += _FILE_STEPS[k]
            to_rank += _RANK_STEPS[k]
            distance += 1
    return False


@compiled
def king_square(board: NDArray[np.uint8], black: int) -> int:
    """Square of a side's king, or -1."""
    for square in range(64):
        if board[square] == KING | black << 3:
            return square
    return -1


@compiled
def write_sample(board: NDArray[np.uint8], black: int, samples: NDArray[np.void], index: int) -> None:
    """Write the board, as the side to move sees it, to samples[index]."""
    flip = 56 if black else 0
    occupancy = np.uint64(0)
    low = np.uint64(0)
    high = np.uint64(0)
    count = 0
    for square in range(64):
        piece = int64(board[square ^ flip])
        if piece != 0:
            occupancy |= np.uint64(1) << np.uint64(square)
            other = (piece >> 3) ^ black
            nibble = np.uint64((piece & 7) - 1 | other << 3) << np.uint64(count % 16 * 4)
            if count < 16:
                low |= nibble
            else:
                high |= nibble
            if piece & 7 == KING and other:
                samples[index]["other_king"] = square
            elif piece & 7 == KING:
                samples[index]["own_king"] = square
            count += 1
    samples[index]["occupancy"] = occupancy
    samples[index]["pieces_low"] = low
    samples[index]["pieces_high"] = high


@compiled
def expand(games: PackedGames, min_ply: int, max_score_cp: int, samples: NDArray[np.void]) -> tuple[int, int]:
    """Write the quiet positions of all games to `samples`; how many, and the first game that is broken, or -1.

    Quiet: the side to move is not in check, the move played neither captures nor promotes, |score| <= max_score_cp,
    and at least `min_ply` plies were played since the start of the game.
    """
    count = 0
    board = np.empty(64, np.uint8)
    for game in range(games.results.shape[0]):
        board[:] = games.boards[game]
        black = int64(games.black_moves[game])
        if king_square(board, 0) < 0 or king_square(board, 1) < 0:
            return count, game
        first = games.first_ply[game]
        for at in range(first, games.first_ply[game + 1]):
            move = int64(games.moves[at])
            score_cp = int64(games.scores_cp[at])
            if not is_playable(board, move, black):
                return count, game
            wanted = at - first >= min_ply and abs(score_cp) <= max_score_cp and is_quiet(board, move)
            if wanted and not is_attacked(board, king_square(board, black), 1 - black):
                write_sample(board, black, samples, count)
                samples[count]["score_cp"] = -score_cp if black else score_cp
                result = int64(games.results[game])
                samples[count]["result"] = 2 - result if black else result
                samples[count]["ply"] = at - first
                samples[count]["held_out"] = games.held_out[game]
                count += 1
            make_move(board, move)
            black = 1 - black
    return count, -1
