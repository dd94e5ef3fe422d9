"""What every test run needs first: compiled kernels, once, before the workers start."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from structlog.testing import capture_logs
from structlog.typing import EventDict

from tests.helpers.ending import ENDINGS
from tests.helpers.examples import register_profiles
from tests.helpers.processes import wait_until
from tests.helpers.schema_tap import fake_speaks_by_the_schemas, sent_messages, strict_schemas

__all__ = ["fake_speaks_by_the_schemas", "sent_messages", "strict_schemas"]  # fixtures of every test
ROOT = Path(__file__).resolve().parents[1]
register_profiles()
# Threads that libraries keep for the next use, and those of a UCI engine, which end with its process only.
NOT_ENDED = ("AnyIO", "asyncio_", "Dask", "IO loop", "ThreadPoolExecutor", "engine88-")
PURE = ("tests/bot", "tests/fake_lichess", "tests/test_repository.py")


def needs_kernels(config: pytest.Config) -> bool:
    """Whether this run may start the engine: a worker of xdist finds the kernels compiled by its controller."""
    if hasattr(config, "workerinput") or os.environ.get("NUMBA_DISABLE_JIT") == "1" or config.option.collectonly:
        return False
    return not all(argument.startswith(PURE) for argument in config.args)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels before any test is timed; seconds when the cache is warm, a minute when it is empty."""
    if needs_kernels(session.config):
        subprocess.run([sys.executable, "-m", "engine88", "warmup"], cwd=ROOT, check=True, stdin=subprocess.DEVNULL)


@pytest.fixture(autouse=True, scope="module")
def no_thread_is_left_behind() -> Iterator[None]:
    """Fail the last test of a module if a thread that the module began still runs."""
    before = set(threading.enumerate())

    def left() -> list[str]:
        names = [thread.name for thread in threading.enumerate() if thread not in before]
        return [name for name in names if not name.startswith(NOT_ENDED)]

    yield
    assert wait_until(lambda: not left(), 30.0), f"these threads still run: {left()}"


@pytest.fixture(autouse=True)
def begun_things_end() -> Iterator[None]:
    """End what the builders of tests/helpers have begun for the test."""
    yield
    ENDINGS.close()


@pytest.fixture
def logs() -> Iterator[list[EventDict]]:
    """Everything that the test logs."""
    with capture_logs() as captured:
        yield captured


@pytest.fixture(autouse=True)
def no_log_is_left_behind() -> Iterator[None]:
    """A test that runs a command of the program sets up its log: the next one, in whatever order, begins without."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    for handler in root.handlers:
        if handler not in handlers:
            handler.close()
    root.handlers[:] = handlers
    root.setLevel(level)
