"""Packed weights: both halves come back from sums, differences and multiples."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine88.evaluation.classical.terms import (
    OFFSETS,
    PACKED,
    SAFETY_COUNT,
    SAFETY_WEIGHTS,
    TERM_COUNT,
    TRACING,
    endgame,
    middlegame,
    pack,
)
from engine88.evaluation.classical.weights import SAFETY, TAPERED

halves = st.integers(-20000, 20000)


@given(halves, halves, halves, halves, st.integers(-30, 30))
def test_packed_sums_keep_both_halves(mg: int, eg: int, other_mg: int, other_eg: int, times: int) -> None:
    packed = pack(mg, eg) * times - pack(other_mg, other_eg)
    assert middlegame(packed) == mg * times - other_mg
    assert endgame(packed) == eg * times - other_eg


def test_every_weight_has_its_place() -> None:
    for name, (middlegames, endgames) in TAPERED.items():
        for i, (mg, eg) in enumerate(zip(middlegames, endgames, strict=True)):
            assert int(PACKED[OFFSETS[name] + i]) == pack(mg, eg), name
    assert sum(len(values[0]) for values in TAPERED.values()) == TERM_COUNT


def test_safety_units_keep_the_order_of_their_names() -> None:
    assert [int(unit) for unit in SAFETY_WEIGHTS] == list(SAFETY.values())
    assert len(SAFETY) == SAFETY_COUNT


def test_an_ordinary_process_does_not_count_terms() -> None:
    assert not TRACING
