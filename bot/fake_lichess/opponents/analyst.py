"""One UCI engine that evaluates positions for the pages, with a cache."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import logging
import shlex
import sys
from collections import OrderedDict
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import chess
import chess.engine

from .uci import engine_environment

T = TypeVar("T")

logger = logging.getLogger(__name__)
START_S = 300.0  # an engine may compile itself when it starts, or at its first search
WARM_UP_S = 0.02
GRACE_S = 20.0  # beyond the time of a search, before the engine counts as hung
QUIT_S = 2.0
MOST_REMEMBERED = 5000
OWN_ENGINE = "engine88"


class AnalystError(Exception):
    """The engine cannot evaluate this position; the text says why."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play and its score from White's view."""

    score: chess.engine.Score
    moves: tuple[chess.Move, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A search's depth and lines, the best first."""

    depth: int
    lines: tuple[Line, ...]


def analyst_command(configured: str | None) -> list[str]:
    """Return the command of the engine: None means the engine of this program where it is installed, "" means none."""
    if configured is not None:
        return shlex.split(configured)
    return [sys.executable, "-P", "-m", OWN_ENGINE] if importlib.util.find_spec(OWN_ENGINE) is not None else []


def _retrieve(search: asyncio.Future[Any]) -> None:
    """Retrieve the exception of a search that nobody waits for, so that asyncio does not log it."""
    if not search.cancelled():
        search.exception()


class Analyst:
    """Starts the engine for the first position, evaluates one at a time, and restarts an engine that failed."""

    def __init__(self, command: list[str]) -> None:
        self.command = command
        self._engine: chess.engine.UciProtocol | None = None
        self._transport: asyncio.SubprocessTransport | None = None
        self._turn = asyncio.Lock()
        self._closed = False
        self._warm = False
        self._known: OrderedDict[tuple[str | None, str, int, float], Evaluation] = OrderedDict()

    @property
    def available(self) -> bool:
        """Whether there is an engine to ask."""
        return bool(self.command)

    async def evaluate(self, board: chess.Board, seconds: float, lines: int = 1) -> Evaluation:
        """Evaluate a position that has a legal move for `seconds`; raises AnalystError."""
        if not self.available:
            raise AnalystError("This server has no engine to evaluate positions.")
        key = (board.uci_variant, board.fen(), lines, seconds)
        async with self._turn:
            if key not in self._known:
                self._known[key] = await self._think(board, seconds, lines)
                while len(self._known) > MOST_REMEMBERED:
                    self._known.popitem(last=False)
            return self._known[key]

    async def _think(self, board: chess.Board, seconds: float, lines: int) -> Evaluation:
        if self._closed:
            raise AnalystError("The server is closing.")
        try:
            engine = self._engine or await self._start()
            if board.uci_variant != "chess" and "UCI_Variant" not in engine.options:
                raise AnalystError("The engine does not know this variant.")
            most = lines if "MultiPV" in engine.options else None
            limit = chess.engine.Limit(time=seconds)
            if not self._warm:  # the first search may be shallow because the engine compiles itself
                await self._answer(engine.analyse(board, chess.engine.Limit(time=WARM_UP_S)), START_S)
                self._warm = True
            asked = engine.analyse(board, limit, multipv=most, game=board.root().fen())
            found = await self._answer(asked, seconds + GRACE_S)
        except (chess.engine.EngineError, OSError, TimeoutError) as error:
            logger.warning("the engine %s failed to evaluate %s: %r", self.command, board.fen(), error)
            await self._quit()
            raise AnalystError("The engine failed; it will be started again.") from error
        infos = found if isinstance(found, list) else [found]
        scored = [info for info in infos if "score" in info]
        if not scored:
            raise AnalystError("The engine gave no score.")
        best = tuple(Line(info["score"].white(), tuple(info.get("pv", ()))) for info in scored)
        return Evaluation(scored[0].get("depth", 0), best)

    async def _answer(self, asked: Coroutine[Any, Any, T], patience_s: float) -> T:
        """Return the result of a search; kill a hung engine, which ends the search with an EngineError."""
        search = asyncio.ensure_future(asked)
        search.add_done_callback(_retrieve)
        done, _ = await asyncio.wait({search}, timeout=patience_s)
        if not done and self._transport is not None:
            self._transport.kill()
        return await search

    async def _start(self) -> chess.engine.UciProtocol:
        # a separate process group, so that Ctrl-C in the terminal reaches only the server
        self._transport, self._engine = await chess.engine.UciProtocol.popen(
            self.command, setpgrp=True, env=engine_environment()
        )
        engine, self._warm = self._engine, False
        if self._closed:  # while the process was started, when there was nothing to quit yet
            await self._quit()
            raise AnalystError("The server is closing.")
        await asyncio.wait_for(engine.initialize(), START_S)
        return engine

    async def close(self) -> None:
        """Quit the engine; it is not started again."""
        self._closed = True
        await self._quit()

    async def _quit(self) -> None:
        engine, transport = self._engine, self._transport
        self._engine = self._transport = None
        if engine is None or transport is None:
            return
        try:
            with contextlib.suppress(chess.engine.EngineError, TimeoutError, OSError):
                await asyncio.wait_for(engine.quit(), QUIT_S)
        finally:
            transport.close()  # kills what still runs
