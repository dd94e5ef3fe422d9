"""Tries one mutant: writes it into the tree, runs the tests that execute it, and says who noticed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from benchmarks.mutation.forked_tests import Outcome
from benchmarks.mutation.mutants import Mutant

SLOW_S = 2.0  # a failure that took longer may be the machine's: it must happen twice
BOUND_FACTOR = 10.0  # how much longer than measured the tests may take, and a constant for a busy machine
BOUND_S = 60.0


class Verdict(Enum):
    """What became of a mutant."""

    FAILED = "a test failed"
    HUNG = "hung"
    SURVIVED = "survived"
    UNEXECUTED = "survived: no test executes it"
    UNCLEAR = "unclear"  # a test that the true source fails as well, here and now

    @property
    def noticed(self) -> bool:
        """Whether the tests told the mutant from the source."""
        return self in (Verdict.FAILED, Verdict.HUNG)


@dataclass(frozen=True, slots=True)
class Trial:
    """A mutant's verdict, the test that noticed it, and how many tests were chosen."""

    verdict: Verdict
    test: str = ""
    chosen: int = 0


Run = Callable[[Sequence[str], float, float], Outcome]  # tests, bound in seconds, bound of one test in seconds


class Bench:
    """A tree in which mutants are written and tried. `run` runs tests of the tree up to the first that fails."""

    def __init__(self, tree: Path, run: Run, seconds: dict[str, float]) -> None:
        self._tree, self._run, self._seconds = tree, run, seconds

    def restore(self, mutants: Sequence[Mutant]) -> None:
        """Put the source back where a run was killed with a mutant in the tree."""
        for module, before in {mutant.place.module: mutant.before for mutant in mutants}.items():
            if (self._tree / module).read_text(encoding="utf-8") != before:
                self._write(self._tree / module, before)

    def try_mutant(self, mutant: Mutant, tests: Sequence[str]) -> Trial:
        """Try a mutant against tests in their order; the source is put back in any case."""
        if not tests:
            return Trial(Verdict.UNEXECUTED)
        path = self._tree / mutant.place.module
        try:
            self._write(path, mutant.after)
            outcome = self._bounded(tests)
            if outcome.passed:
                return Trial(Verdict.SURVIVED, chosen=len(tests))
            culprit = outcome.failed[0] if outcome.failed else outcome.running
            hung = outcome.out_of_time or bool(outcome.hung)
            if hung or not culprit:
                self._write(path, mutant.before)
                return self._confirmed(Verdict.HUNG if hung else Verdict.FAILED, culprit, tests)
            if outcome.seconds.get(culprit, 0.0) < SLOW_S:
                return Trial(Verdict.FAILED, culprit, len(tests))
            if not self._bounded([culprit]).passed:
                self._write(path, mutant.before)
                return self._confirmed(Verdict.FAILED, culprit, tests)
            rest = [test for test in tests if test != culprit]  # it failed once of two times: not to be trusted
            return self.try_mutant(mutant, rest) if rest else Trial(Verdict.SURVIVED, chosen=len(tests))
        finally:
            self._write(path, mutant.before)

    def _confirmed(self, verdict: Verdict, culprit: str, tests: Sequence[str]) -> Trial:
        """The verdict, if the true source passes the same test (without one: the first) at this moment."""
        passed = self._bounded([culprit or tests[0]]).passed
        return Trial(verdict if passed else Verdict.UNCLEAR, culprit or "(at import)", len(tests))

    def _bounded(self, tests: Sequence[str]) -> Outcome:
        """Run tests within bounds that a machine ten times slower than when they were measured would keep."""
        seconds = [self._seconds.get(test, 1.0) for test in tests]
        test_s = max(30.0, BOUND_FACTOR * max(seconds))
        return self._run(tests, BOUND_S + BOUND_FACTOR * sum(seconds), test_s)

    def _write(self, path: Path, text: str) -> None:
        """Put a text into the tree, without the compiled twin of the text before."""
        path.write_text(text, encoding="utf-8")
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()
