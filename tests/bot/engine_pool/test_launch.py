"""The launcher that becomes the engine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.engine_pool import launch

LAUNCHER = [sys.executable, "-I", "-S", str(Path(launch.__file__))]


def start(parent: int, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command through the launcher."""
    return subprocess.run([*LAUNCHER, str(parent), *command], capture_output=True, text=True, check=False, timeout=60)


def test_it_becomes_the_command() -> None:
    done = start(os.getpid(), sys.executable, "-c", "import sys; print(sys.argv[1:])", "a b", "$HOME")
    assert (done.returncode, done.stdout) == (0, "['a b', '$HOME']\n")


def test_a_command_that_does_not_exist_is_named() -> None:
    done = start(os.getpid(), "/no/such/engine")
    assert (done.returncode, done.stderr) == (127, "cannot start '/no/such/engine': No such file or directory\n")


@pytest.mark.skipif(sys.platform != "linux", reason="the parent-death signal of Linux")
def test_nothing_is_started_when_the_bot_has_ended_meanwhile() -> None:
    done = start(os.getpid() + 1, sys.executable, "-c", "print('started')")
    assert (done.returncode, done.stdout) == (1, "")
    assert "the bot ended before its engine could start" in done.stderr
