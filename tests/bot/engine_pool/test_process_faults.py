"""One engine process: what an error of python-chess means, and how a process is killed; no process is started."""

from __future__ import annotations

from types import SimpleNamespace

import chess.engine
import pytest

from bot.engine_pool import IllegalMove
from bot.engine_pool import process as process_module
from bot.engine_pool.process import EngineProcess
from bot.errors import EngineDied, EngineError, EngineTimeout

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
