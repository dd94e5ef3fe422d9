"""Piece terms in one pass over a piece list: piece-square values, mobility, outposts, files; fills the attack map."""

from typing import Final

from engine88.board.attack_tables import KING_STEPS, distance
from engine88.board.defs import BISHOP, KING, KNIGHT, PAWN, ROOK
from engine88.board.record import Board
from engine88.board.squares import on_board
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.evaluation.classical.attack_maps import (
    EAST_STEP,
    ENE,
    ESE,
    NNE,
    NNW,
    NORTH_EAST_STEP,
    NORTH_STEP,
    NORTH_WEST_STEP,
    SOUTH_EAST_STEP,
    SOUTH_STEP,
    SOUTH_WEST_STEP,
    SSE,
    SSW,
    WEST_STEP,
    WNW,
    WSW,
    add_attack,
    map_index,
)
from engine88.evaluation.classical.evaluation_state import (
    BY_BISHOP,
    BY_KING,
    BY_KNIGHT,
    BY_PAWN,
    BY_QUEEN,
    BY_ROOK,
    FILES_SHADE_SHIFT,
    MOBILITY_SQUARE,
    PAWN_SPAN,
    RAY_END_SHIFT,
    UNROLLED_STEPS,
    Evaluation,
    weigh,
)
from engine88.evaluation.classical.psqt import counted_psqt_value
from engine88.evaluation.classical.terms import (
    BAD_BISHOP,
    BISHOP_KING_DISTANCE,
    BISHOP_OUTPOST,
    BISHOP_PAIR,
    KNIGHT_KING_DISTANCE,
    KNIGHT_OUTPOST,
    MINOR_BEHIND_PAWN,
    MOBILITY_BISHOP,
    MOBILITY_KNIGHT,
    MOBILITY_QUEEN,
    MOBILITY_ROOK,
    ROOK_HALF_OPEN_FILE,
    ROOK_OPEN_FILE,
    ROOK_SEVENTH,
    TRAPPED_ROOK,
)

TRAPPED_MOBILITY: Final = 4  # a rook with fewer squares beside its own king is shut in


@inlined
def mark_ray(evaluation: Evaluation, square: int, step: int, color: int, bit: int) -> int:
    """Mark one ray up to its first piece in the attack map; return its mobility.

    Where a ray ends cannot be predicted, so its first steps are taken without a branch: beyond its end they change
    nothing.
    """
    index = int64(map_index(color, square))  # signed like the step: an unsigned sum would overflow in plain Python
    mobility = int64(0)
    alive = int64(1)
    for _ in range(UNROLLED_STEPS):
        index += step
        found = int64(evaluation.mobility_map[uint64(index)])
        add_attack(evaluation, uint64(index), bit & -alive)
        mobility += found & alive
        alive &= found >> RAY_END_SHIFT ^ 1
    while alive:
        index += step
        found = int64(evaluation.mobility_map[uint64(index)])
        add_attack(evaluation, uint64(index), bit)
        mobility += found & MOBILITY_SQUARE
        alive = found >> RAY_END_SHIFT ^ 1
    return mobility


@inlined
def mark_leap(evaluation: Evaluation, square: int, step: int, color: int, bit: int) -> int:
    """Mark one knight step in the attack map; return its mobility, 0 or 1."""
    index = map_index(color, square + step)
    add_attack(evaluation, index, bit)
    return int64(evaluation.mobility_map[index]) & MOBILITY_SQUARE


@inlined
def mark_knight_attacks(evaluation: Evaluation, square: int, color: int) -> int:
    """Mark the attacks of a knight; return its mobility."""
    return (
        mark_leap(evaluation, square, SSW, color, BY_KNIGHT)
        + mark_leap(evaluation, square, SSE, color, BY_KNIGHT)
        + mark_leap(evaluation, square, WSW, color, BY_KNIGHT)
        + mark_leap(evaluation, square, ESE, color, BY_KNIGHT)
        + mark_leap(evaluation, square, WNW, color, BY_KNIGHT)
        + mark_leap(evaluation, square, ENE, color, BY_KNIGHT)
        + mark_leap(evaluation, square, NNW, color, BY_KNIGHT)
        + mark_leap(evaluation, square, NNE, color, BY_KNIGHT)
    )


@inlined
def mark_diagonals(evaluation: Evaluation, square: int, color: int, bit: int) -> int:
    """Mark the rays along the four diagonals; return their mobility."""
    return (
        mark_ray(evaluation, square, NORTH_WEST_STEP, color, bit)
        + mark_ray(evaluation, square, NORTH_EAST_STEP, color, bit)
        + mark_ray(evaluation, square, SOUTH_EAST_STEP, color, bit)
        + mark_ray(evaluation, square, SOUTH_WEST_STEP, color, bit)
    )


@inlined
def lines(evaluation: Evaluation, square: int, color: int, bit: int) -> int:
    """Mark the rays along rank and file; return their mobility."""
    return (
        mark_ray(evaluation, square, EAST_STEP, color, bit)
        + mark_ray(evaluation, square, WEST_STEP, color, bit)
        + mark_ray(evaluation, square, NORTH_STEP, color, bit)
        + mark_ray(evaluation, square, SOUTH_STEP, color, bit)
    )


