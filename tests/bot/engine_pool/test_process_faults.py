"""One engine process: what an error of python-chess means, how a process and its descendants are ended."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess.engine
import pytest

from bot.engine_pool import process as process_module
from bot.engine_pool.process import QUIT_S, REAP_S, STDERR_S, EngineProcess, kill_tree
from bot.engine_pool.values import IllegalMove
from bot.errors import EngineDied, EngineError, EngineTimeout
from tests.helpers.fake_clock import run_on_fake_clock
from tests.helpers.processes import is_running, wait_until

LATE = EngineTimeout("late")


@pytest.mark.parametrize(
    ("error", "failure", "kind", "text"),
    [
        (chess.engine.EngineTerminatedError("exit code 1"), None, EngineDied, "tiny: exit code 1; its last output: no"),
        (chess.engine.EngineError(ValueError("illegal uci")), None, IllegalMove, "tiny: illegal uci"),
        (chess.engine.EngineError("odd"), None, EngineError, "tiny: odd"),
        (chess.engine.EngineError(), None, EngineError, "tiny: "),
        (chess.engine.EngineTerminatedError("killed"), LATE, EngineTimeout, "late"),  # we killed it, for this
    ],
)
def test_an_error_of_python_chess_becomes_ours(
    error: chess.engine.EngineError, failure: EngineError | None, kind: type[EngineError], text: str
) -> None:
    process = SimpleNamespace(
        entry=SimpleNamespace(name="tiny"),
        failure=failure,
        protocol=SimpleNamespace(output_tail=lambda: "; its last output: no"),
        _reason=lambda: failure,
    )
    found = EngineProcess._translate(process, error)  # type: ignore[arg-type]  # the part that is used
    assert (type(found), str(found)) == (kind, text)


@pytest.mark.parametrize(("tree", "told"), [(True, 0), (False, 1)])
def test_where_the_system_cannot_kill_a_tree_the_process_alone_is_killed(
    tree: bool, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill() -> None:
        kills.append(1)
        raise ProcessLookupError

    kills: list[int] = []
    monkeypatch.setattr(process_module, "kill_tree", lambda _pid: tree)
    for transport in (None, SimpleNamespace(kill=kill)):
        EngineProcess.kill(SimpleNamespace(pid=4711, protocol=SimpleNamespace(transport=transport)))  # type: ignore[arg-type]  # the part that is used
    assert len(kills) == told


@pytest.mark.parametrize(
    ("failure", "ends_at", "told", "took_s"),
    [
        (None, "quit", ["fail", "quit", "kill", "close"], 0.0),
        (None, "kill", ["fail", "quit", "kill", "close"], QUIT_S),
        (LATE, "kill", ["kill", "close"], 0.0),  # what has failed is not asked
        (LATE, "never", ["kill", "close"], REAP_S),
    ],
)
def test_a_process_is_asked_to_end_then_killed_and_its_pipes_are_closed(
    failure: EngineError | None, ends_at: str, told: list[str], took_s: float
) -> None:
    async def story() -> None:
        steps: list[str] = []
        exited = asyncio.Event()

        def step(name: str) -> None:
            steps.append(name)
            if name == ends_at:
                exited.set()

        protocol: Any = SimpleNamespace(
            exited=exited,
            on_failure=step,
            fail=lambda _error: step("fail"),
            send_line=step,
            transport=SimpleNamespace(close=lambda: step("close")),
        )
        process: Any = SimpleNamespace(
            entry=SimpleNamespace(name="tiny"), failure=failure, protocol=protocol, kill=lambda: step("kill")
        )
        await EngineProcess.quit(process)
        assert (steps, asyncio.get_running_loop().time()) == (told, took_s)
        assert protocol.output_ignored, "what it still writes must not reach a command that was cancelled"
        assert protocol.on_failure is None, "its end is not a failure"
        protocol.transport = None
        await EngineProcess.quit(process)

    run_on_fake_clock(story())


@pytest.mark.parametrize(
    ("error", "closes_after_s", "waited_s"),
    [
        (chess.engine.EngineTerminatedError("ended"), 0.2, 0.2),
        (chess.engine.EngineTerminatedError("ended"), 60.0, STDERR_S),
        (chess.engine.EngineError("no uciok"), 60.0, 0.0),
    ],
)
def test_the_last_words_of_an_engine_that_ended_are_waited_for(
    error: chess.engine.EngineError, closes_after_s: float, waited_s: float
) -> None:
    async def story() -> float:
        loop, closed = asyncio.get_running_loop(), asyncio.Event()
        loop.call_later(closes_after_s, closed.set)
        process: Any = SimpleNamespace(protocol=SimpleNamespace(stderr_closed=closed))
        assert await EngineProcess._reason_with_stderr(process, error) == str(error)
        return loop.time()

    assert run_on_fake_clock(story()) == waited_s


PARENT = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep(600)
"""


def test_the_group_is_killed() -> None:
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert kill_tree(parent.pid)
        assert wait_until(lambda: not is_running(parent.pid) and not is_running(child))
    assert kill_tree(parent.pid)  # gone: no error


def test_windows_is_asked_for_the_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "killpg")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not kill_tree(12345)  # there is no taskkill either
    received = tmp_path / "received"
    (tmp_path / "taskkill").write_text(f'#!/bin/sh\necho "$@" > {received}\n', encoding="utf-8")
    (tmp_path / "taskkill").chmod(0o755)
    assert kill_tree(12345)
    (tmp_path / "taskkill").write_text("#!/bin/sh\nexit 128\n", encoding="utf-8")
    assert kill_tree(12345)  # it had ended before
    monkeypatch.setattr(process_module, "_TASKKILL_S", 0.05)
    (tmp_path / "taskkill").write_text("#!/bin/sh\nexec /bin/sleep 60\n", encoding="utf-8")
    assert not kill_tree(12345)
    assert received.read_text(encoding="utf-8") == "/F /T /PID 12345\n"
