"""Keys: all different, none trivial, the same in every run."""

from __future__ import annotations

from engine88.board import zobrist
from engine88.board.defs import NO_SQUARE
from engine88.rules.position import Position


def test_all_keys_differ() -> None:
    keys = [int(key) for table in (zobrist.PIECE_KEYS, zobrist.CASTLING_KEYS) for key in table.flat]
    keys += [int(key) for key in zobrist.EN_PASSANT_KEYS[:8]] + [int(zobrist.SIDE_KEY)]
    assert len(set(keys)) == len(keys)
    assert 0 not in keys


def test_bits_are_balanced() -> None:
    for bit in range(64):
        ones = sum(int(key) >> bit & 1 for key in zobrist.PIECE_KEYS.flat)
        assert 0.45 < ones / zobrist.PIECE_KEYS.size < 0.55


def test_no_en_passant_has_no_key_and_a_file_has_one_key() -> None:
    assert int(zobrist.EN_PASSANT_KEYS[NO_SQUARE]) == 0
    assert zobrist.EN_PASSANT_KEYS[0x23] == zobrist.EN_PASSANT_KEYS[0x53]


def test_the_key_of_the_start_is_the_same_in_every_run() -> None:
    assert Position.start().key == 3745422250988259328


def test_what_differs_in_one_fact_differs_in_its_key() -> None:
    fens = [
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3KR2 w Qkq - 0 1",
    ]
    assert len({Position.from_fen(fen).key for fen in fens}) == len(fens)
