"""A session: a copy of the tree, and for each room its coverage, its sample and the verdicts so far, kept in files."""

from __future__ import annotations

import filecmp
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.mutation import rooms
from benchmarks.mutation.choice import choose_tests, executing_tests, within
from benchmarks.mutation.coverage_map import CoverageMap, read_lines
from benchmarks.mutation.forked_tests import Outcome, run_tests
from benchmarks.mutation.mutants import Mutant, Sample
from benchmarks.mutation.mutants import sample as draw_sample
from benchmarks.mutation.report import RoomResult
from benchmarks.mutation.trial import Bench, Trial, Verdict

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("bot", "engine88", "benchmarks", "tests", "config", "docs", "pyproject.toml")
COVERAGE_BOUND_S = 3600.0
WIDE_S = 60.0  # of tests of whole programs for each survivor


class Session:
    """One folder of work, which the same command goes on with."""

    def __init__(self, work: Path, python: str, size: int, seed: int) -> None:
        self.work, self.tree = work.resolve(), work.resolve() / "tree"
        self._python, self._size, self._seed = python, size, seed
        if not self.tree.exists():
            copy_tree(self.tree)

    def folder(self, room: str) -> Path:
        """The folder of a room's files."""
        folder = self.work / room.replace("/", "-").replace("*.py", "modules")
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def coverage(self, room: str) -> CoverageMap:
        """Which of the room's tests execute what."""
        return self._measured(room, rooms.mirrored_tests(self.tree, room))

    def wide_coverage(self, room: str) -> CoverageMap:
        """Which tests of whole programs execute what: one map for all rooms of a package."""
        package = room.split("/")[0]
        return self._measured(f"wide-{package}", rooms.WIDE[package])

    def _measured(self, name: str, tests: Sequence[str]) -> CoverageMap:
        """Which of the tests execute what: measured by one run of them, once."""
        folder = self.folder(name)
        kept = folder / "coverage.json"
        if not kept.exists():
            data_file = folder / "coverage" / "data"
            data_file.parent.mkdir(exist_ok=True)
            outcome = run_tests(
                self.tree, tests, folder / "notes.json", bound_s=COVERAGE_BOUND_S, coverage_file=data_file
            )
            if outcome.status not in (0, 1):
                raise SystemExit(f"{name}: the tests ended with {outcome}: see {folder / 'notes.log'}")
            covered = CoverageMap(read_lines(data_file, self.tree), outcome.seconds)
            for test in outcome.failed:  # perhaps it does not bear being measured, or the machine was busy
                again = run_tests(self.tree, [test], folder / "notes.json", bound_s=300.0)
                covered.seconds.update(again.seconds)
                if not again.passed:
                    covered.failed.append(test)
                    covered.seconds.pop(test, None)
            covered.save(kept)
        return CoverageMap.load(kept)

    def sample(self, room: str) -> Sample:
        """The room's mutants, drawn once; drawn anew, with the same ones first, where more are asked for."""
        kept = self.folder(room) / "sample.json"
        drawn = Sample.load(kept) if kept.exists() else None
        if drawn is None or (drawn.seed == self._seed and drawn.size < self._size):
            modules = rooms.modules(self.tree, room)
            drawn = draw_sample(self.tree, modules, self._python, self._size, self._seed)
            drawn.save(kept)
        return drawn

    def verdicts(self, room: str) -> dict[str, Trial]:
        """The verdicts so far by the mutant's name; a later one replaces an earlier one."""
        kept = self.folder(room) / "verdicts.jsonl"
        rows = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
        trials = [json.loads(row) for row in rows]
        return {row["mutant"]: Trial(Verdict[row["verdict"]], row["test"], row["chosen"]) for row in trials}

    def keep(self, room: str, mutant: Mutant, trial: Trial) -> None:
        """Write a verdict down and show it."""
        row = {"mutant": mutant.name, "verdict": trial.verdict.name, "test": trial.test, "chosen": trial.chosen}
        with (self.folder(room) / "verdicts.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        print(f"{mutant.name}: {trial.verdict.value} {trial.test}", file=sys.stderr, flush=True)

    def bench(self, room: str, covered: CoverageMap) -> Bench:
        """The bench on which the room's mutants are tried."""
        notes = self.folder(room) / "notes.json"

        def run(tests: Sequence[str], bound_s: float, test_s: float) -> Outcome:
            return run_tests(self.tree, tests, notes, bound_s=bound_s, test_s=test_s)

        bench = Bench(self.tree, run, covered.seconds)
        bench.restore(self.sample(room).mutants)
        return bench

    def try_room(self, room: str) -> None:
        """Try the room's mutants that have no verdict yet."""
        covered, known = self.coverage(room), self.verdicts(room)
        bench = self.bench(room, covered)
        for mutant in self.sample(room).mutants:
            if mutant.name not in known:
                tests = choose_tests(mutant.place, mutant.before, covered)
                self.keep(room, mutant, bench.try_mutant(mutant, tests))

    def try_survivors(self, room: str, changed: Sequence[str]) -> None:
        """Try the room's survivors against the test files that changed since."""
        folders = tuple(rooms.mirrored_tests(self.tree, room))
        tests = [path for path in changed if path.startswith(folders)]
        left = self.survivors(room)
        if not (tests and left):
            return
        bench = self.bench(room, self.coverage(room))
        if not run_tests(self.tree, tests, self.folder(room) / "notes.json", bound_s=600.0).passed:
            raise SystemExit(f"{room}: {' '.join(tests)} fail on the true source: see {self.folder(room)}")
        for mutant in left:
            trial = bench.try_mutant(mutant, tests)
            if trial.verdict.noticed:
                self.keep(room, mutant, trial)

    def survivors(self, room: str) -> list[Mutant]:
        """The room's mutants that nothing noticed so far."""
        known = self.verdicts(room)
        drawn = self.sample(room).mutants
        return [mutant for mutant in drawn if mutant.name in known and not known[mutant.name].verdict.noticed]

    def try_wide(self, room: str) -> None:
        """Try the room's survivors against the tests of whole programs that execute them, as many as there is time."""
        left = self.survivors(room)
        if not left:
            return
        covered = self.wide_coverage(room)
        bench = self.bench(room, covered)
        for mutant in left:
            tests = within(WIDE_S, executing_tests(mutant.place, mutant.before, covered), covered.seconds)
            if not tests:
                continue
            trial = bench.try_mutant(mutant, tests)
            if trial.verdict.noticed:
                self.keep(room, mutant, trial)

    def result(self, room: str) -> RoomResult:
        """What is known of a room."""
        drawn, known = self.sample(room), self.verdicts(room)
        tried = [(one, known[one.name]) for one in drawn.mutants if one.name in known]
        return RoomResult(room, drawn.spots, tried)

    def renew_tests(self) -> list[str]:
        """Bring the tests' copy up to date; gives the test files that are new or other than before."""
        old, new = self.tree / "tests", ROOT / "tests"
        changed = [
            path.relative_to(ROOT).as_posix()
            for path in sorted(new.rglob("test_*.py"))
            if not same(path, old / path.relative_to(new))
        ]
        shutil.rmtree(old)
        shutil.copytree(new, old, ignore=shutil.ignore_patterns("__pycache__"))
        return changed


def same(one: Path, other: Path) -> bool:
    """Whether two files hold the same."""
    return other.exists() and filecmp.cmp(one, other, shallow=False)


def copy_tree(tree: Path) -> None:
    """Copy what the tests need; the mutants are written into the copy."""
    tree.mkdir(parents=True)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, tree / name)
    data = ROOT.parent / "shared"  # tables and books that some tests read, where there are any
    if data.exists():
        (tree.parent / "shared").symlink_to(data.resolve())
