"""Endgame knowledge: mates against a bare king, and scales for drawish material.

Source: chessprogramming wiki, "Mop-up Evaluation", "Draw Evaluation", "Bishops of Opposite Colors".
"""

from typing import Final

from engine88.board.attack_tables import distance
from engine88.board.defs import BISHOP, BLACK, INFINITE, KNIGHT, PAWN, QUEEN, ROOK, WHITE
from engine88.board.record import Board
from engine88.board.squares import type_of
from engine88.compiler.jit import inlined, int64, kernel, uint64

NOT_SPECIAL: Final = INFINITE
FULL_SCALE: Final = 64
KNOWN_WIN_CP: Final = 5000
MINOR_CP: Final = 330
ROOK_CP: Final = 530
QUEEN_CP: Final = 1000
PAWN_CP: Final = 100
A_FILE_ONLY: Final = 0x01
H_FILE_ONLY: Final = 0x80


@inlined
def count(board: Board, color: int, piece_type: int) -> int:
    """Return the number of pieces of a type of a color."""
    return int64(board.counts[uint64(color * 8 + piece_type)])


@inlined
def pieces_cp(board: Board, color: int) -> int:
    """Return the rough value of the pieces without pawns, centipawns."""
    return (
        (count(board, color, KNIGHT) + count(board, color, BISHOP)) * MINOR_CP
        + count(board, color, ROOK) * ROOK_CP
        + count(board, color, QUEEN) * QUEEN_CP
    )


@inlined
def edge_push(square: int) -> int:
    """Return 0 in the centre to 60 in a corner: how far a king is driven to the edge."""
    file = square & 7
    rank = square >> 4
    return 10 * (max(3 - file, file - 4) + max(3 - rank, rank - 4))


@kernel
def score_against_lone_king(board: Board, strong: int) -> int:
    """Return the score of `strong` against a bare king, or NOT_SPECIAL where no rule applies.

    Drives the king to the edge; with bishop and knight alone to a corner of the bishop's shade.
    """
    weak = strong ^ 1
    king = int64(board.pieces[uint64(strong), uint64(0)])
    victim = int64(board.pieces[uint64(weak), uint64(0)])
    bishops = count(board, strong, BISHOP)
    knights = count(board, strong, KNIGHT)
    majors = count(board, strong, ROOK) + count(board, strong, QUEEN)
    drive = edge_push(victim) + 20 * (7 - distance(king, victim))
    material = pieces_cp(board, strong) + PAWN_CP * count(board, strong, PAWN)
    if majors > 0 or (bishops > 1 and has_both_shades(board, strong)):
        return KNOWN_WIN_CP + material + drive
    if bishops > 0 and knights > 0:
        return KNOWN_WIN_CP + material + 20 * (7 - distance(king, victim)) + corner_push(board, strong, victim)
    if count(board, strong, PAWN) == 0:
        return int64(0)
    return int64(NOT_SPECIAL)


@inlined
def bishop_shades(board: Board, color: int) -> int:
    """Return bit 0 for a bishop on dark squares (a1) plus bit 1 for one on light squares."""
    shades = int64(0)
    for i in range(1, int64(board.list_sizes[uint64(color)])):
        square = int64(board.pieces[uint64(color), uint64(i)])
        if (int64(board.squares[uint64(square)]) & 7) == BISHOP:
            shades |= 1 << ((square + (square >> 4)) & 1)
    return shades


@inlined
def has_both_shades(board: Board, color: int) -> bool:
    """Return whether a side has bishops on squares of both shades."""
    return bishop_shades(board, color) == 3


@inlined
def corner_push(board: Board, strong: int, victim: int) -> int:
    """Return 0 to 210: how near the lone king is to a corner of the bishop's shade."""
    dark = (bishop_shades(board, strong) & 1) == 1
    if dark:
        return 30 * (7 - min(distance(victim, 0x00), distance(victim, 0x77)))
    return 30 * (7 - min(distance(victim, 0x07), distance(victim, 0x70)))


@inlined
def pawnless_scale(board: Board, strong: int) -> int:
    """Return how much an advantage without pawns counts: 0 to 14 where a minor piece more or less wins nothing."""
    if count(board, strong, PAWN) != 0:
        return int64(FULL_SCALE)
    own_pieces = pieces_cp(board, strong)
    their_pieces = pieces_cp(board, strong ^ 1)
    if own_pieces - their_pieces > MINOR_CP:
        return int64(FULL_SCALE)
    if own_pieces < ROOK_CP:
        return int64(0)
    return int64(4) if their_pieces <= MINOR_CP else int64(14)


