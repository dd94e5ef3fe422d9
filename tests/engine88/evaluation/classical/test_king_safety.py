"""King safety: rules of the ring, pawns before the king, and attacks that grow faster than their parts."""

from __future__ import annotations

from engine88.board.defs import BLACK, WHITE
from engine88.evaluation.classical.evaluation_state import BY_KNIGHT, BY_PAWN, BY_QUEEN, BY_ROOK
from engine88.evaluation.classical.king_safety import (
    GUARDED,
    RING_KNIGHT,
    RING_QUEEN,
    RING_ROOK,
    RING_TWICE,
    RING_UNITS,
    RING_WEAK,
    king_danger,
    ring_terms,
    shelter,
)
from engine88.evaluation.classical.terms import SAFETY_WEIGHTS, endgame, middlegame
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.rules.fen import read_fen


def white_danger(fen: str) -> int:
    """Middlegame danger in centipawns of the white king."""
    board, evaluation = read_fen(fen), new_evaluation_state()
    evaluate(board, evaluation)
    return int(middlegame(king_danger(board, evaluation.classical, WHITE)))


def test_ring_squares_count_kinds_support_and_weakness() -> None:
    assert ring_terms(0) == ring_terms(GUARDED) == []
    assert ring_terms(GUARDED | BY_KNIGHT) == [RING_KNIGHT]
    assert ring_terms(BY_KNIGHT) == [RING_KNIGHT, RING_WEAK]
    assert ring_terms(GUARDED | BY_ROOK | BY_QUEEN) == [RING_ROOK, RING_QUEEN, RING_TWICE]
    assert ring_terms(BY_PAWN) == [RING_WEAK]


def test_the_ring_table_holds_the_sums_of_the_rules() -> None:
    for index in range(2 * GUARDED):
        assert RING_UNITS[index] == sum(int(SAFETY_WEIGHTS[term]) for term in ring_terms(index))


def test_an_attack_by_two_pieces_is_more_than_both_alone() -> None:
    rook = "6k1/8/8/8/6r1/8/5PPP/4R1K1 w - - 0 1"
    queen = "6k1/8/8/8/8/7q/5P1P/4R1K1 w - - 0 1"
    both = "6k1/8/8/8/6r1/7q/5P1P/4R1K1 w - - 0 1"
    assert white_danger(both) > white_danger(rook) + white_danger(queen)


def test_no_attacker_no_danger() -> None:
    assert white_danger("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1") == 0


def test_danger_weighs_in_both_phases() -> None:
    board, evaluation = read_fen("6k1/8/8/8/6r1/7q/5P1P/4R1K1 w - - 0 1"), new_evaluation_state()
    evaluate(board, evaluation)
    packed = king_danger(board, evaluation.classical, WHITE)
    assert 0 < int(endgame(packed)) < int(middlegame(packed))


def test_a_pawn_wall_is_better_than_none() -> None:
    evaluation = new_evaluation_state()
    wall = read_fen("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1")
    gone = read_fen("6k1/5ppp/8/8/8/8/PPP5/6K1 w - - 0 1")
    sheltered, bare = (int(middlegame(shelter(board, evaluation.classical, 0x06, WHITE))) for board in (wall, gone))
    assert sheltered > bare + 20
    mirrored = int(middlegame(shelter(wall, evaluation.classical, 0x76, BLACK)))
    assert mirrored == sheltered


def test_the_shelter_follows_the_king_although_the_pawns_stay() -> None:
    evaluation = new_evaluation_state()
    fens = ("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1", "6k1/5ppp/8/8/8/8/5PPP/1K6 w - - 0 1")
    used = [int(evaluate(read_fen(fen), evaluation)) for fen in fens]
    fresh = [int(evaluate(read_fen(fen), new_evaluation_state())) for fen in fens]
    assert used == fresh
