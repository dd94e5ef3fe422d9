"""Verdicts: a failure, a hang that the true source does not show, a slow machine told from both, a survivor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from benchmarks.mutation.forked_tests import Outcome
from benchmarks.mutation.mutants import Mutant, Place
from benchmarks.mutation.trial import BOUND_FACTOR, BOUND_S, Bench, Trial, Verdict

MUTANT = Mutant(Place("bot/a.py", "core/AddNot", 0, 1, 0), "true\n", "mutated\n")
PASSED = Outcome(status=0)


def failed(test: str, seconds: float = 0.1) -> Outcome:
    return Outcome(status=1, failed=[test], seconds={test: seconds}, running=test)


class Machine:
    """Stands in for the runs of tests: answers by the text that lies in the tree."""

    def __init__(self, tree: Path, answers: dict[str, list[Outcome]]) -> None:
        self.tree, self.answers = tree, answers
        self.asked: list[tuple[str, list[str]]] = []
        self.bounds: list[tuple[float, float]] = []

    def run(self, tests: Sequence[str], bound_s: float, test_s: float) -> Outcome:
        text = (self.tree / "bot/a.py").read_text().strip()
        self.asked.append((text, list(tests)))
        self.bounds.append((bound_s, test_s))
        return self.answers[text].pop(0)


Try = Callable[..., tuple[Trial, Machine]]


@pytest.fixture
def attempt(tmp_path: Path) -> Try:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot/a.py").write_text("true\n")

    def attempt(mutated: list[Outcome], true: list[Outcome] | None = None, tests: Sequence[str] = ("t::1", "t::2")):  # type: ignore[no-untyped-def] # Try says it
        machine = Machine(tmp_path, {"mutated": mutated, "true": true or []})
        trial = Bench(tmp_path, machine.run, {"t::1": 4.0, "t::2": 1.0}).try_mutant(MUTANT, tests)
        assert (tmp_path / "bot/a.py").read_text() == "true\n"
        assert not mutated
        assert not true
        return trial, machine

    return attempt


def test_a_quick_failure_is_noticed_at_once(attempt: Try) -> None:
    assert attempt([failed("t::2")])[0] == Trial(Verdict.FAILED, "t::2", 2)


def test_tests_that_pass_let_it_survive(attempt: Try) -> None:
    assert attempt([PASSED])[0] == Trial(Verdict.SURVIVED, chosen=2)


def test_without_a_test_nothing_is_run(attempt: Try) -> None:
    trial, machine = attempt([], tests=())
    assert trial == Trial(Verdict.UNEXECUTED)
    assert machine.asked == []


def test_a_hang_counts_only_when_the_true_source_passes(attempt: Try) -> None:
    hung = Outcome(status=1, failed=["t::1"], hung=["t::1"], seconds={"t::1": 40.0})
    trial, machine = attempt([hung], [PASSED])
    assert trial == Trial(Verdict.HUNG, "t::1", 2)
    assert machine.asked[-1] == ("true", ["t::1"])
    assert attempt([hung], [hung])[0].verdict is Verdict.UNCLEAR


def test_a_run_ended_by_its_bound_hangs_in_the_test_under_way(attempt: Try) -> None:
    ended = Outcome(running="t::2", out_of_time=True)
    assert attempt([ended], [PASSED])[0] == Trial(Verdict.HUNG, "t::2", 2)


def test_a_module_that_cannot_be_imported_is_noticed(attempt: Try) -> None:
    trial, machine = attempt([Outcome(status=4)], [PASSED])
    assert trial.verdict is Verdict.FAILED
    assert machine.asked[-1] == ("true", ["t::1"])


def test_a_slow_failure_must_happen_twice_and_not_with_the_true_source(attempt: Try) -> None:
    slow = failed("t::1", 12.0)
    assert attempt([slow, slow], [PASSED])[0].verdict is Verdict.FAILED
    assert attempt([slow, slow], [slow])[0].verdict is Verdict.UNCLEAR


def test_a_slow_failure_that_happens_once_is_the_machines_and_the_other_tests_decide(attempt: Try) -> None:
    slow = failed("t::1", 12.0)
    trial, machine = attempt([slow, PASSED, failed("t::2")])
    assert trial == Trial(Verdict.FAILED, "t::2", 1)
    assert machine.asked[-1] == ("mutated", ["t::2"])
    assert attempt([slow, PASSED], tests=["t::1"])[0].verdict is Verdict.SURVIVED


def test_a_mutant_left_behind_by_a_killed_run_is_taken_out(tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot/a.py").write_text("mutated\n")
    Bench(tmp_path, Machine(tmp_path, {}).run, {}).restore([MUTANT])
    assert (tmp_path / "bot/a.py").read_text() == "true\n"


def test_the_bounds_leave_a_machine_ten_times_slower_its_time(attempt: Try) -> None:
    _trial, machine = attempt([PASSED])
    assert machine.bounds == [(BOUND_S + BOUND_FACTOR * 5.0, 40.0)]


def test_the_compiled_twin_of_a_module_goes_with_it(attempt: Try, tmp_path: Path) -> None:
    (tmp_path / "bot/__pycache__").mkdir()
    compiled, other = (tmp_path / "bot/__pycache__" / f"{name}.cpython-311.pyc" for name in ("a", "ab"))
    compiled.touch()
    other.touch()
    attempt([PASSED])
    assert other.exists()
    assert not compiled.exists()