@inlined
def has_bishops_alone(board: Board, color: int) -> bool:
    """Return whether a side has bishops and no other piece beside king and pawns."""
    others = count(board, color, KNIGHT) + count(board, color, ROOK) + count(board, color, QUEEN)
    return others == 0 and count(board, color, BISHOP) > 0


@kernel
def endgame_scale(board: Board, files: int, strong: int) -> int:
    """Return how much of an endgame advantage of `strong` counts, 0 (dead draw) to FULL_SCALE."""
    weak = strong ^ 1
    pawns = count(board, strong, PAWN)
    own_pieces = pieces_cp(board, strong)
    their_pieces = pieces_cp(board, weak)
    drawn = pawnless_scale(board, strong)
    if drawn < FULL_SCALE:
        return drawn
    if is_wrong_rook_pawn(board, (files >> (strong * 8)) & 255, strong, own_pieces):
        return int64(0)
    if has_opposite_bishops(board):
        return opposite_bishops_scale(board, strong, own_pieces, their_pieces)
    if own_pieces == ROOK_CP and their_pieces == ROOK_CP:
        return rook_ending_scale(board, files, strong)
    return int64(min(FULL_SCALE, 44 + 5 * pawns))


@inlined
def has_opposite_bishops(board: Board) -> bool:
    """Return whether each side has one bishop, on squares of different shade."""
    if count(board, int64(WHITE), BISHOP) != 1 or count(board, int64(BLACK), BISHOP) != 1:
        return False
    return (bishop_shades(board, int64(WHITE)) ^ bishop_shades(board, int64(BLACK))) == 3


@inlined
def opposite_bishops_scale(board: Board, strong: int, own_pieces: int, their_pieces: int) -> int:
    """Return the scale with opposite bishops: nearly a draw alone, drawish with other pieces."""
    lead = count(board, strong, PAWN) - count(board, strong ^ 1, PAWN)
    if own_pieces == MINOR_CP and their_pieces == MINOR_CP:
        return int64(min(FULL_SCALE, 14 + 8 * max(lead, 0)))
    return int64(min(FULL_SCALE, 38 + 3 * count(board, strong, PAWN)))


@inlined
def rook_ending_scale(board: Board, files: int, strong: int) -> int:
    """Return the scale of a rook ending: one pawn more with all pawns on one wing is hard to win."""
    lead = count(board, strong, PAWN) - count(board, strong ^ 1, PAWN)
    own_files = (files >> (strong * 8)) & 255
    one_wing = (own_files & 0x0F) == 0 or (own_files & 0xF0) == 0
    if lead <= 1 and one_wing:
        king = int64(board.pieces[uint64(strong ^ 1), uint64(0)])
        near = (own_files >> max((king & 7) - 1, 0)) & 7
        return int64(32) if near != 0 else int64(44)
    return int64(min(FULL_SCALE, 44 + 5 * count(board, strong, PAWN)))


@kernel
def pawn_files(board: Board, color: int) -> int:
    """Return a bit for each file on which a color has a pawn."""
    files = int64(0)
    for i in range(1, int64(board.list_sizes[uint64(color)])):
        square = int64(board.pieces[uint64(color), uint64(i)])
        if type_of(int64(board.squares[uint64(square)])) == PAWN:
            files |= 1 << (square & 7)
    return files


@inlined
def is_wrong_rook_pawn(board: Board, own_files: int, strong: int, own_pieces: int) -> bool:
    """Return whether `strong` has only rook pawns of one file whose corner its bishop cannot and the king can reach."""
    if own_files != A_FILE_ONLY and own_files != H_FILE_ONLY:
        return False
    if own_pieces != count(board, strong, BISHOP) * MINOR_CP or count(board, strong, KNIGHT) > 0:
        return False
    corner = (0 if own_files == A_FILE_ONLY else 7) | (0x70 - 0x70 * strong)
    shade = 1 << ((corner + (corner >> 4)) & 1)
    if (bishop_shades(board, strong) & shade) != 0:
        return False
    king = int64(board.pieces[uint64(strong ^ 1), uint64(0)])
    return distance(king, corner) <= 1
