"""The engine that evaluates: patient with its first search, not with a later one."""

from __future__ import annotations

import asyncio
import shlex
import sys
from typing import Any

import chess
import pytest

from bot.fake_lichess.opponents import analyst
from bot.fake_lichess.opponents.analyst import Analyst, AnalystError, Evaluation, analyst_command
from tests.helpers.engines import scoring_engine, tiny_engine


def test_the_command_that_is_configured_or_our_own_engine() -> None:
    assert analyst_command("stockfish --fast") == ["stockfish", "--fast"]
    assert analyst_command("") == []
    assert analyst_command(None) == [sys.executable, "-P", "-m", "engine88"]


def ask(command: list[str], *boards: chess.Board) -> list[Evaluation]:
    """What a fresh engine thinks of the positions."""

    async def run() -> list[Evaluation]:
        asked = Analyst(command)
        try:
            return [await asked.evaluate(board, 0.02) for board in boards]
        finally:
            await asked.close()

    return asyncio.run(run())


@pytest.mark.slow
def test_a_first_search_may_take_longer_than_a_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyst, "GRACE_S", 2.9)
    slow = list(tiny_engine("load", "--think-ms", "3000"))  # its first search reads nothing for so long
    assert ask(slow, chess.Board())[0].depth == 7


def test_an_engine_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyst, "START_S", 10.0)
    monkeypatch.setattr(analyst, "GRACE_S", 0.5)
    hanging = list(tiny_engine("hang"))  # its first search is its warm-up, which is answered
    with pytest.raises(AnalystError, match="it will be started again"):
        ask(hanging, chess.Board(), chess.Board("4k3/8/8/8/8/8/8/4K2R w - - 0 1"))


def test_a_position_is_asked_once() -> None:
    command = shlex.split(scoring_engine())
    first, second = ask(command, chess.Board(), chess.Board())
    assert first is second


def test_an_engine_that_is_being_started_when_the_server_closes_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    popen, running = chess.engine.UciProtocol.popen, []

    async def run() -> None:
        closed = asyncio.Event()

        async def slow_popen(*arguments: Any, **options: Any) -> Any:
            transport, engine = await popen(*arguments, **options)
            running.append(transport)
            await closed.wait()
            return transport, engine

        monkeypatch.setattr(chess.engine.UciProtocol, "popen", slow_popen)
        asked = Analyst(shlex.split(scoring_engine()))
        evaluation = asyncio.create_task(asked.evaluate(chess.Board(), 0.02))
        while not running:
            await asyncio.sleep(0.01)
        await asked.close()
        closed.set()
        with pytest.raises(AnalystError, match="closing"):
            await evaluation

    asyncio.run(asyncio.wait_for(run(), 60.0))
    assert running[0].get_returncode() is not None
