"""Chooses the tests that a mutant is tried against: the mirroring file's, and those that execute its lines."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence

from benchmarks.mutation.coverage_map import OUTSIDE, CoverageMap
from benchmarks.mutation.mutants import Place
from benchmarks.mutation.rooms import mirror


def statement(source: str, row: int) -> range:
    """The lines of the innermost statement at a row; of one with a body (`if`, `def`) those before the body."""
    best = range(row, row + 1)
    size = None
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            continue
        lines = header(node)
        if row in lines and (size is None or len(lines) < size):
            best, size = lines, len(lines)
    return best


def header(node: ast.stmt | ast.excepthandler | ast.match_case) -> range:
    """The lines of a statement less those of its body."""
    pattern = node.pattern if isinstance(node, ast.match_case) else node
    first = min([pattern.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
    body: list[ast.stmt] = getattr(node, "body", [])
    if body:
        return range(first, max(body[0].lineno, first + 1))
    return range(first, (pattern.end_lineno or first) + 1)


def inside_function(source: str, row: int) -> bool:
    """Whether a row runs with a call, not when the module is imported."""
    return any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body[0].lineno <= row <= (node.end_lineno or node.lineno)
        for node in ast.walk(ast.parse(source))
    )


def choose_tests(place: Place, source: str, covered: CoverageMap) -> list[str]:
    """The tests to try, in order; none where no test of the room executes the place.

    What runs at import alone (a constant, a default) is tried against every test that executes the module. The
    mirroring file's tests are tried in any case: coverage sees neither isolated programs nor compiled code.
    """
    chosen = {*executing_tests(place, source, covered), *_mirroring(place.module, covered)}
    return in_order(chosen, place.module, covered)


def executing_tests(place: Place, source: str, covered: CoverageMap) -> list[str]:
    """The tests that execute a place, in order."""
    lines = covered.lines.get(place.module, {})
    rows = statement(source, place.row) if inside_function(source, place.row) else list(lines)
    chosen = {test for line in rows for test in lines.get(line, ())} - {OUTSIDE}
    return in_order(chosen, place.module, covered)


def within(bound_s: float, tests: Sequence[str], seconds: Mapping[str, float]) -> list[str]:
    """The quickest of the tests, as many as take no longer than a bound together."""
    chosen: list[str] = []
    left_s = bound_s
    for test in sorted(tests, key=lambda test: seconds[test]):
        left_s -= seconds[test]
        if left_s < 0.0:
            break
        chosen.append(test)
    return chosen


def _mirroring(module: str, covered: CoverageMap) -> list[str]:
    """The tests of the file that mirrors a module."""
    return [test for test in covered.seconds if test.split("::", 1)[0] == mirror(module)]


def in_order(chosen: Iterable[str], module: str, covered: CoverageMap) -> list[str]:
    """The mirroring file's tests first, then file by file, the quick files and the quick tests first."""
    by_file: dict[str, list[str]] = {}
    for test in chosen:
        if test in covered.seconds:  # one that failed on the true source proves nothing
            by_file.setdefault(test.split("::", 1)[0], []).append(test)
    near = mirror(module)

    def mean_s(file: str) -> float:
        return sum(covered.seconds[test] for test in by_file[file]) / len(by_file[file])

    files = sorted(by_file, key=lambda file: (file != near, mean_s(file), file))
    return [test for file in files for test in sorted(by_file[file], key=lambda test: (covered.seconds[test], test))]
