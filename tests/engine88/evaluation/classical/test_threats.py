"""Threats: the rules of the table, and that a threat on the board is worth something."""

from __future__ import annotations

from engine88.board.defs import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from engine88.evaluation.classical.evaluation_state import (
    BY_ANY,
    BY_BISHOP,
    BY_KING,
    BY_KNIGHT,
    BY_PAWN,
    BY_QUEEN,
    BY_ROOK,
)
from engine88.evaluation.classical.terms import (
    HANGING,
    PACKED,
    THREAT_BY_KING,
    THREAT_BY_MINOR,
    THREAT_BY_PAWN,
    THREAT_BY_QUEEN,
    THREAT_BY_ROOK,
)
from engine88.evaluation.classical.threats import GUARDED, GUARDED_BY_PAWN, MAX_TERMS, THREATS, UNGUARDED, threat_terms
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.rules.fen import read_fen


def judge(fen: str) -> int:
    """Judgement by a fresh record."""
    return int(evaluate(read_fen(fen), new_evaluation_state()))


def test_no_attacker_no_threat_and_kings_are_not_threatened() -> None:
    assert threat_terms(ROOK, UNGUARDED, 0) == []
    assert threat_terms(KING, UNGUARDED, BY_ANY) == []


def test_a_pawn_threatens_every_piece_however_guarded() -> None:
    for victim in (KNIGHT, BISHOP, ROOK, QUEEN):
        for state in (GUARDED, GUARDED_BY_PAWN):
            assert threat_terms(victim, state, BY_PAWN) == [THREAT_BY_PAWN + victim - PAWN]
    assert threat_terms(PAWN, GUARDED, BY_PAWN) == []


def test_a_minor_piece_threatens_what_is_worth_more_or_badly_guarded() -> None:
    for attacker in (BY_KNIGHT, BY_BISHOP):
        assert threat_terms(ROOK, GUARDED_BY_PAWN, attacker) == [THREAT_BY_MINOR + ROOK - PAWN]
        assert threat_terms(KNIGHT, GUARDED_BY_PAWN, attacker) == []
        assert threat_terms(KNIGHT, GUARDED, attacker) == [THREAT_BY_MINOR + KNIGHT - PAWN]
        assert threat_terms(PAWN, GUARDED, attacker) == []


def test_loose_pieces_hang() -> None:
    for victim in (PAWN, KNIGHT, BISHOP, ROOK, QUEEN):
        assert HANGING + victim - PAWN in threat_terms(victim, UNGUARDED, BY_QUEEN)
        assert THREAT_BY_QUEEN in threat_terms(victim, UNGUARDED, BY_QUEEN)
        assert THREAT_BY_KING in threat_terms(victim, UNGUARDED, BY_KING)
        assert threat_terms(victim, GUARDED, BY_QUEEN | BY_KING) == []


def test_a_rook_threatens_queens_and_badly_guarded_pieces_but_not_rooks() -> None:
    assert threat_terms(QUEEN, GUARDED_BY_PAWN, BY_ROOK) == [THREAT_BY_ROOK + QUEEN - PAWN]
    assert threat_terms(BISHOP, GUARDED, BY_ROOK) == [THREAT_BY_ROOK + BISHOP - PAWN]
    assert threat_terms(ROOK, GUARDED, BY_ROOK) == []


def test_the_table_holds_the_sums_of_the_rules() -> None:
    for victim in (PAWN, KNIGHT, BISHOP, ROOK, QUEEN):
        for state in (UNGUARDED, GUARDED, GUARDED_BY_PAWN):
            for attackers in range(BY_ANY + 1):
                terms = threat_terms(victim, state, attackers)
                assert len(terms) <= MAX_TERMS
                assert THREATS[victim << 8 | state << 6 | attackers] == sum(int(PACKED[term]) for term in terms)


def test_a_fork_by_a_pawn_is_seen() -> None:
    forked = judge("4k3/8/8/2r1n3/3P4/8/8/R3K1N1 w - - 0 1")
    apart = judge("4k3/8/8/2r2n2/3P4/8/8/R3K1N1 w - - 0 1")
    assert forked > apart
