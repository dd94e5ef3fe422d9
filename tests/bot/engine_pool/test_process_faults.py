"""One engine process: what an error of python-chess means, how a process is ended; no process is started."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import chess.engine
import pytest

from bot.engine_pool import IllegalMove
from bot.engine_pool import process as process_module
from bot.engine_pool.process import QUIT_S, REAP_S, EngineProcess
from bot.errors import EngineDied, EngineError, EngineTimeout
from tests.helpers.fake_clock import run_on_fake_clock

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
        assert protocol.on_failure is None, "its end is no failure"
        protocol.transport = None
        await EngineProcess.quit(process)

    run_on_fake_clock(story())
