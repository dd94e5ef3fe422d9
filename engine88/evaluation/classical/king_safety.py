"""King safety: pawn shelter and storm, and the attack on the squares around the king in units whose square counts.

Source: chessprogramming wiki, "King Safety" (attack units, pawn shield, pawn storm).
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine88.board.attack_tables import KING_STEPS, KNIGHT_STEPS
from engine88.board.defs import EMPTY, PAWN, QUEEN
from engine88.board.record import Board
from engine88.board.squares import on_board
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.evaluation.classical.attack_maps import (
    EAST_STEP,
    NORTH_EAST_STEP,
    NORTH_STEP,
    NORTH_WEST_STEP,
    SOUTH_EAST_STEP,
    SOUTH_STEP,
    SOUTH_WEST_STEP,
    WEST_STEP,
    map_index,
)
from engine88.evaluation.classical.evaluation_state import (
    BY_ANY,
    BY_BISHOP,
    BY_KING,
    BY_KNIGHT,
    BY_QUEEN,
    BY_ROOK,
    WORD_KINGS,
    WORD_SHELTER,
    Evaluation,
    weigh,
)
from engine88.evaluation.classical.terms import SAFETY_NAMES, SAFETY_WEIGHTS, SHELTER, STORM, TRACING

RING_KNIGHT: Final = int64(SAFETY_NAMES.index("ring_knight"))
RING_BISHOP: Final = int64(SAFETY_NAMES.index("ring_bishop"))
RING_ROOK: Final = int64(SAFETY_NAMES.index("ring_rook"))
RING_QUEEN: Final = int64(SAFETY_NAMES.index("ring_queen"))
RING_TWICE: Final = int64(SAFETY_NAMES.index("ring_twice"))
RING_WEAK: Final = int64(SAFETY_NAMES.index("ring_weak"))
ATTACKING_KINDS: Final = int64(SAFETY_NAMES.index("attacking_kinds"))
CHECK_KNIGHT: Final = int64(SAFETY_NAMES.index("check_knight"))
CHECK_BISHOP: Final = int64(SAFETY_NAMES.index("check_bishop"))
CHECK_ROOK: Final = int64(SAFETY_NAMES.index("check_rook"))
CHECK_QUEEN: Final = int64(SAFETY_NAMES.index("check_queen"))
NO_QUEEN: Final = int64(SAFETY_NAMES.index("no_queen"))
BASE: Final = int64(SAFETY_NAMES.index("base"))

MIDDLEGAME_SQUARE_DIVISOR: Final = 1024  # danger in centipawns: units squared over this
ENDGAME_DIVISOR: Final = 16  # and units over this in the endgame
PIECES_BITS: Final = BY_KNIGHT | BY_BISHOP | BY_ROOK | BY_QUEEN
KINDS_FOR_CHECKS: Final = 2  # checks are looked for once this many kinds of piece attack the ring

GUARDED: Final = 64
MAX_RING_TERMS: Final = 6
RING_BITS: Final = ((BY_KNIGHT, RING_KNIGHT), (BY_BISHOP, RING_BISHOP), (BY_ROOK, RING_ROOK), (BY_QUEEN, RING_QUEEN))


def _ring_units() -> npt.NDArray[np.int64]:
    """Return the units of a ring square by attacker bits, plus GUARDED if another piece than the king guards it."""
    units = np.zeros(2 * GUARDED, dtype=np.int64)
    for index in range(2 * GUARDED):
        units[index] = sum(SAFETY_WEIGHTS[term] for term in ring_terms(index))
    return units


def ring_terms(index: int) -> list[int]:
    """Return the safety weights that count for a ring square with these bits."""
    attackers = index & BY_ANY
    terms = [term for bit, term in RING_BITS if attackers & bit]
    if attackers & PIECES_BITS and attackers.bit_count() > 1:
        terms.append(RING_TWICE)
    if attackers and index < GUARDED:
        terms.append(RING_WEAK)
    return terms


def _ring_term_table() -> npt.NDArray[np.int8]:
    """Return `ring_terms` as rows padded with -1, for a tracing process."""
    table = np.full((2 * GUARDED, MAX_RING_TERMS), -1, dtype=np.int8)
    for index in range(2 * GUARDED):
        terms = ring_terms(index)
        table[index, : len(terms)] = terms
    return table


RING_UNITS: Final = _ring_units()
RING_TERMS: Final = _ring_term_table()
KINDS: Final[npt.NDArray[np.int64]] = np.array([(bits & PIECES_BITS).bit_count() for bits in range(64)], dtype=np.int64)


@inlined
def shelters(board: Board, evaluation: Evaluation, row: int) -> int:
    """Return the packed shelter of the white king minus that of the black king, cached in the pawn table's row."""
    words = evaluation.pawn_words[uint64(row)]
    white_king = int64(board.pieces[uint64(0), uint64(0)])
    black_king = int64(board.pieces[uint64(1), uint64(0)])
    kings = white_king << 8 | black_king
    if TRACING or words[WORD_KINGS] != kings:
        words[WORD_SHELTER] = shelter(board, evaluation, white_king, int64(0)) - shelter(
            board, evaluation, black_king, int64(1)
        )
        words[WORD_KINGS] = kings
    return int64(words[WORD_SHELTER])


