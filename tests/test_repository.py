"""Rules of the repository that a command can check: budgets, reasons for exceptions, contracts, pins, addresses."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILE_BUDGET = 400
FUNCTION_BUDGET = 40
#: The reasoned exceptions: the recursive search kernels, numbered in steps, cannot be split across kernels without
#: breaking the compiler's disk cache (see docs/decisions.md).
FUNCTION_EXCEPTIONS = {"engine88/search/search.py:search": 150, "engine88/search/quiescence.py:qsearch": 100}
SUFFIXES = {".py", ".js", ".css"}


def tracked(*patterns: str) -> list[Path]:
    """The files of the repository that match, or of the tree where it is not a repository (an unpacked archive)."""
    listing = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode == 0 and listing.stdout:
        return [ROOT / name for name in listing.stdout.split("\n") if name and (ROOT / name).is_file()]
    return [path for pattern in patterns for path in ROOT.rglob(pattern) if ".venv" not in path.parts]


def sources() -> list[Path]:
    """Every source file that the budgets speak of."""
    return [path for path in tracked("bot", "engine88", "tests", "benchmarks") if path.suffix in SUFFIXES]


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and number of lines of each function of a Python file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            yield node.name, node.end_lineno - node.lineno + 1


def test_files_fit_the_budget() -> None:
    sizes = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in sources()}
    assert sizes
    assert {name: size for name, size in sizes.items() if size > FILE_BUDGET} == {}


def test_functions_fit_the_budget() -> None:
    over = {}
    for path in sources():
        if path.suffix != ".py":
            continue
        for name, size in functions(path):
            where = f"{path.relative_to(ROOT)}:{name}"
            if size > FUNCTION_EXCEPTIONS.get(where, FUNCTION_BUDGET):
                over[where] = size
    assert over == {}


def test_every_silenced_warning_carries_its_reason() -> None:
    bare = re.compile(r"#\s*(?:noqa(?::\s*[A-Z0-9, ]+)?|type:\s*ignore(?:\[[^]]*\])?|pragma: no cover)\s*$")
    silent = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sources()
        if path.suffix == ".py"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if bare.search(line)
    ]
    assert silent == []


def test_no_swallowed_errors() -> None:
    swallowed = []
    for path in tracked("bot", "engine88"):
        if path.suffix != ".py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler) and len(node.body) == 1 and isinstance(node.body[0], ast.Pass):
                name = ast.unparse(node.type) if node.type else "everything"
                if name in {"everything", "Exception", "BaseException"}:
                    swallowed.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert swallowed == []


def test_the_import_contracts_hold() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"]
    done = subprocess.run([*command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def dependencies() -> list[str]:
    """Every requirement of pyproject.toml, with the extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras: list[str] = [name for names in project["optional-dependencies"].values() for name in names]
    return list(project["dependencies"]) + extras


@pytest.mark.parametrize("requirement", dependencies())
def test_every_dependency_is_pinned(requirement: str) -> None:
    name = re.split(r"[<>=~!\[ ]", requirement)[0].lower().replace("_", "-")
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").lower().replace("_", "-")
    assert re.search(rf"^{re.escape(name)}==\S+$", pins, re.MULTILINE), f"{requirement} has no pin in constraints.txt"


def test_no_address_of_a_package_registry() -> None:
    address = re.compile(r"(?:pypi|pythonhosted|npmjs|debian|crates)\.(?:org|com|io)|/simple/", re.IGNORECASE)
    found = [
        str(path.relative_to(ROOT))
        for path in tracked(".")
        if path.suffix not in {".png", ".bin"} and path != Path(__file__).resolve()
        if address.search(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []


def test_the_readme_and_ci_run_the_same_tests() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    command = re.search(r"\.venv/bin/pytest[^\n`]*", readme)
    assert command is not None, "the README says how to run the tests"
    assert command.group().split("&&")[0].strip() in ci
