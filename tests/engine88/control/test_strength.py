"""A weakened engine is weaker, but no blunder machine."""

import itertools
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine88.contract import MAX_ELO, MIN_ELO
from engine88.control.strength import MAX_TEMPERATURES, STRENGTH_LEVELS, choose_line, handicap
from tests.helpers.examples import scaled


def test_the_strength_levels_span_the_option_and_rise() -> None:
    assert (STRENGTH_LEVELS[0].elo, STRENGTH_LEVELS[-1].elo) == (MIN_ELO, MAX_ELO)
    for low, high in itertools.pairwise(STRENGTH_LEVELS):
        assert low.elo < high.elo
        assert low.line_nodes < high.line_nodes
        assert low.lines >= high.lines
        assert low.temperature_cp >= high.temperature_cp


@pytest.mark.parametrize("level", STRENGTH_LEVELS, ids=lambda level: str(level.elo))
def test_each_level_is_met_exactly(level) -> None:  # type: ignore[no-untyped-def]  # parametrised
    met = handicap(level.elo)
    assert abs(met.nodes - level.lines * level.line_nodes) <= 1
    assert met.lines == level.lines
    assert met.temperature_cp == pytest.approx(level.temperature_cp)


def test_between_two_levels_nodes_and_temperature_lie_between_theirs() -> None:
    """A quarter of the way, nodes by their logarithm; lines are those of the weaker one."""
    low, high = STRENGTH_LEVELS[1:3]
    met = handicap(low.elo + (high.elo - low.elo) // 4)
    share = ((high.elo - low.elo) // 4) / (high.elo - low.elo)
    nodes = low.lines * low.line_nodes * (high.line_nodes / low.line_nodes) ** share
    assert met.nodes == pytest.approx(nodes, abs=1)
    assert met.lines == low.lines
    assert met.temperature_cp == pytest.approx(low.temperature_cp + share * (high.temperature_cp - low.temperature_cp))


@given(st.integers(MIN_ELO, MAX_ELO - 1))
@settings(deadline=None, max_examples=scaled(100))
def test_more_elo_is_never_weaker(elo: int) -> None:
    low, high = handicap(elo), handicap(elo + 1)
    assert low.nodes / low.lines <= high.nodes / high.lines + 1  # each is rounded
    assert low.lines >= high.lines
    assert low.temperature_cp >= high.temperature_cp


@pytest.mark.parametrize("elo", [MIN_ELO - 1, MAX_ELO + 1])
def test_an_elo_out_of_range_is_named(elo: int) -> None:
    with pytest.raises(ValueError, match=str(elo)):
        handicap(elo)


@given(st.lists(st.integers(-32000, 32000), min_size=1, max_size=5), st.floats(0.0, 100.0), st.integers(0, 1000))
@settings(deadline=None, max_examples=scaled(200))
def test_an_implausible_line_is_never_drawn(scores: list[int], temperature: float, seed: int) -> None:
    index = choose_line(scores, temperature, Random(seed))
    assert scores[index] >= max(scores) - MAX_TEMPERATURES * temperature


def test_at_zero_temperature_the_best_line_is_played() -> None:
    assert choose_line([10, 50, 49], 0.0, Random(1)) == 1


def test_nearer_lines_are_drawn_more_often() -> None:
    random = Random(88)
    drawn = Counter(choose_line([100, 90, 60, -500], 30.0, random) for _ in range(2000))
    assert drawn[0] > drawn[1] > drawn[2] > 0
    assert drawn[3] == 0


def test_a_mate_is_not_let_go() -> None:
    assert {choose_line([31995, 900, 880], 60.0, Random(seed)) for seed in range(50)} == {0}


def test_no_line_is_an_error() -> None:
    with pytest.raises(ValueError, match="no line"):
        choose_line([], 10.0, Random(1))
