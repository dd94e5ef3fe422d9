"""Play one game between two engines of a pool, on its clock; the result is a game for a PGN file."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

import chess
import chess.engine
import chess.pgn

from bot.engine_pool.engine_lease import EngineLease
from bot.engine_pool.pool import EnginePool
from bot.engine_pool.values import OFFERS_DRAW, RESIGNS, Answer, Requirement
from bot.lab.league.schedule import GameTask
from bot.lab.players import Contestant

MOST_MOVES = 300  # then the game is a draw
READY_S = 60.0  # for engines that start; later their clocks run
MARGIN_S = 0.1  # of the clock, for what this program and the system add to a move
FORFEITS = ("time forfeit", "no move")
FAULT_SEPARATOR = " | "  # in the tags WhiteFaults and BlackFaults

OnMove = Callable[[chess.Board], None]


class GameStoppedError(Exception):
    """The game was stopped before its end."""


def play_alone(task: GameTask) -> str:
    """Play a game with engines that are started for it, on a worker of a cluster; return its PGN."""
    entries = {player.name: player.entry.model_copy(update={"slots": 1}) for player in (task.white, task.black)}
    with EnginePool(entries.values(), fallback=None) as pool:
        return play_game(task, pool)


def play_game(
    task: GameTask,
    pool: EnginePool,
    on_move: OnMove = lambda _board: None,
    stopped: Callable[[], bool] = lambda: False,
) -> str:
    """Play a game with engines lent by the pool; return its PGN. Raises GameStoppedError."""
    leases = {chess.WHITE: _lend(pool, task.white), chess.BLACK: _lend(pool, task.black)}
    try:
        return _LeagueGame(task, leases, on_move, stopped).play()
    finally:
        for lease in leases.values():
            lease.give_back()


def _lend(pool: EnginePool, player: Contestant) -> EngineLease:
    return pool.lend(Requirement(names=(player.name,), elo=player.elo))


class _LeagueGame:
    def __init__(
        self, task: GameTask, leases: dict[chess.Color, EngineLease], on_move: OnMove, stopped: Callable[[], bool]
    ) -> None:
        self._task, self._leases, self._on_move, self._stopped = task, leases, on_move, stopped
        self._board = task.board()
        self._clocks = {chess.WHITE: task.clock[0], chess.BLACK: task.clock[0]}
        self._faults: dict[chess.Color, list[str]] = {chess.WHITE: [], chess.BLACK: []}
        self._answers: dict[chess.Color, Answer] = {}
        self._game = chess.pgn.Game.from_board(self._board)
        self._node: chess.pgn.GameNode = self._game.end()

    def play(self) -> str:
        for lease in self._leases.values():
            lease.wait_until_ready(READY_S, lambda: not self._stopped())
        while not (ending := self._ending()):
            self._on_move(self._board)
            if ending := self._move():
                break
        return self._pgn(*ending)

    def _move(self) -> tuple[str, str] | None:
        """Let the side to move play; return result and termination if it forfeits, resigns or agrees to a draw."""
        side, began_s = self._board.turn, time.monotonic()
        answer = self._ask(side)
        spent_s = time.monotonic() - began_s
        self._clocks[side] -= spent_s
        self._faults[side] += answer.faults
        lost = "0-1" if side == chess.WHITE else "1-0"
        if answer.move is None:
            self._faults[side].append(str(answer.error))
            return lost, "no move"
        if self._clocks[side] < -MARGIN_S:
            self._faults[side].append(
                f"{-self._clocks[side]:.2f} s over the time at move {self._board.fullmove_number}"
            )
            return lost, "time forfeit"
        if RESIGNS in answer.notes:
            return lost, "resignation"
        self._clocks[side] = max(0.0, self._clocks[side]) + self._task.clock[1]
        self._add(answer, spent_s)
        self._answers[side] = answer
        if all(OFFERS_DRAW in self._answers[color].notes for color in self._answers) and len(self._answers) == 2:
            return "1/2-1/2", "agreement"
        return None

    def _ask(self, side: chess.Color) -> Answer:
        increment_s = self._task.clock[1]
        limit = chess.engine.Limit(
            white_clock=max(0.001, self._clocks[chess.WHITE]),
            black_clock=max(0.001, self._clocks[chess.BLACK]),
            white_inc=increment_s,
            black_inc=increment_s,
        )
        answer = self._leases[side].ask(self._board, limit, lambda: not self._stopped())
        if answer is None:
            raise GameStoppedError
        return answer

    def _add(self, answer: Answer, spent_s: float) -> None:
        side, info, move = self._board.turn, answer.info, answer.move
        assert move is not None
        self._board.push(move)
        self._node = self._node.add_variation(move)
        if info.score is not None:
            self._node.set_eval(chess.engine.PovScore(info.score, side), info.depth)
        self._node.set_emt(round(spent_s, 3))

    def _ending(self) -> tuple[str, str] | None:
        """Return result and termination by the rules; a third repetition and fifty moves need no claim."""
        board = self._board
        if outcome := board.outcome():
            return outcome.result(), outcome.termination.name.lower().replace("_", " ")
        if board.is_repetition(3):
            return "1/2-1/2", "repetition"
        if board.halfmove_clock >= 100:
            return "1/2-1/2", "fifty moves"
        return ("1/2-1/2", f"{MOST_MOVES} moves") if board.fullmove_number > MOST_MOVES else None

    def _pgn(self, result: str, termination: str) -> str:
        task, headers = self._task, self._game.headers
        headers.update(
            {
                "Event": "bot88 league",
                "Date": datetime.now(UTC).strftime("%Y.%m.%d"),
                "Round": str(task.round),
                "White": task.white.name,
                "Black": task.black.name,
                "Result": result,
                "TimeControl": f"{task.clock[0]:g}+{task.clock[1]:g}",
                "Termination": termination,
            }
        )
        for color, player in (("White", task.white), ("Black", task.black)):
            if player.version:
                headers[f"{color}Version"] = player.version
            if faults := self._faults[color == "White"]:
                headers[f"{color}Faults"] = FAULT_SEPARATOR.join(fault.replace('"', "'") for fault in faults)
        return f"{self._game}\n\n"
