"""Commands and entries for the small test engines (tests/helpers/uci_engine.py), and a caller that waits."""

from __future__ import annotations

import queue
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import chess
import chess.engine

from bot.engine_pool.engine_lease import EngineLease
from bot.engine_pool.values import Answer
from bot.settings import EngineEntry

_SCRIPT = str(Path(__file__).with_name("uci_engine.py"))
_LINK = str(Path(__file__).with_name("remote_link.py"))
ANSWER_TIMEOUT_S = 60.0


def tiny_engine(behaviour: str = "good", *arguments: str) -> tuple[str, ...]:
    """Command of a tiny UCI engine with this behaviour (listed in uci_engine.py)."""
    return (sys.executable, _SCRIPT, behaviour, *arguments)


def tiny_entry(
    behaviour: str = "good",
    *arguments: str,
    name: str = "tiny",
    slots: int = 1,
    spares: int = 1,
    options: Mapping[str, str | int] | None = None,
) -> EngineEntry:
    """A pool entry of that engine."""
    command = tiny_engine(behaviour, *arguments)
    return EngineEntry(name=name, command=command, slots=slots, spares=spares, options=dict(options or {}))


def remote_entry(fault: str, *arguments: str, name: str = "remote", slots: int = 1, spares: int = 1) -> EngineEntry:
    """A good engine behind a connection with this fault (listed in remote_link.py)."""
    command = (sys.executable, _LINK, fault, *arguments, "--", *tiny_engine())
    return EngineEntry(name=name, command=command, slots=slots, spares=spares, remote=True)


def best_move(
    engine: EngineLease, board: chess.Board, limit: chess.engine.Limit | None = None, *, ponder: bool = False
) -> Answer:
    """Ask and wait for the answer."""
    answers: queue.Queue[Answer] = queue.Queue()
    engine.play(board, limit or chess.engine.Limit(time=10.0), ponder=ponder, on_done=answers.put)
    return answers.get(timeout=ANSWER_TIMEOUT_S)


def scoring_engine(*arguments: str) -> str:
    """Command line of the engine that counts material (scoring_engine.py)."""
    return shlex.join((sys.executable, str(Path(__file__).with_name("scoring_engine.py")), *arguments))
