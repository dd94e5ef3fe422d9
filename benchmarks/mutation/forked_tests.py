"""Runs tests in a forked copy of this process, which has the libraries loaded: a fresh interpreter costs seconds."""

from __future__ import annotations

import contextlib
import importlib
import json
import multiprocessing
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import pytest

#: What the tests load besides the tree; never the tree itself, which changes from mutant to mutant.
LIBRARIES = (
    "_hypothesis_pytestplugin", "anyio.pytest_plugin", "berserk", "chess.engine", "chess.gaviota", "chess.pgn",
    "chess.polyglot", "chess.syzygy", "chess.variant", "click", "hypothesis.stateful", "jsonschema", "numpy",
    "prometheus_client.parser", "psutil", "pydantic.main", "pydantic.networks", "pydantic.root_model", "pydantic.types",
    "pytest_cov.plugin", "pytest_timeout", "requests_mock.contrib._pytest_plugin", "rich.console", "rich.live",
    "rich.progress", "rich.table", "starlette.applications", "structlog", "typer", "unittest.mock", "uvicorn.server",
    "xdist.plugin", "yaml",
)  # fmt: skip
FAKE = "bot.fake_lichess"  # never mutated
OPTIONS = (
    "-q",
    "-n",
    "0",
    "-m",
    "not slow",
    "-p",
    "no:cacheprovider",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
)
CONTEXT = "MUTATION_TEST"  # tells programs that a test starts which test it was


@dataclass(slots=True)
class Outcome:
    """What a run of tests came to. `failed` names the tests, `hung` those of them that ran into pytest's time-out."""

    status: int | None = None  # pytest's exit status; None: ended by the bound, or died
    seconds: dict[str, float] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    hung: list[str] = field(default_factory=list)
    running: str = ""  # the test under way when it ended
    out_of_time: bool = False

    @property
    def passed(self) -> bool:
        """Whether every test passed."""
        return self.status == 0


class Recorder:
    """A pytest plug-in: writes down each test as it ends, and tells coverage which test is running."""

    def __init__(self, notes: Path, measuring: coverage.Coverage | None) -> None:
        self._notes, self._measuring = notes, measuring
        self._outcome = Outcome()

    def pytest_configure(self, config: pytest.Config) -> None:
        """Say that the kernels are compiled, as xdist does to its workers: each run would look again, for seconds."""
        if any(argument.startswith("tests/engine88") for argument in config.args):
            config.workerinput = {"workerid": "gw0"}  # type: ignore[attr-defined] # xdist's own way

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins."""
        self._outcome.running = nodeid
        os.environ[CONTEXT] = nodeid
        if self._measuring is not None:
            self._measuring.switch_context(nodeid)
        self.write()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test's set-up, call or tear-down ended."""
        seconds = self._outcome.seconds
        seconds[report.nodeid] = seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed and report.nodeid not in self._outcome.failed:
            self._outcome.failed.append(report.nodeid)
            if "Timeout (>" in str(report.longrepr):
                self._outcome.hung.append(report.nodeid)

    def pytest_runtest_logfinish(self) -> None:
        """A test is over: what runs until the next one belongs to none."""
        if self._measuring is not None:
            self._measuring.switch_context("")
        self.write()

    def write(self, status: int | None = None) -> None:
        """Keep what is known so far: the process may be killed at any moment."""
        out = self._outcome
        row = {"status": status, "seconds": out.seconds, "failed": out.failed, "hung": out.hung, "running": out.running}
        self._notes.write_text(json.dumps(row), encoding="utf-8")


def load_libraries(tree: Path) -> None:
    """Import what the tests need besides the tree, and the fake; what is not installed is left to those who need it."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a fork keeps no threads
    for name in LIBRARIES:
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module(name)
    _look_in(tree)
    importlib.import_module(FAKE)
    for name in [*sys.modules]:  # what the fake needs of the bot is mutated like the rest: to be imported anew
        if name.startswith("bot.") and not name.startswith(FAKE):
            del sys.modules[name]


def _look_in(tree: Path) -> None:
    """Import the bot from the tree, in this process and in those that it starts, and from nowhere else."""
    sys.path[:] = [str(tree), *(entry for entry in sys.path if entry and not Path(entry, "bot").is_dir())]
    os.environ["PYTHONPATH"] = str(tree)


def run_tests(
    tree: Path,
    tests: Sequence[str],
    notes: Path,
    *,
    bound_s: float,
    test_s: float = 60.0,
    coverage_file: Path | None = None,
) -> Outcome:
    """Run tests of the tree in a process group of their own; without coverage up to the first that fails."""
    notes.unlink(missing_ok=True)
    context = multiprocessing.get_context("fork")
    child = context.Process(target=_in_child, args=(tree, list(tests), notes, test_s, coverage_file))
    child.start()
    child.join(bound_s)
    out_of_time = child.is_alive()
    if child.pid:
        with contextlib.suppress(ProcessLookupError):  # it has ended with all its children
            os.killpg(child.pid, signal.SIGKILL)
    child.join()
    outcome = Outcome()
    if notes.exists():
        with contextlib.suppress(json.JSONDecodeError):  # killed while it wrote: as if it had written nothing
            outcome = Outcome(**json.loads(notes.read_text(encoding="utf-8")))
    outcome.out_of_time = out_of_time
    return outcome


def _in_child(tree: Path, tests: list[str], notes: Path, test_s: float, coverage_file: Path | None) -> None:
    """Become the process of one run; never returns."""
    os.setsid()
    os.chdir(tree)
    log = os.open(notes.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    null = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((null, 0), (log, 1), (log, 2)):
        os.dup2(source, target)
    _look_in(tree)
    options: list[Any] = [*OPTIONS, "--timeout", str(test_s)]
    measuring = None
    sys.dont_write_bytecode = coverage_file is None  # two mutants of one second and one length would share it
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1" if coverage_file is None else ""
    if coverage_file is None:
        options.append("-x")
    else:
        measuring = _measure(tree, coverage_file)
    recorder = Recorder(notes, measuring)
    recorder.write()
    status = int(pytest.main([*options, *tests], plugins=[recorder]))
    if measuring is not None:
        measuring.stop()
        measuring.save()
    recorder.write(status)
    sys.stdout.flush()
    os._exit(0)  # not held up by threads that the tests left


def _measure(tree: Path, data_file: Path) -> coverage.Coverage:
    """Start coverage here, and in every program that a test starts."""
    settings = f"""[run]
source = {tree / "bot"}
    {tree / "engine88"}
data_file = {data_file}
parallel = true
context = ${{{CONTEXT}-}}
patch = _exit
"""
    file = data_file.parent.with_suffix(".ini")
    file.write_text(settings, encoding="utf-8")
    os.environ["COVERAGE_PROCESS_START"] = str(file)
    measuring = coverage.Coverage(
        data_file=str(data_file),
        data_suffix="tests",
        source=[str(tree / "bot"), str(tree / "engine88")],
        config_file=False,
        messages=False,
    )
    measuring.start()
    return measuring
