"""Numbers of the time manager are dimensions in whole numbers and thousandths, and come back as they were."""

from __future__ import annotations

import pytest

from engine88.control.time_manager import SHIPPED
from engine88.search.param_ranges import RANGES
from engine88.training.tuning.time_numbers import FIXED, source_values, time_dimensions, time_params


def test_every_number_that_a_game_shows_is_a_dimension_within_its_range() -> None:
    names = {one.name.split("[")[0] for one in time_dimensions()}
    assert names == {name for name in RANGES if name.startswith("TIME_")} - FIXED
    by_name = {one.name: one for one in time_dimensions(("TIME_S", "TIME_M"))}
    share, horizon = by_name["TIME_SOFT_SHARE"], by_name["TIME_MOVES_HORIZON"]
    assert (share.start, share.low, share.high) == (round(SHIPPED.soft_share * 1000), 100, 800)
    assert (horizon.start, horizon.low, horizon.high) == (SHIPPED.moves_horizon, 10, 60)
    stability = [one for name, one in by_name.items() if name.startswith("TIME_STABILITY_FACTOR[")]
    assert [one.start for one in stability] == [round(1000 * value) for value in SHIPPED.stability_factor]
    with pytest.raises(ValueError, match="begins with TIME_TABLE"):
        time_dimensions(("TIME_TABLE",))


def test_the_starts_are_the_shipped_numbers() -> None:
    found = time_dimensions()
    assert time_params([one.name for one in found], [one.start for one in found]) == SHIPPED


def test_changed_numbers_stand_in_their_places() -> None:
    names, values = ["TIME_STABILITY_FACTOR[1]", "TIME_CLEAR_DEPTH", "TIME_HARD_FACTOR"], [1234, 9, 5250]
    changed = time_params(names, values)
    first, _, *rest = SHIPPED.stability_factor
    assert changed.stability_factor == (first, 1.234, *rest)
    assert (changed.clear_depth, changed.hard_factor, changed.soft_share) == (9, 5.25, SHIPPED.soft_share)
    assert source_values(names, values) == {
        "TIME_STABILITY_FACTOR": repr(changed.stability_factor), "TIME_CLEAR_DEPTH": "9", "TIME_HARD_FACTOR": "5.25",
    }  # fmt: skip


def test_another_name_is_refused() -> None:
    with pytest.raises(ValueError, match="PROBCUT_MARGIN is not a number of the time manager"):
        time_params(["PROBCUT_MARGIN"], [1])
