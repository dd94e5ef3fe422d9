"""A lock on a file keeps a second process waiting, and systems without one go on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest

from engine88.compiler import file_lock
from tests.engine88.fresh_process import ROOT, run_python

HOLD = "from pathlib import Path; from engine88.compiler.file_lock import locked\nwith locked(Path({path!r})): {body}"


@pytest.mark.skipif(sys.platform == "win32", reason="another kind of lock there")
def test_a_second_process_waits_for_the_first(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    first = HOLD.format(path=path, body="print('held', flush=True); input()")
    command = [sys.executable, "-c", first]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        second = [sys.executable, "-c", HOLD.format(path=path, body="print('second', flush=True)")]
        with subprocess.Popen(second, cwd=ROOT, stdout=subprocess.PIPE, text=True) as waiter:
            with pytest.raises(subprocess.TimeoutExpired):
                waiter.wait(0.5)
            holder.communicate("\n")
            assert waiter.communicate()[0] == "second\n"


def test_windows_is_asked_until_the_lock_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [OSError("taken"), OSError("taken"), None]

    def locking(_descriptor: int, _mode: int, _count: int) -> None:
        answer = answers.pop(0)
        if answer is not None:
            raise answer

    monkeypatch.setattr(file_lock, "fcntl", None)
    monkeypatch.setattr(file_lock, "msvcrt", cast(ModuleType, SimpleNamespace(locking=locking, LK_NBLCK=2)))
    monkeypatch.setattr(file_lock, "_RETRY_S", 0.0)
    with file_lock.locked(tmp_path / "lock"):
        assert answers == []


def test_a_system_without_such_locks_goes_on(tmp_path: Path) -> None:
    code = "import sys; sys.modules['fcntl'] = sys.modules['msvcrt'] = None\n" + HOLD.format(
        path=str(tmp_path / "lock"), body="print('inside')"
    )
    assert run_python(code, ROOT).stdout == "inside\n"


def test_a_lock_that_another_holds_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "file").open("a") as ours, (tmp_path / "file").open("a") as theirs:
        assert file_lock.try_lock(ours.fileno())
        assert not file_lock.try_lock(theirs.fileno())
        monkeypatch.setattr(file_lock, "fcntl", None)
        assert file_lock.try_lock(theirs.fileno())  # a system without locks
        answers = [OSError("taken"), None]

        def locking(_descriptor: int, _mode: int, _count: int) -> None:
            answer = answers.pop(0)
            if answer is not None:
                raise answer

        monkeypatch.setattr(file_lock, "msvcrt", cast(ModuleType, SimpleNamespace(locking=locking, LK_NBLCK=2)))
        assert not file_lock.try_lock(theirs.fileno())
        assert file_lock.try_lock(theirs.fileno())
