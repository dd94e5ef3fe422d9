"""What moves in a run, and how its values appear in the source."""

from __future__ import annotations

import pytest

from engine88.training.tuning.kind import at_nodes, on_clock, search_dimensions
from engine88.training.tuning.tuning_games import RULES


def test_the_numbers_of_the_search_are_chosen_by_their_names() -> None:
    names = [one.name for one in search_dimensions(())]
    assert "LMR_BASE" in names
    assert not [name for name in names if name.startswith("TIME_")]
    assert "CORRECTION_SHIFT" not in names
    assert {one.name[:8] for one in search_dimensions(("PROBCUT_",))} == {"PROBCUT_"}
    with pytest.raises(ValueError, match="no number of the search begins with RAISIN"):
        search_dimensions(("RAISIN",))


def test_a_run_at_nodes_says_so_and_writes_whole_numbers() -> None:
    kind = at_nodes(("PROBCUT_",), RULES._replace(soft_nodes=3000))
    assert kind.limit == "3,000 nodes a move"
    assert kind.settings.names == tuple(one.name for one in kind.dimensions)
    assert kind.texts(["PROBCUT_MARGIN"], [-7]) == {"PROBCUT_MARGIN": "-7"}
    assert sorted(kind.made_with()) == ["rules"]


def test_a_run_on_a_clock_says_so_and_writes_shares() -> None:
    kind = on_clock(("TIME_SOFT_SHARE",), "5000+50", RULES)
    assert kind.limit == "a clock of 5000+50 nodes"
    assert kind.made_with()["clock"] == "5000+50"
    assert kind.texts(["TIME_SOFT_SHARE"], [312]) == {"TIME_SOFT_SHARE": "0.312"}


@pytest.mark.parametrize("clock", ["5000", "0+50", "5s+1", "+", "-5+1", "5000+"])
def test_a_clock_is_two_numbers_of_nodes(clock: str) -> None:
    with pytest.raises(ValueError, match=r"--clock must be nodes, like 500000\+5000, not"):
        on_clock((), clock, RULES)
