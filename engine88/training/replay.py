"""Kernels that play games through by the engine's rules and write down the positions worth training on."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine88.board.attacks import in_check
from engine88.board.defs import BLACK, EMPTY, KING, PAWN, WHITE
from engine88.board.moves import (
    CAPTURE,
    CASTLING,
    DOUBLE_PUSH,
    EN_PASSANT,
    PROMOTION_SHIFT,
    encode,
    from_square,
    is_castling,
    is_tactical,
    promotion,
    to_square,
)
from engine88.board.record import LIST_LENGTH, Board, build_lists, king_square
from engine88.board.squares import color_of, file_of, from_64, piece_of, to_64, type_of
from engine88.rules.legality import is_legal
from engine88.rules.make_move import make_move_without_keys
from engine88.training.compiled import compiled, int64

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

MOST_ODDS: Final = 20.0
"""Logarithm of the odds beyond which a score is as good as won: its expected result must not be rounded to 1."""

NO_RESULT: Final = 3
"""The result of a sample that belongs to no game."""


class PackedGames(NamedTuple):
    """Games in arrays.

    boards uint8 [games, 64] (piece codes, a1 = 0), sides, castling_rights, en_passants (as the engine's board holds
    them), results for White and held_out uint8 [games], first_ply int64 [games + 1] (index into the plies), moves
    uint16, White's scores_cp and what is learnt in their place, labels_cp, int16 [plies].
    """

    boards: NDArray[np.uint8]
    sides: NDArray[np.uint8]
    castling_rights: NDArray[np.uint8]
    en_passants: NDArray[np.uint8]
    results: NDArray[np.uint8]
    held_out: NDArray[np.uint8]
    first_ply: NDArray[np.int64]
    moves: NDArray[np.uint16]
    scores_cp: NDArray[np.int16]
    labels_cp: NDArray[np.int16]


@compiled
def looked_ahead(
    scores_cp: NDArray[np.int16], first_ply: NDArray[np.int64], td_lambda: float, scale_cp: float
) -> NDArray[np.int16]:
    """White's scores [plies], each mixed with those of the plies after it in its game, as expected results.

    A later search knows more than an earlier one, and the mean of several errs less than one. The weights fall by
    `td_lambda` a ply, and the last score has what is left of them: TD(lambda), Sutton 1988, "Learning to Predict by the
    Methods of Temporal Differences".
    """
    labels = np.empty_like(scores_cp)
    for game in range(first_ply.shape[0] - 1):
        last = first_ply[game + 1] - 1
        expected = 0.0
        for at in range(last, first_ply[game] - 1, -1):
            odds = min(max(scores_cp[at] / scale_cp, -MOST_ODDS), MOST_ODDS)
            own = 1 / (1 + np.exp(-odds))
            expected = own if at == last else own + td_lambda * (expected - own)
            labels[at] = np.rint(scale_cp * np.log(expected / (1 - expected)))
    return labels


@compiled
def packed_move(move: int) -> int:
    """A move of the engine as the files of games hold it."""
    source = from_square(move)
    target = to_square(move)
    if is_castling(move):
        target = source + 2 if target > source else source - 2
    kind = promotion(move)
    return to_64(source) | to_64(target) << 6 | (kind - 1 << 12 if kind else 0)


@compiled
def engine_move(board: Board, packed: int) -> int:
    """The engine's code of a move of a file; it may be illegal."""
    source = from_64(packed & 63)
    target = from_64(packed >> 6 & 63)
    kind = packed >> 12
    flags = kind + 1 << PROMOTION_SHIFT if kind else 0
    piece_type = type_of(int64(board.squares[source]))
    if piece_type == KING and abs(target - source) == 2:
        return encode(source, target + 1 if target > source else target - 2, CASTLING)
    if board.squares[target] != EMPTY:
        flags |= CAPTURE
    elif piece_type == PAWN and file_of(source) != file_of(target):
        flags |= CAPTURE | EN_PASSANT
    elif piece_type == PAWN and abs(target - source) == 32:
        flags |= DOUBLE_PUSH
    return encode(source, target, flags)


@compiled
def set_up(board: Board, games: PackedGames, game: int) -> bool:
    """Put the start of a game on a board of standard chess; False where a side has too many pieces or not one king."""
    sizes = np.zeros(2, np.int64)
    kings = np.zeros(2, np.int64)
    for square in range(64):
        piece = int64(games.boards[game, square])
        board.squares[from_64(square)] = piece
        if piece != EMPTY:
            sizes[color_of(piece)] += 1
            kings[color_of(piece)] += type_of(piece) == KING
    if sizes.max() > LIST_LENGTH or kings.min() != 1 or kings.max() != 1:
        return False
    build_lists(board)
    board.side = games.sides[game]
    board.castling_rights = games.castling_rights[game]
    board.en_passant = games.en_passants[game]
    return True


@compiled
def write_sample(board: Board, samples: NDArray[np.void], index: int) -> None:
    """Write the board, as the side to move sees it, to samples[index]."""
    side = int64(board.side)
    flip = 56 if side == BLACK else 0
    occupancy = np.uint64(0)
    low = np.uint64(0)
    high = np.uint64(0)
    count = 0
    for square in range(64):
        piece = int64(board.squares[from_64(square ^ flip)])
        if piece != EMPTY:
            occupancy |= np.uint64(1) << np.uint64(square)
            other = color_of(piece) ^ side
            nibble = np.uint64(piece_of(other, type_of(piece) - 1)) << np.uint64(count % 16 * 4)
            if count < 16:
                low |= nibble
            else:
                high |= nibble
            count += 1
    samples[index]["occupancy"] = occupancy
    samples[index]["pieces_low"] = low
    samples[index]["pieces_high"] = high
    samples[index]["own_king"] = to_64(king_square(board, side)) ^ flip
    samples[index]["other_king"] = to_64(king_square(board, 1 - side)) ^ flip


@compiled
def expand(
    board: Board, games: PackedGames, min_ply: int, max_score_cp: int, samples: NDArray[np.void]
) -> tuple[int, int]:
    """Write the quiet positions of all games to `samples`; how many, and the first game that is broken, or -1.

    Quiet: the side to move is not in check, the move played neither captures nor promotes, |score| <= max_score_cp,
    and at least `min_ply` plies were played since the start of the game. `board` is one of standard chess to work on.
    """
    count = 0
    for game in range(games.results.shape[0]):
        if not set_up(board, games, game):
            return count, game
        first = games.first_ply[game]
        for at in range(first, games.first_ply[game + 1]):
            move = engine_move(board, int64(games.moves[at]))
            score_cp = int64(games.scores_cp[at])
            if not is_legal(board, move):
                return count, game
            wanted = at - first >= min_ply and abs(score_cp) <= max_score_cp and not is_tactical(move)
            if wanted and not in_check(board):
                write_sample(board, samples, count)
                white = board.side == WHITE
                result = int64(games.results[game])
                label_cp = int64(games.labels_cp[at])
                samples[count]["score_cp"] = label_cp if white else -label_cp
                samples[count]["result"] = result if white else 2 - result
                samples[count]["ply"] = at - first
                samples[count]["held_out"] = games.held_out[game]
                count += 1
            board.stack_size = 0  # nothing is taken back
            make_move_without_keys(board, move)
    return count, -1
