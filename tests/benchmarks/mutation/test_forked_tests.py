"""Tests of a tree are run in a process of their own: what failed, what hung, and which test executed which line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TREE = {
    "pytest.ini": "[pytest]\npythonpath = .\n",
    "bot/__init__.py": "",
    "bot/a.py": "def f(x):\n    if x:\n        return 1\n    return 2\n",
    "tests/test_a.py": (
        "import subprocess, sys, time\nfrom bot.a import f\n"
        "def test_one():\n    assert f(True) == 1\n"
        "def test_program():\n    subprocess.run([sys.executable, '-c', 'from bot.a import f; f(False)'], check=True)\n"
        "def test_wrong():\n    assert f(True) == 2\n"
        "def test_never_reached():\n    pass\n"
    ),
    "tests/test_hang.py": "import time\ndef test_hang():\n    time.sleep(600)\n",
}
SCRIPT = """
import dataclasses, json, pathlib, sys
from benchmarks.mutation.coverage_map import read_lines
from benchmarks.mutation.forked_tests import run_tests
tree = pathlib.Path(sys.argv[1])
def run(tests, **more):
    return dataclasses.asdict(run_tests(tree, tests, tree / "notes.json", **more))
runs = {
    "failed": run(["tests/test_a.py"], bound_s=300.0),
    "hung": run(["tests/test_hang.py"], bound_s=300.0, test_s=0.2),
    "bound": run(["tests/test_hang.py"], bound_s=1.0),
    "measured": run(["tests/test_a.py"], bound_s=300.0, coverage_file=tree / "coverage" / "data"),
}
print(json.dumps([runs, read_lines(tree / "coverage" / "data", tree)]))
"""


def test_nothing_that_may_be_mutated_is_loaded_before_the_fork() -> None:
    script = """if True:
        import pathlib, sys
        from benchmarks.mutation.forked_tests import FAKE, load_libraries
        load_libraries(pathlib.Path(sys.argv[1]))
        print(*(name for name in sys.modules if name.startswith(("bot.", "engine88")) and not name.startswith(FAKE)))
        print(sys.modules[FAKE].__file__)
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, str(ROOT)]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    loaded, path = answer.stdout.splitlines()
    assert loaded == ""
    assert path == str(ROOT / "bot/fake_lichess/__init__.py")


def test_runs_are_told_apart_and_lines_are_traced_to_their_tests(tmp_path: Path) -> None:
    for name, text in TREE.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (tmp_path / "coverage").mkdir()
    plugins = "-p pytest_timeout -p xdist.plugin"  # loading all that are installed takes seconds
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": plugins}
    environment = {**os.environ, **alone, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    runs, lines = json.loads(answer.stdout)
    wrong = "tests/test_a.py::test_wrong"
    assert (runs["failed"]["status"], runs["failed"]["failed"], runs["failed"]["hung"]) == (1, [wrong], [])
    assert "tests/test_a.py::test_never_reached" not in runs["failed"]["seconds"]
    assert runs["hung"]["hung"] == ["tests/test_hang.py::test_hang"]
    assert runs["bound"]["out_of_time"]
    assert not runs["hung"]["out_of_time"]
    assert "tests/test_a.py::test_never_reached" in runs["measured"]["seconds"]
    assert lines["bot/a.py"]["3"] == ["tests/test_a.py::test_one", wrong]
    assert lines["bot/a.py"]["4"] == ["tests/test_a.py::test_program"]
