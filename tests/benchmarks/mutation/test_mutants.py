"""The sample depends on the seed alone; a larger one begins with the smaller; spots are drawn before mutations."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.mutation.mutants import Mutant, Place, Sample, ask, draw, is_idle, is_python

COMPARISONS = [
    Place("a.py", f"core/ReplaceComparisonOperator_Eq_{name}", 0, 1, 2) for name in ("Lt", "Gt", "Is", "NotEq")
]
PLACES = [*COMPARISONS, *(Place("a.py", "core/AddNot", row, row, 4) for row in range(2, 40))]


def test_the_same_seed_draws_the_same_sample_in_whatever_order_the_places_come() -> None:
    assert draw(PLACES, 10, seed=3) == draw(PLACES[::-1], 10, seed=3)
    assert draw(PLACES, 10, seed=3) != draw(PLACES, 10, seed=4)


def test_a_larger_sample_begins_with_the_smaller_one() -> None:
    assert draw(PLACES, 30, seed=3)[:10] == draw(PLACES, 10, seed=3)


def test_each_spot_is_drawn_once_however_many_mutations_it_has() -> None:
    drawn = draw(PLACES, 1000, seed=3)
    assert len(drawn) == 39
    assert max(Counter((place.row, place.column) for place in drawn).values()) == 1
    assert {draw(COMPARISONS, 1, seed)[0].operator for seed in range(60)} == {place.operator for place in COMPARISONS}


def test_annotations_and_numbers_are_never_drawn() -> None:
    places = [Place("a.py", name, 0, 1, 0) for name in ("core/NumberReplacer", "core/ReplaceBinaryOperator_BitOr_Add")]
    assert draw(places, 5, seed=1) == []


def test_what_is_left_out_after_the_draw_makes_room_for_the_next() -> None:
    drawn = draw(PLACES, 10, seed=3)
    others = draw(PLACES, 10, seed=3, left_out=lambda place: place in drawn[:4])
    assert others[:6] == drawn[4:]
    assert len(others) == 10


@pytest.mark.parametrize(
    ("operator", "line", "idle"),
    [
        ("core/ReplaceTrueWithFalse", "@dataclass(frozen=True, slots=True)", True),
        ("core/RemoveDecorator", "@dataclass(frozen=True, slots=True)", False),
        ("core/ReplaceTrueWithFalse", "    return True", False),
        ("core/ReplaceComparisonOperator_Eq_Is", "    if a == b:", True),
        ("core/ReplaceComparisonOperator_Eq_IsNot", "    if a == b:", False),
        ("core/ReplaceBinaryOperator_Mul_Div", "    *, name: str", True),
        ("core/ReplaceBinaryOperator_Mul_Sub", "    *values", True),
        ("core/ReplaceBinaryOperator_Mul_Sub", "    * value", False),
    ],
)
def test_slots_frozen_identity_and_stars_are_idle_changes(operator: str, line: str, idle: bool) -> None:
    assert is_idle(Place("a.py", operator, 0, 1, 4), line) is idle


def test_what_is_no_python_any_more_is_no_mutant() -> None:
    assert is_python("if not (a := b):\n    pass\n")
    assert not is_python("if not a := b:\n    pass\n")


def test_a_sample_is_read_back_as_it_was(tmp_path: Path) -> None:
    sample = Sample(3, 17, 99, [Mutant(PLACES[0], "a == b\n", "a < b\n")])
    sample.save(tmp_path / "sample.json")
    assert Sample.load(tmp_path / "sample.json") == sample


def test_a_mutant_shows_its_change_and_its_name() -> None:
    mutant = Mutant(Place("bot/a.py", "core/AddNot", 4, 2, 0), "x = 1\nif x:\n    y()\n", "x = 1\nif not x:\n    y()\n")
    assert mutant.name == "bot/a.py:2 AddNot/4"
    assert mutant.change() == ["-if x:", "+if not x:"]


def test_an_interpreter_without_cosmic_ray_is_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"(?s)cannot run cosmic-ray.*pip install cosmic-ray"):
        ask(sys.executable, "list", tmp_path, [])
