"""Remove each lock of the program in turn, in a copy of the tree, and show whether its tests notice.

    python -m tests.locks                    # all: three quarters of an hour on two cores
    python -m tests.locks bot/archive        # those of one folder or file

A test that hangs without the lock has noticed. Status 0: every removal was noticed; 1: one was not.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot", "engine88")
LIMIT_S = 300.0
_MADE = re.compile(r"(\w+)(?:: [\w.]+)? = threading\.(?:Lock|RLock|Condition)\(")
#: Locks that tests leave alone: scripts of the training, which run one search at a time anyway.
LEFT_OUT = ("engine88/training/",)


def removals(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line of each use of a lock in a `with`, and the text of the module without it."""
    names = set(_MADE.findall(text))
    for node in ast.walk(ast.parse(text)):
        items = node.items if isinstance(node, ast.With) else []
        for item in items:
            source = ast.unparse(item.context_expr)
            if source.rpartition(".")[2] in names | {"lock", "_read_lock"}:
                others = ", ".join(ast.unparse(one) for one in items if one is not item)
                lines = text.splitlines(keepends=True)
                first = items[0].context_expr.lineno - 1
                indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
                lines[first] = f"{indent}with {others}:\n" if others else f"{indent}if True:\n"
                yield first + 1, "".join(lines)


def tests_of(path: Path) -> list[str]:
    """Return the tests of a module's locks, and those of the module."""
    folder = Path("tests") / path.parent
    locks = [one for parent in (folder, *folder.parents) for one in sorted(parent.glob("test_*_locks.py"))]
    return [str(one) for one in [*locks, *sorted(folder.glob(f"test_{path.stem}*.py"))]]


def notices(copy: Path, tests: list[str]) -> str:
    """Run tests in a copy; return the first that fails, "" if all pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", *tests]
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return "a test hangs"
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return "" if done.returncode == 0 else (failed or [f"exit code {done.returncode}"])[0]


def main(wanted: list[str]) -> int:
    """Remove locks in files whose paths begin with one of `wanted`, all where there are none."""
    covered = count = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache"))
        os.chdir(ROOT)
        paths = [path for package in PACKAGES for path in sorted(Path(package).rglob("*.py"))]
        for path in paths:
            name = path.as_posix()
            if name.startswith(LEFT_OUT) or (wanted and not name.startswith(tuple(wanted))):
                continue
            text = path.read_text(encoding="utf-8")
            for line, changed in removals(text):
                (copy / path).write_text(changed, encoding="utf-8")
                failed = notices(copy, tests_of(path))
                count, covered = count + 1, covered + bool(failed)
                print(f"{'noticed' if failed else 'MISSED '} {name}:{line} {failed[:150]}", flush=True)
            (copy / path).write_text(text, encoding="utf-8")
    print(f"{covered} of {count} removals were noticed")
    return 0 if covered == count else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
