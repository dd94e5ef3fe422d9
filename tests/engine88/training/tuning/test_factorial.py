"""Which settings meet, and what the results of pairs say of each change."""

from __future__ import annotations

import numpy as np
import pytest

from engine88.training.match.standing import score_of
from engine88.training.tuning.factorial import Change, effects, effects_table, sides

CHANGES = [Change("LMR_BASE", 700, 960), Change("LMP_BASE", 6, 10), Change("SINGULAR_FACTOR", 1, 2)]


def test_each_side_has_what_the_other_has_not() -> None:
    drawn = [sides("1", pair, CHANGES) for pair in range(400)]
    for first, second in drawn:
        for one, value, other in zip(CHANGES, first, second, strict=True):
            assert {value, other} == {one.first, one.second}
    for number, one in enumerate(CHANGES):
        assert 150 < sum(first[number] == one.second for first, _ in drawn) < 250
    assert len({first for first, _ in drawn}) == 8
    assert drawn == [sides("1", pair, CHANGES) for pair in range(400)]
    assert drawn != [sides("2", pair, CHANGES) for pair in range(400)]


def played(elos: list[float], pairs: int) -> list[int]:
    """Half points of pairs between sides that are as strong as the sum of their second values says."""
    random, results = np.random.default_rng(5), []
    for pair in range(pairs):
        first = sides("1", pair, CHANGES).first
        ahead = sum(elo if value == one.second else -elo for elo, value, one in zip(elos, first, CHANGES, strict=True))
        results.append(int(random.binomial(4, score_of(ahead))))
    return results


def test_effects_are_found_within_their_bars() -> None:
    elos = [30.0, 0.0, -15.0]
    found = effects("1", CHANGES, played(elos, 4000))
    assert [one.change.name for one in found] == ["LMR_BASE", "LMP_BASE", "SINGULAR_FACTOR"]
    for one, elo in zip(found, elos, strict=True):
        assert abs(one.elo - elo) < one.bar
        assert 4 < one.bar < 7
    lines = effects_table(found).splitlines()
    assert lines[0].split() == ["name", "first", "second", "Elo"]
    assert lines[1].split()[:3] == ["LMR_BASE", "700", "960"]


def test_the_bars_hold_nineteen_times_of_twenty() -> None:
    outside = 0
    for seed in range(20):
        results = np.random.default_rng(seed).binomial(4, 0.5, 300).tolist()
        outside += sum(abs(one.elo) > one.bar for one in effects("1", CHANGES, results))
    assert outside <= 9  # of 60; three are expected


@pytest.mark.parametrize("pairs", [0, 4])
def test_too_few_pairs_say_nothing(pairs: int) -> None:
    assert effects("1", CHANGES, [2] * pairs) == []
    assert len(effects("1", CHANGES, [2] * 5)) == 3
