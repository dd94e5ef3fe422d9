"""The transposition table: what goes in comes out, and nothing else does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine88.board.defs import MATE
from engine88.compiler.jit import int64, uint64
from engine88.rules.position import Position
from engine88.search import tt
from tests.engine88.games import examples
from tests.engine88.searching import KIWIPETE

POSITIONS = {
    "quiets, captures, both castlings": KIWIPETE,
    "en passant": "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "promotions with and without capture": "1n5k/P1P5/8/8/8/8/5p1p/K5N1 w - - 0 1",
    "promotions of Black": "1n5k/P1P5/8/8/8/8/5p1p/K5N1 b - - 0 1",
    "double pushes": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
}
KEY = uint64(0x9E3779B97F4A7C15)


def put(table: tt.TranspositionTable, key: int, *, score: int = 0, depth: int = 5, bound: int = tt.BOUND_EXACT) -> None:
    integers = [int64(number) for number in (table.generation, 0, score, 17, depth, bound, 0, 0)]
    tt.store(uint64(table.address), uint64(table.buckets), uint64(key), *integers)


def get(table: tt.TranspositionTable, key: int) -> int:
    return int(tt.probe(uint64(table.address), uint64(table.buckets), uint64(key)))


def keys_of_one_bucket(table: tt.TranspositionTable, count: int) -> list[int]:
    return [int(KEY) + low for low in range(count)]  # the upper half chooses the bucket


@pytest.mark.parametrize("fen", POSITIONS.values(), ids=list(POSITIONS))
def test_every_move_survives_sixteen_bits(fen: str) -> None:
    moves = Position.from_fen(fen).legal_codes()
    packed = [int(tt.pack_move(int64(move))) for move in moves]
    assert all(0 < code < 1 << 16 for code in packed)
    assert [int(tt.unpack_move(int64(code))) for code in packed] == moves


@settings(max_examples=examples(200), deadline=None)
@given(
    key=st.integers(1, 2**64 - 1),
    score=st.integers(-31000, 31000),
    static_eval=st.integers(-15000, 15000),
    depth=st.integers(-1, 127),
    bound=st.integers(1, 3),
    tt_pv=st.integers(0, 1),
)
def test_an_entry_comes_back_as_it_was_stored(
    key: int, score: int, static_eval: int, depth: int, bound: int, tt_pv: int
) -> None:
    table = tt.TranspositionTable(1)
    integers = [int64(number) for number in (3, 0, score, static_eval, depth, bound, tt_pv, 0)]
    tt.store(uint64(table.address), uint64(table.buckets), uint64(key), *integers)
    data = uint64(get(table, key))
    assert tt.entry_score(data, int64(0)) == score
    assert tt.entry_static_eval(data) == static_eval
    assert tt.entry_depth(data) == depth
    assert tt.entry_bound(data) == bound
    assert tt.entry_is_pv(data) == tt_pv


def test_mates_are_counted_from_the_position() -> None:
    table = tt.TranspositionTable(1)
    for score in (MATE - 10, 10 - MATE):  # a mate at ply 10 of the root, found at ply 4: six plies away
        integers = [int64(number) for number in (0, 0, score, 0, 5, tt.BOUND_EXACT, 0, 4)]
        tt.store(uint64(table.address), uint64(table.buckets), KEY, *integers)
        data = uint64(get(table, int(KEY)))
        assert tt.entry_score(data, int64(4)) == score
        assert abs(int(tt.entry_score(data, int64(0)))) == MATE - 6
        assert abs(int(tt.entry_score(data, int64(2)))) == MATE - 8


def test_a_torn_entry_is_not_found() -> None:
    table = tt.TranspositionTable(1)
    put(table, int(KEY), score=100)
    assert get(table, int(KEY)) != 0
    words = table._words.array
    words[np.flatnonzero(words)[1]] ^= uint64(1 << 20)  # another thread's half of the data
    assert get(table, int(KEY)) == 0


def test_a_full_bucket_gives_up_its_shallowest() -> None:
    table = tt.TranspositionTable(1)
    keys = keys_of_one_bucket(table, 5)
    for key, depth in zip(keys, (9, 2, 7, 8, 5), strict=True):
        put(table, key, depth=depth)
    assert [get(table, key) != 0 for key in keys] == [True, False, True, True, True]


def test_old_entries_go_first() -> None:
    table = tt.TranspositionTable(1)
    keys = keys_of_one_bucket(table, 5)
    put(table, keys[0], depth=9)
    table.new_search()
    for key in keys[1:]:
        put(table, key, depth=3)
    assert [get(table, key) != 0 for key in keys] == [False, True, True, True, True]


def test_a_shallow_bound_does_not_replace_a_deep_entry() -> None:
    table = tt.TranspositionTable(1)
    put(table, int(KEY), score=50, depth=12)
    put(table, int(KEY), score=10, depth=2, bound=tt.BOUND_UPPER)
    assert tt.entry_score(uint64(get(table, int(KEY))), int64(0)) == 50
    put(table, int(KEY), score=20, depth=2)  # exact: news
    assert tt.entry_score(uint64(get(table, int(KEY))), int64(0)) == 20


def test_hashfull_counts_this_generation() -> None:
    table = tt.TranspositionTable(1)
    assert table.hashfull() == 0
    random = np.random.default_rng(88)
    for key in random.integers(1, 2**63, 6000):
        put(table, int(key) * 2 + 1)
    filled = table.hashfull()
    assert 50 < filled < 200  # of 65536 entries
    table.new_search()
    assert table.hashfull() == 0
    table.clear()
    assert get(table, int(KEY)) == 0


def test_a_size_below_one_megabyte_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 MB"):
        tt.TranspositionTable(0)
