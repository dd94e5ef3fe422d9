"""A weakened engine is weaker, but no blunder machine."""

import itertools
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine88.contract import MAX_ELO, MIN_ELO
from engine88.control.strength import LADDER, PLAUSIBLE_DOUBTS, choose, handicap


def test_the_ladder_spans_the_option_and_rises() -> None:
    assert (LADDER[0].elo, LADDER[-1].elo) == (MIN_ELO, MAX_ELO)
    for low, high in itertools.pairwise(LADDER):
        assert low.elo < high.elo
        assert low.nodes < high.nodes
        assert low.doubt_cp >= high.doubt_cp


@pytest.mark.parametrize("rung", LADDER, ids=lambda rung: str(rung.elo))
def test_a_rung_is_met_exactly(rung) -> None:  # type: ignore[no-untyped-def]  # parametrised
    met = handicap(rung.elo)
    assert abs(met.nodes - rung.nodes) <= 1
    assert met.lines == rung.lines
    assert met.doubt_cp == pytest.approx(rung.doubt_cp)


@given(st.integers(MIN_ELO, MAX_ELO - 1))
@settings(deadline=None, max_examples=100)
def test_more_elo_is_never_weaker(elo: int) -> None:
    low, high = handicap(elo), handicap(elo + 1)
    assert low.nodes <= high.nodes
    assert low.doubt_cp >= high.doubt_cp
    assert low.lines >= high.lines


@pytest.mark.parametrize("elo", [MIN_ELO - 1, MAX_ELO + 1])
def test_an_elo_out_of_range_is_named(elo: int) -> None:
    with pytest.raises(ValueError, match=str(elo)):
        handicap(elo)


@given(st.lists(st.integers(-32000, 32000), min_size=1, max_size=5), st.floats(0.0, 100.0), st.integers(0, 1000))
@settings(deadline=None, max_examples=200)
def test_an_implausible_line_is_never_drawn(scores: list[int], doubt: float, seed: int) -> None:
    index = choose(scores, doubt, Random(seed))
    assert scores[index] >= max(scores) - PLAUSIBLE_DOUBTS * doubt


def test_without_doubt_the_best_is_played() -> None:
    assert choose([10, 50, 49], 0.0, Random(1)) == 1


def test_nearer_lines_are_drawn_more_often() -> None:
    random = Random(88)
    drawn = Counter(choose([100, 90, 60, -500], 30.0, random) for _ in range(2000))
    assert drawn[0] > drawn[1] > drawn[2] > 0
    assert drawn[3] == 0


def test_a_mate_is_not_let_go() -> None:
    assert {choose([31995, 900, 880], 60.0, Random(seed)) for seed in range(50)} == {0}


def test_no_line_is_an_error() -> None:
    with pytest.raises(ValueError, match="no line"):
        choose([], 10.0, Random(1))
