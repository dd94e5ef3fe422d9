"""A mutant is tried against the tests that execute its statement, the mirroring file's and the quickest first."""

from __future__ import annotations

import pytest

from benchmarks.mutation.choice import choose_tests, executing_tests, inside_function, statement, within
from benchmarks.mutation.coverage_map import CoverageMap
from benchmarks.mutation.mutants import Place

SOURCE = """LIMIT = 3


@decorated
def first(x=LIMIT):
    if (
        x > 1
    ):
        return call(
            x,
        )
    try:
        pass
    except ValueError:
        x = 2
    return None
"""
NEAR, FAR = "tests/bot/test_a.py", "tests/bot/test_b.py"
COVERED = CoverageMap(
    lines={
        "bot/a.py": {
            1: [""],
            5: ["", f"{FAR}::imports"],
            6: [f"{NEAR}::slow", f"{NEAR}::quick", f"{FAR}::quickest", f"{FAR}::broken"],
            9: [f"{FAR}::quickest"],
        }
    },
    seconds={f"{NEAR}::slow": 2.0, f"{NEAR}::quick": 0.1, f"{FAR}::quickest": 0.01, f"{FAR}::imports": 0.02},
    failed=[f"{FAR}::broken"],
)


def at(row: int) -> list[str]:
    return choose_tests(Place("bot/a.py", "core/AddNot", 0, row, 0), SOURCE, COVERED)


@pytest.mark.parametrize(
    ("row", "lines"),
    [(1, range(1, 2)), (4, range(4, 6)), (7, range(6, 9)), (10, range(9, 12)), (14, range(14, 15)), (3, range(3, 4))],
)
def test_a_statement_is_the_innermost_one_less_its_body(row: int, lines: range) -> None:
    assert statement(SOURCE, row) == lines


def test_a_default_and_a_decorator_run_at_import_and_the_body_with_the_call() -> None:
    assert [row for row in range(1, 17) if inside_function(SOURCE, row)] == list(range(6, 17))


def test_the_mirroring_file_comes_first_and_its_quick_tests_before_the_slow() -> None:
    assert at(7) == [f"{NEAR}::quick", f"{NEAR}::slow", f"{FAR}::quickest"]


def test_a_line_within_a_statement_counts_as_its_statement() -> None:
    assert at(10) == [f"{NEAR}::quick", f"{NEAR}::slow", f"{FAR}::quickest"]
    assert f"{FAR}::quickest" not in at(16)


def test_what_runs_at_import_is_tried_against_every_test_that_executes_the_module() -> None:
    assert set(at(1)) == set(COVERED.seconds)


def test_the_mirroring_file_is_tried_even_where_coverage_sees_nothing_executed() -> None:
    assert at(15) == [f"{NEAR}::quick", f"{NEAR}::slow"]


def test_a_line_that_nothing_executes_in_a_module_without_a_test_file_has_none() -> None:
    assert choose_tests(Place("bot/unknown.py", "core/AddNot", 0, 1, 0), SOURCE, COVERED) == []


def test_only_tests_that_execute_a_place_are_tried_beyond_its_room() -> None:
    unseen = Place("bot/a.py", "core/AddNot", 0, 13, 0)
    assert executing_tests(unseen, SOURCE, COVERED) == []
    assert executing_tests(Place("bot/a.py", "core/AddNot", 0, 9, 0), SOURCE, COVERED) == [f"{FAR}::quickest"]


def test_the_quickest_tests_are_taken_until_the_time_is_used() -> None:
    seconds = {"slow": 30.0, "quick": 1.0, "medium": 20.0}
    assert within(60.0, ["slow", "quick", "medium"], seconds) == ["quick", "medium", "slow"]
    assert within(50.0, ["slow", "quick", "medium"], seconds) == ["quick", "medium"]
    assert within(0.5, ["quick"], seconds) == []
