"""The table's shares and error bars, and the survivors' changes."""

from __future__ import annotations

import pytest

from benchmarks.mutation.mutants import Mutant, Place
from benchmarks.mutation.report import RoomResult, interval, survivors, table
from benchmarks.mutation.trial import Trial, Verdict


def result(**counts: int) -> RoomResult:
    verdicts = [Verdict[name.upper()] for name, count in counts.items() for _ in range(count)]
    place = Place("bot/a.py", "core/AddNot", 0, 1, 0)
    return RoomResult("bot/a", 200, [(Mutant(place, "a\n", "not a\n"), Trial(verdict, "", 3)) for verdict in verdicts])


@pytest.mark.parametrize(
    ("noticed", "tried", "low", "high"), [(10, 10, 0.722, 1.0), (19, 20, 0.764, 0.991), (0, 0, 0.0, 1.0)]
)
def test_the_interval_is_wilsons(noticed: int, tried: int, low: float, high: float) -> None:
    assert interval(noticed, tried) == pytest.approx((low, high), abs=0.001)


def test_a_row_counts_hangs_apart_and_unclear_ones_neither_way() -> None:
    rows = table([result(failed=7, hung=1, survived=1, unexecuted=1, unclear=2)])
    assert rows[2] == "| `bot/a` | 200 | 10 | 7 | 1 | 1 | 1 | 2 | 80 % (49 to 94) |"


def test_the_last_row_is_the_sum() -> None:
    assert table([result(failed=9), result(failed=9, survived=2)])[-1].startswith("| all | 400 | 20 | 18 | 0 | 2 |")


def test_a_room_without_a_verdict_has_no_share() -> None:
    assert table([result()])[2].endswith("| - |")


def test_survivors_are_told_with_their_change() -> None:
    assert survivors(result(failed=3)) == []
    assert survivors(result(survived=1)) == ["bot/a.py:1 AddNot/0: survived, 3 tests", "    -a", "    +not a"]