@kernel
def mark_king(board: Board, evaluation: Evaluation, color: int) -> int:
    """Mark the attacks of a king; return its packed piece-square value."""
    square = int64(board.pieces[uint64(color), uint64(0)])
    for step in KING_STEPS:
        add_attack(evaluation, map_index(color, square + step), BY_KING)
    return counted_psqt_value(evaluation, color, color * 8 + KING, square)


@kernel
def piece_activity(board: Board, evaluation: Evaluation, files: int, color: int) -> int:
    """Return the packed score of all pieces of a color but king and pawns; mark their attacks."""
    score = int64(0)
    for i in range(1, int64(board.list_sizes[uint64(color)])):
        square = int64(board.pieces[uint64(color), uint64(i)])
        piece = int64(board.squares[uint64(square)])
        piece_type = piece & 7
        if piece_type == PAWN:
            continue
        score += counted_psqt_value(evaluation, color, piece, square)
        if piece_type == KNIGHT:
            score += knight_score(board, evaluation, square, color)
        elif piece_type == BISHOP:
            score += bishop_score(board, evaluation, files, square, color)
        elif piece_type == ROOK:
            score += rook_score(board, evaluation, files, square, color)
        else:
            mobility = mark_diagonals(evaluation, square, color, BY_QUEEN)
            mobility += lines(evaluation, square, color, BY_QUEEN)
            score += weigh(evaluation, color, MOBILITY_QUEEN + mobility, int64(1))
    pair = int64(board.counts[uint64(color * 8 + BISHOP)] >= 2)
    return score + weigh(evaluation, color, BISHOP_PAIR, pair)


@kernel
def knight_score(board: Board, evaluation: Evaluation, square: int, color: int) -> int:
    """Return the score of a knight: mobility, outpost, pawn in front, distance to its king."""
    mobility = mark_knight_attacks(evaluation, square, color)
    score = weigh(evaluation, color, MOBILITY_KNIGHT + mobility, int64(1))
    score += weigh(evaluation, color, KNIGHT_OUTPOST, is_outpost(evaluation, square, color))
    return score + minor_score(board, evaluation, square, color, int64(KNIGHT_KING_DISTANCE))


@kernel
def bishop_score(board: Board, evaluation: Evaluation, files: int, square: int, color: int) -> int:
    """Return the score of a bishop: mobility, outpost, own pawns on its shade, pawn in front, distance to its king."""
    mobility = mark_diagonals(evaluation, square, color, BY_BISHOP)
    score = weigh(evaluation, color, MOBILITY_BISHOP + mobility, int64(1))
    score += weigh(evaluation, color, BISHOP_OUTPOST, is_outpost(evaluation, square, color))
    shade = (square + (square >> 4)) & 1
    pawns = (files >> (FILES_SHADE_SHIFT + (color * 2 + shade) * 4)) & 15
    score += weigh(evaluation, color, BAD_BISHOP, pawns)
    return score + minor_score(board, evaluation, square, color, int64(BISHOP_KING_DISTANCE))


@inlined
def is_outpost(evaluation: Evaluation, square: int, color: int) -> int:
    """Return 1 for a square guarded by an own pawn that no enemy pawn attacks or can come to attack."""
    own = int64(evaluation.attacks[map_index(color, square)])
    enemy = int64(evaluation.attacks[map_index(color ^ 1, square)])
    return own & BY_PAWN & int64((enemy & PAWN_SPAN) == 0)


@inlined
def minor_score(board: Board, evaluation: Evaluation, square: int, color: int, distance_term: int) -> int:
    """Return what knights and bishops share: a pawn right in front, the distance to the own king."""
    front = square + 16 - 32 * color
    shielded = int64(0)
    if on_board(front):
        shielded = int64((int64(board.squares[uint64(front)]) & 7) == PAWN)
    king = int64(board.pieces[uint64(color), uint64(0)])
    score = weigh(evaluation, color, MINOR_BEHIND_PAWN, shielded)
    return score + weigh(evaluation, color, distance_term, distance(square, king))


@kernel
def rook_score(board: Board, evaluation: Evaluation, files: int, square: int, color: int) -> int:
    """Return the score of a rook: mobility, file, seventh rank, and whether its own king shuts it in."""
    mobility = lines(evaluation, square, color, BY_ROOK)
    score = weigh(evaluation, color, MOBILITY_ROOK + mobility, int64(1))
    file = square & 7
    own_pawn = (files >> (color * 8 + file)) & 1
    enemy_pawn = (files >> (8 - color * 8 + file)) & 1
    score += weigh(evaluation, color, ROOK_OPEN_FILE, (own_pawn | enemy_pawn) ^ 1)
    score += weigh(evaluation, color, ROOK_HALF_OPEN_FILE, (own_pawn ^ 1) & enemy_pawn)
    enemy_king = int64(board.pieces[uint64(color ^ 1), uint64(0)])
    seventh = int64((square >> 4) ^ (7 * color) == 6) & int64((enemy_king >> 4) ^ (7 * color) == 7)
    score += weigh(evaluation, color, ROOK_SEVENTH, seventh)
    if mobility < TRAPPED_MOBILITY and own_pawn == 1:
        king = int64(board.pieces[uint64(color), uint64(0)])
        same_rank = (king >> 4) == (square >> 4)
        king_file = king & 7
        if same_rank and (file > king_file) == (king_file >= 4):
            score += weigh(evaluation, color, TRAPPED_ROOK, int64(1))
    return score
