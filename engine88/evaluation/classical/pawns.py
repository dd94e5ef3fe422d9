"""Pawn structure, kept in the pawn table of the evaluation record.

A row holds all that depends on the pawns alone: their score, their attack map, the files they stand on and
the passed pawns. Tests on columns use rank bits: bit r of `pawn_columns[color, file + 1]` is a pawn on rank r.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine88.board.defs import BLACK, PAWN, WHITE
from engine88.board.record import Board
from engine88.board.squares import on_board
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.evaluation.classical.evaluation_state import (
    BY_PAWN,
    FILES_SHADE_SHIFT,
    PAWN_ROWS,
    PAWN_SPAN,
    WORD_FILES,
    WORD_KEY,
    WORD_KINGS,
    WORD_PASSERS,
    WORD_SCORE,
    Evaluation,
    weigh,
)
from engine88.evaluation.classical.psqt import counted_psqt_value
from engine88.evaluation.classical.terms import (
    PASSED,
    PAWN_BACKWARD,
    PAWN_BACKWARD_OPEN,
    PAWN_CANDIDATE,
    PAWN_DOUBLED,
    PAWN_ISOLATED,
    PAWN_ISOLATED_OPEN,
    PAWN_PHALANX,
    PAWN_SUPPORTED,
    TRACING,
)

BITS: Final[npt.NDArray[np.int64]] = np.array([number.bit_count() for number in range(256)], dtype=np.int64)


@inlined
def ahead(color: int, rank: int) -> int:
    """Return the rank bits in front of a rank, as its owner looks."""
    return (255 << (rank + 1)) & 255 if color == WHITE else (1 << rank) - 1


@inlined
def bit_of_rank(rank: int) -> int:
    """Return the bit of a rank; zero off the board (ranks -2 to 9)."""
    return (1 << rank) & 255 if rank >= 0 else 0


@kernel
def probe_pawns(board: Board, evaluation: Evaluation) -> int:
    """Return the row of the pawn table for these pawns, filled first if it holds another structure."""
    row = int64(board.pawn_key & uint64(PAWN_ROWS - 1))
    key = int64(board.pawn_key)
    if TRACING or evaluation.pawn_words[uint64(row), WORD_KEY] != key:
        fill_row(board, evaluation, row)
        evaluation.pawn_words[uint64(row), WORD_KEY] = key
    return row


@kernel
def fill_row(board: Board, evaluation: Evaluation, row: int) -> None:
    """Compute everything in a row of the pawn table; the shelters are left to be computed."""
    words = evaluation.pawn_words[uint64(row)]
    evaluation.pawn_maps[uint64(row)][:] = np.uint8(0)
    evaluation.pawn_columns[:] = int64(0)
    words[WORD_FILES] = enter_pawns(board, evaluation, row, int64(WHITE)) | enter_pawns(
        board, evaluation, row, int64(BLACK)
    )
    words[WORD_SCORE] = pawn_scores(board, evaluation, row, int64(WHITE)) - pawn_scores(
        board, evaluation, row, int64(BLACK)
    )
    words[WORD_KINGS] = -1


@kernel
def enter_pawns(board: Board, evaluation: Evaluation, row: int, color: int) -> int:
    """Enter the pawns of a color into columns and attack map; return their part of the files word."""
    columns = evaluation.pawn_columns[uint64(color)]
    files = int64(0)
    for i in range(1, int64(board.list_sizes[uint64(color)])):
        square = int64(board.pieces[uint64(color), uint64(i)])
        if (int64(board.squares[uint64(square)]) & 7) != PAWN:
            continue
        file = square & 7
        columns[uint64(file + 1)] |= 1 << (square >> 4)
        shade = (file + (square >> 4)) & 1
        files |= 1 << (color * 8 + file)
        files += 1 << (FILES_SHADE_SHIFT + (color * 2 + shade) * 4)
        mark_span(evaluation, row, square - 1, color)
        mark_span(evaluation, row, square + 1, color)
    return files


@inlined
def mark_span(evaluation: Evaluation, row: int, square: int, color: int) -> None:
    """Mark the squares a pawn attacks beside its own file: the nearest now, the others after advancing."""
    step = 16 - 32 * color
    target = square + step
    bits = int64(BY_PAWN | PAWN_SPAN)
    while on_board(target):
        evaluation.pawn_maps[uint64(row), uint64(target + color * 8)] |= np.uint8(bits)
        bits = int64(PAWN_SPAN)
        target += step


@kernel
def pawn_scores(board: Board, evaluation: Evaluation, row: int, color: int) -> int:
    """Return the packed score of the pawns of a color; note its passed pawns in the row."""
    score = int64(0)
    passers = int64(0)
    for i in range(1, int64(board.list_sizes[uint64(color)])):
        square = int64(board.pieces[uint64(color), uint64(i)])
        piece = int64(board.squares[uint64(square)])
        if (piece & 7) != PAWN:
            continue
        score += counted_psqt_value(evaluation, color, piece, square)
        score += pawn_structure(evaluation, square, color)
        if is_passed(evaluation, square, color):
            passers = passers << 8 | square
            score += weigh(evaluation, color, PASSED + ((square >> 4) ^ (7 * color)), int64(1))
        else:
            score += candidate_score(evaluation, square, color)
    evaluation.pawn_words[uint64(row), uint64(WORD_PASSERS + color)] = passers
    return score


@inlined
def is_passed(evaluation: Evaluation, square: int, color: int) -> bool:
    """Return whether no enemy pawn is ahead on its file or beside it, and no own pawn before it."""
    enemies = evaluation.pawn_columns[uint64(color ^ 1)]
    file = uint64(square & 7)
    enemy_ranks = enemies[file] | enemies[file + uint64(1)] | enemies[file + uint64(2)]
    own = evaluation.pawn_columns[uint64(color), file + uint64(1)]
    return bool(((enemy_ranks | own) & ahead(color, square >> 4)) == 0)


@inlined
def candidate_score(evaluation: Evaluation, square: int, color: int) -> int:
    """Return the score of a pawn on a half-open file whose neighbours can help it past the enemy pawns."""
    enemies = evaluation.pawn_columns[uint64(color ^ 1)]
    own = evaluation.pawn_columns[uint64(color)]
    file = uint64(square & 7)
    in_front = ahead(color, square >> 4)
    if ((enemies[file + uint64(1)] | own[file + uint64(1)]) & in_front) != 0:
        return int64(0)
    guards = BITS[uint64(enemies[file] & in_front)] + BITS[uint64(enemies[file + uint64(2)] & in_front)]
    behind = 255 ^ in_front
    helpers = BITS[uint64(own[file] & behind)] + BITS[uint64(own[file + uint64(2)] & behind)]
    if helpers < guards:
        return int64(0)
    return weigh(evaluation, color, PAWN_CANDIDATE + ((square >> 4) ^ (7 * color)), int64(1))


@kernel
def pawn_structure(evaluation: Evaluation, square: int, color: int) -> int:
    """Return the packed score of one pawn: isolated, doubled, backward, supported, phalanx."""
    own = evaluation.pawn_columns[uint64(color)]
    enemies = evaluation.pawn_columns[uint64(color ^ 1)]
    file = uint64(square & 7)
    rank = square >> 4
    forward = 1 - 2 * color
    relative_rank = rank ^ (7 * color)
    in_front = ahead(color, rank)
    neighbours = own[file] | own[file + uint64(2)]
    is_open = int64((enemies[file + uint64(1)] & in_front) == 0)
    score = int64(0)
    support = bit_of_rank(rank - forward)
    supporters = int64((own[file] & support) != 0) + int64((own[file + uint64(2)] & support) != 0)
    beside = int64((neighbours & (1 << rank)) != 0)
    score += weigh(evaluation, color, PAWN_SUPPORTED + relative_rank, supporters)
    score += weigh(evaluation, color, PAWN_PHALANX + relative_rank, beside)
    score += weigh(evaluation, color, PAWN_DOUBLED, int64((own[file + uint64(1)] & in_front) != 0))
    if neighbours == 0:
        score += weigh(evaluation, color, PAWN_ISOLATED, int64(1)) + weigh(
            evaluation, color, PAWN_ISOLATED_OPEN, is_open
        )
    elif (neighbours & (255 ^ in_front)) == 0:
        guards = (enemies[file] | enemies[file + uint64(2)]) & bit_of_rank(rank + 2 * forward)
        blocker = enemies[file + uint64(1)] & bit_of_rank(rank + forward)
        if (guards | blocker) != 0:
            score += weigh(evaluation, color, PAWN_BACKWARD, int64(1))
            score += weigh(evaluation, color, PAWN_BACKWARD_OPEN, is_open)
    return score
