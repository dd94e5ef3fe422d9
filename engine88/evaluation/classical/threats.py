"""Threats: what attacks a piece, and what guards it, looked up in one table.

The index is `victim type << 8 | guard state << 6 | attacker bits`. The table is built here from a few rules, so
that a piece costs three loads, however many rules there are.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine88.board.defs import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from engine88.board.record import Board
from engine88.compiler.jit import int64, kernel, uint64
from engine88.evaluation.classical.attack_maps import map_index
from engine88.evaluation.classical.evaluation_state import (
    BY_ANY,
    BY_BISHOP,
    BY_KING,
    BY_KNIGHT,
    BY_PAWN,
    BY_QUEEN,
    BY_ROOK,
    Evaluation,
)
from engine88.evaluation.classical.terms import (
    HANGING,
    PACKED,
    THREAT_BY_KING,
    THREAT_BY_MINOR,
    THREAT_BY_PAWN,
    THREAT_BY_QUEEN,
    THREAT_BY_ROOK,
    TRACING,
)

UNGUARDED: Final = 0
GUARDED: Final = 1
GUARDED_BY_PAWN: Final = 2
MAX_TERMS: Final = 6
NO_TERM: Final = -1


def threat_terms(victim: int, state: int, attackers: int) -> list[int]:
    """Return the offsets in PACKED of the threats against a piece type in a guard state by attacker bits."""
    if victim in (0, KING) or not attackers:
        return []
    place = victim - PAWN
    terms = []
    if attackers & BY_PAWN and victim != PAWN:
        terms.append(THREAT_BY_PAWN + place)
    if attackers & (BY_KNIGHT | BY_BISHOP) and _threatened_by_minor(victim, state):
        terms.append(THREAT_BY_MINOR + place)
    if attackers & BY_ROOK and (victim == QUEEN or (victim != ROOK and state != GUARDED_BY_PAWN)):
        terms.append(THREAT_BY_ROOK + place)
    if state == UNGUARDED:
        terms.append(HANGING + place)
        terms += [THREAT_BY_QUEEN] if attackers & BY_QUEEN else []
        terms += [THREAT_BY_KING] if attackers & BY_KING else []
    return terms


def _threatened_by_minor(victim: int, state: int) -> bool:
    """Return whether a minor piece threatens it: rooks and queens, minors without a pawn's guard, loose pawns."""
    if victim in (ROOK, QUEEN):
        return True
    return state != GUARDED_BY_PAWN if victim in (KNIGHT, BISHOP) else state == UNGUARDED


def _tables() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int16]]:
    """Return (packed threat, its terms padded with NO_TERM), by victim << 8 | state << 6 | attackers."""
    values = np.zeros(8 << 8, dtype=np.int64)
    terms = np.full((8 << 8, MAX_TERMS), NO_TERM, dtype=np.int16)
    for victim in range(PAWN, KING):
        for state in (UNGUARDED, GUARDED, GUARDED_BY_PAWN):
            for attackers in range(BY_ANY + 1):
                index = victim << 8 | state << 6 | attackers
                found = threat_terms(victim, state, attackers)
                values[index] = sum(PACKED[term] for term in found)
                terms[index, : len(found)] = found
    return values, terms


THREATS, THREATS_TERMS = _tables()


@kernel
def threats(board: Board, evaluation: Evaluation, color: int) -> int:
    """Return the packed value of the threats of the other side against the pieces and pawns of a color."""
    score = int64(0)
    for i in range(1, int64(board.list_sizes[uint64(color)])):
        square = int64(board.pieces[uint64(color), uint64(i)])
        victim = int64(board.squares[uint64(square)]) & 7
        guards = int64(evaluation.attacks[map_index(color, square)])
        attackers = int64(evaluation.attacks[map_index(color ^ 1, square)]) & BY_ANY
        state = (((guards & BY_ANY) + BY_ANY) >> 6) + (guards & BY_PAWN)
        index = victim << 8 | state << 6 | attackers
        score += THREATS[uint64(index)]
        if TRACING:
            trace_threats(evaluation, color ^ 1, index)
    return score


@kernel
def trace_threats(evaluation: Evaluation, color: int, index: int) -> None:
    """Count the terms of one entry of the table for the threatening colour."""
    for term in THREATS_TERMS[uint64(index)]:
        if term != NO_TERM:
            evaluation.term_counts[uint64(color), uint64(term)] += 1