@kernel
def shelter(board: Board, evaluation: Evaluation, king: int, color: int) -> int:
    """Return the packed score of the pawns before a king: the nearest own and enemy pawn of three files."""
    score = int64(0)
    centre = min(max(king & 7, 1), 6)
    for file in range(centre - 1, centre + 2):
        own_rank = int64(0)
        enemy_rank = int64(0)
        square = (king & 0x70) | file
        while on_board(square):
            piece = int64(board.squares[uint64(square)])
            if (piece & 7) == PAWN:
                relative_rank = (square >> 4) ^ (7 * color)
                if piece >> 3 != color and enemy_rank == 0:
                    enemy_rank = relative_rank
                elif piece >> 3 == color and own_rank == 0:
                    own_rank = relative_rank
            square += 16 - 32 * color
        edge = min(file, 7 - file)
        score += weigh(evaluation, color, SHELTER + edge * 8 + own_rank, int64(1))
        blocked = int64(own_rank != 0 and own_rank + 1 == enemy_rank)
        score += weigh(evaluation, color, STORM + blocked * 8 + enemy_rank, int64(1))
    return score


@inlined
def count_units(evaluation: Evaluation, color: int, index: int, times: int) -> int:
    """Return the units of `times` occurrences against the king of a color; a tracing process counts them."""
    if TRACING:
        evaluation.safety_counts[uint64(color), uint64(index)] += times
    return int64(SAFETY_WEIGHTS[uint64(index)]) * times


@kernel
def king_danger(board: Board, evaluation: Evaluation, color: int) -> int:
    """Return the packed danger (>= 0) of the king of a color."""
    king = int64(board.pieces[uint64(color), uint64(0)])
    units = int64(0)
    everything = int64(0)
    for step in KING_STEPS:
        target = king + step
        if on_board(target):
            attackers = int64(evaluation.attacks[map_index(color ^ 1, target)]) & BY_ANY
            guards = int64(evaluation.attacks[map_index(color, target)]) & (BY_ANY ^ BY_KING)
            everything |= attackers
            index = attackers + GUARDED * int64(guards != 0)
            units += RING_UNITS[uint64(index)]
            if TRACING:
                trace_ring(evaluation, color, index)
    kinds = KINDS[uint64(everything)]
    if kinds == 0:
        return int64(0)
    units += count_units(evaluation, color, ATTACKING_KINDS, kinds)
    no_queen = int64(board.counts[uint64((color ^ 1) * 8 + QUEEN)] == 0)
    units += count_units(evaluation, color, NO_QUEEN, no_queen) + count_units(evaluation, color, BASE, int64(1))
    if kinds >= KINDS_FOR_CHECKS:
        units += safe_checks(board, evaluation, king, color)
    units = max(units, 0)
    return units * units // MIDDLEGAME_SQUARE_DIVISOR + ((units // ENDGAME_DIVISOR) << 32)


@kernel
def trace_ring(evaluation: Evaluation, color: int, index: int) -> None:
    """Count the units of one ring square in a tracing process."""
    for term in RING_TERMS[uint64(index)]:
        if term >= 0:
            evaluation.safety_counts[uint64(color), uint64(term)] += 1


@inlined
def check_bits(board: Board, evaluation: Evaluation, king: int, step: int, color: int) -> int:
    """Return the bits of attackers that reach an unguarded square on a walk from the king to the first piece."""
    found = int64(0)
    target = king + step
    while on_board(target):
        piece = int64(board.squares[uint64(target)])
        guards = int64(evaluation.attacks[map_index(color, target)]) & BY_ANY
        attackers = int64(evaluation.attacks[map_index(color ^ 1, target)]) & BY_ANY
        supported = guards == BY_KING and (attackers & (attackers - 1)) != 0
        if (guards == 0 or supported) and (piece == EMPTY or piece >> 3 == color):
            found |= attackers
        if piece != EMPTY:
            break
        target += step
    return found


@kernel
def safe_checks(board: Board, evaluation: Evaluation, king: int, color: int) -> int:
    """Return the units of checks that the attacker could give next move from squares the defender does not guard."""
    orthogonal = check_bits(board, evaluation, king, EAST_STEP, color) | check_bits(
        board, evaluation, king, WEST_STEP, color
    )
    orthogonal |= check_bits(board, evaluation, king, NORTH_STEP, color) | check_bits(
        board, evaluation, king, SOUTH_STEP, color
    )
    diagonal = check_bits(board, evaluation, king, NORTH_WEST_STEP, color) | check_bits(
        board, evaluation, king, NORTH_EAST_STEP, color
    )
    diagonal |= check_bits(board, evaluation, king, SOUTH_EAST_STEP, color) | check_bits(
        board, evaluation, king, SOUTH_WEST_STEP, color
    )
    knight_checks = int64(0)
    for step in KNIGHT_STEPS:
        target = king + step
        if on_board(target):
            guards = int64(evaluation.attacks[map_index(color, target)]) & BY_ANY
            attackers = int64(evaluation.attacks[map_index(color ^ 1, target)])
            piece = int64(board.squares[uint64(target)])
            if guards == 0 and (piece == EMPTY or piece >> 3 == color):
                knight_checks |= attackers
    units = count_units(evaluation, color, CHECK_KNIGHT, int64((knight_checks & BY_KNIGHT) != 0))
    units += count_units(evaluation, color, CHECK_BISHOP, int64((diagonal & BY_BISHOP) != 0))
    units += count_units(evaluation, color, CHECK_ROOK, int64((orthogonal & BY_ROOK) != 0))
    return units + count_units(evaluation, color, CHECK_QUEEN, int64(((orthogonal | diagonal) & BY_QUEEN) != 0))
