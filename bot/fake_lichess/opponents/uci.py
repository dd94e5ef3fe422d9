"""Opponents played by UCI engines, at levels 1 to 8 by depth, time and share of random moves."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shlex
from dataclasses import dataclass

import chess
import chess.engine

from ..errors import ApiError
from ..world.opponent import Driver
from ..world.seat import Seat
from .base import AcceptsChallenges, pick_random

logger = logging.getLogger(__name__)
QUIT_S = 2.0
REAP_S = 5.0  # after SIGKILL; together with QUIT_S less than the server waits for at its end
START_S = 180.0  # an engine may compile itself at its first start
DOWN_WAIT_S = 0.05


def engine_environment() -> dict[str, str]:
    """Return the environment without the bot's settings, because its token must not reach an engine."""
    return {name: value for name, value in os.environ.items() if not name.startswith("BOT88_")}


@dataclass(frozen=True)
class Level:
    """Strength: `Skill Level` (unless None) or UCI_Elo if the engine has them, else a share of random moves."""

    skill: int | None
    elo: int
    depth: int | None
    move_s: float
    careless: float


LEVELS = {
    1: Level(0, 800, 1, 0.05, 0.45),
    2: Level(1, 1000, 1, 0.10, 0.30),
    3: Level(3, 1200, 2, 0.15, 0.20),
    4: Level(5, 1400, 3, 0.20, 0.12),
    5: Level(8, 1650, 5, 0.30, 0.06),
    6: Level(11, 1900, 8, 0.40, 0.03),
    7: Level(16, 2200, 13, 0.50, 0.01),
    8: Level(20, 2600, 22, 1.00, 0.0),
}


def level_at(elo: int) -> Level:
    """Return the level of an engine that limits its own strength."""
    return Level(None, elo, None, 1.0, 0.0)


class UciOpponent(AcceptsChallenges):
    """Plays each game with a separate engine process."""

    def __init__(self, command: str, level: Level) -> None:
        self.command = shlex.split(command)
        self.level = level
        if not self.command:
            raise ValueError("engine: the command is missing, write engine:COMMAND or engine3:COMMAND")

    def join(self, seat: Seat) -> Driver:
        """Play one side of a new game."""
        return UciDriver(seat, self.command, self.level)


class UciDriver:
    """One seat and its engine. An engine that fails makes its side resign."""

    def __init__(self, seat: Seat, command: list[str], level: Level) -> None:
        self.seat, self.command, self.level = seat, command, level
        self._engine: chess.engine.UciProtocol | None = None
        self._transport: asyncio.SubprocessTransport | None = None
        self._started = False
        self._closed = False
        self._thinking: asyncio.Task[None] | None = None
        self._careless = level.careless

    def wake(self) -> None:
        """Answer offers; start a search if it is the turn and none is running."""
        opponent = self.seat.game.players[not self.seat.color]
        if self.seat.game.playable and opponent.offers_takeback:
            self.seat.takeback(True)
        elif self.seat.to_move and not self._closed and (self._thinking is None or self._thinking.done()):
            self._thinking = asyncio.ensure_future(self._think())

    async def _think(self) -> None:
        try:
            engine = self._engine if self._engine is not None and self._started else await self._start()
            plies = len(self.seat.game.moves)
            move = await self._choose(engine, self.seat.game.board.copy())
            while self.seat.world.down:
                await asyncio.sleep(DOWN_WAIT_S)
            if self.seat.to_move and len(self.seat.game.moves) == plies:
                self.seat.move(self.seat.game.board.uci(move))
            elif self.seat.to_move:
                asyncio.get_running_loop().call_soon(self.wake)
        except ApiError as refused:
            logger.info("engine's move refused: %s", refused)
        except (chess.engine.EngineError, OSError, TimeoutError) as error:
            logger.warning("opponent engine %s failed, it resigns: %r", self.command[0], error)
            if self.seat.game.playable:
                self.seat.resign()

    async def _start(self) -> chess.engine.UciProtocol:
        self._transport, engine = await chess.engine.UciProtocol.popen(self.command, env=engine_environment())
        self._engine = engine  # from now on `close` ends it, even during its start
        await asyncio.wait_for(engine.initialize(), START_S)
        options = engine.options
        if self.level.skill is not None and "Skill Level" in options:
            await engine.configure({"Skill Level": self.level.skill})
            self._careless = 0.0
        elif "UCI_LimitStrength" in options and "UCI_Elo" in options:
            elo = options["UCI_Elo"]
            wanted = max(elo.min or 0, min(elo.max or 4000, self.level.elo))
            await engine.configure({"UCI_LimitStrength": True, "UCI_Elo": wanted})
            self._careless = 0.0
        self._started = True
        return engine

    async def _choose(self, engine: chess.engine.UciProtocol, board: chess.Board) -> chess.Move:
        rng = self.seat.game.rng
        if rng.random() < self._careless:
            return pick_random(board, rng)
        left_s = self.seat.game.clock.remaining_ms(self.seat.color, self.seat.world.now_ms()) / 1000
        limit = chess.engine.Limit(time=max(0.01, min(self.level.move_s, left_s / 20)), depth=self.level.depth)
        result = await asyncio.wait_for(engine.play(board, limit, game=self.seat.game.id), START_S)
        if result.move is None:
            raise chess.engine.EngineError("the engine gave no move")
        return result.move

    def close(self) -> None:
        """Quit the engine in the background."""
        self._closed = True
        self.seat.world.background(self._quit_engine())

    async def _quit_engine(self) -> None:
        """End the process, even a busy one, and wait for its exit."""
        if self._thinking is not None:
            self._thinking.cancel()
            await asyncio.wait({self._thinking})
        if self._engine is None or self._transport is None:
            return
        try:
            await asyncio.wait_for(self._engine.quit(), QUIT_S)
        except (chess.engine.EngineError, TimeoutError, OSError):
            with contextlib.suppress(ProcessLookupError):
                self._transport.kill()
        self._transport.close()
        await asyncio.wait({self._engine.returncode}, timeout=REAP_S)
