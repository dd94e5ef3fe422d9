"""Reviews one game with an engine process of its own. Runs on this machine or on a worker of a Dask cluster."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import chess
import chess.engine

from bot.archive.game_record import GameRecord
from bot.archive.played_game import PlayedGame, played_game
from bot.archive.review.phases import phase_of
from bot.archive.review.values import GameReview, ReviewedMove, Score
from bot.engine_pool.options import environment, settable, start_hint
from bot.errors import EngineDied, EngineError, EngineProtocolError, EngineStartError, EngineTimeout
from bot.settings import EngineEntry

#: No position takes longer, however slow the engine.
MOST_S_PER_POSITION = 120.0
_ANSWER_S = 10.0
_LINE_PLIES = 6
#: One thread, so that the same review comes out again; and all the strength that the engine has.
_AS_A_JUDGE = {"Threads": 1, "UCI_LimitStrength": False}


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """A game to be reviewed with so many nodes a position; can be sent to another machine."""

    game: GameRecord
    entry: EngineEntry
    nodes: int


class ReviewStopped(EngineError):  # noqa: N818 -- no error: it unwinds a review that is not wanted any more
    """The review was given up before its end."""


class StopReviews:
    """Ends reviews that run on other threads of this process, by killing their engines."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked = False
        self._engines: set[chess.engine.SimpleEngine] = set()

    @property
    def asked(self) -> bool:
        """Whether all reviews are to end."""
        return self._asked

    def ask(self) -> None:
        """End them at once."""
        with self._lock:
            self._asked = True
            for engine in self._engines:
                _kill(engine)

    @contextlib.contextmanager
    def watching(self, engine: chess.engine.SimpleEngine) -> Iterator[None]:
        """Kill this engine too, now or later, when asked within the block."""
        with self._lock:
            self._engines.add(engine)
        try:
            if self._asked:
                _kill(engine)
            yield
        finally:
            with self._lock:
                self._engines.discard(engine)


def _kill(engine: chess.engine.SimpleEngine) -> None:
    """End the process, which ends the search on its own thread; closing the engine would leave that in mid-air."""
    with contextlib.suppress(ProcessLookupError, RuntimeError):  # it has ended, or its loop has
        engine.protocol.loop.call_soon_threadsafe(engine.transport.kill)


def review_game(
    task: ReviewTask, on_position: Callable[[], None] = lambda: None, stop: StopReviews | None = None
) -> GameReview:
    """Review a game; `on_position` is called after each move, `stop` ends it.

    Raises UnreadableGameError, EngineError, and ReviewStopped when it was stopped.
    """
    stop = stop or StopReviews()
    played = played_game(task.game)
    with _translated(task.entry, stop), _running(task.entry) as engine, stop.watching(engine):
        analyst = _Analyst(engine, task)
        moves = []
        for move in _reviewed(played, analyst):
            moves.append(move)
            on_position()
        name = engine.id.get("name", task.entry.name)
        return GameReview(played.game_id, task.entry.name, name, task.nodes, tuple(moves))


def _reviewed(played: PlayedGame, analyst: _Analyst) -> Iterator[ReviewedMove]:
    board = played.last.root()
    before, line = analyst.look(board)
    for move, played_move in zip(played.last.move_stack, played.moves, strict=True):
        better, phase = _san_line(board, line), phase_of(board, played_move.ply)
        board.push(move)
        after, line = analyst.look(board)
        yield ReviewedMove(
            ply=played_move.ply,
            number=played_move.number,
            is_white=played_move.is_white,
            is_ours=played.is_ours(played_move),
            san=played_move.san,
            phase=phase,
            before=before,
            after=after,
            better=better,
            spent_ms=played_move.spent_ms,
            clock_ms=played_move.clock_ms,
        )
        before = after


class _Analyst:
    """Asks the engine about one position after the other of a game."""

    def __init__(self, engine: chess.engine.SimpleEngine, task: ReviewTask) -> None:
        self._engine = engine
        self._limit = chess.engine.Limit(nodes=task.nodes, time=MOST_S_PER_POSITION)
        self._game = object()

    def look(self, board: chess.Board) -> tuple[Score, list[chess.Move]]:
        """Return the score and the best line; a game that is over needs no engine."""
        outcome = board.outcome()
        if outcome is not None:
            if outcome.winner is None:
                return Score(cp=0), []
            return Score(mate_in=1 if outcome.winner == chess.WHITE else -1), []
        info = self._engine.analyse(board, self._limit, game=self._game)
        score = info.get("score")
        if score is None:
            raise EngineProtocolError("the engine gives no score")
        white = score.white()
        return Score(white.score(), white.mate()), info.get("pv", [])


def _san_line(board: chess.Board, line: list[chess.Move]) -> tuple[str, ...]:
    board = board.copy(stack=False)
    return tuple(board.san_and_push(move) for move in line[:_LINE_PLIES])


@contextlib.contextmanager
def _running(entry: EngineEntry) -> Iterator[chess.engine.SimpleEngine]:
    """Start the engine; Ctrl-C does not reach it."""
    engine = chess.engine.SimpleEngine.popen_uci(
        list(entry.argv), timeout=entry.start_timeout_s, setpgrp=True, env=environment(entry), cwd=entry.working_dir
    )
    with engine:
        engine.protocol.loop.set_exception_handler(_on_fault)
        engine.timeout = _ANSWER_S
        wanted = {name: value for name, value in entry.options.items() if value != "auto"} | _AS_A_JUDGE
        engine.configure(settable({name: value for name, value in wanted.items() if name in engine.options}))
        yield engine


def _on_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Ignore engine failures, which the waiting caller handles; log anything else."""
    if not isinstance(context.get("exception"), chess.engine.EngineTerminatedError):
        loop.default_exception_handler(context)


@contextlib.contextmanager
def _translated(entry: EngineEntry, stop: StopReviews) -> Iterator[None]:
    """Turn the errors of python-chess into ours."""
    try:
        if stop.asked:
            raise ReviewStopped("stopped")
        yield
    except chess.engine.EngineTerminatedError as error:
        if stop.asked:
            raise ReviewStopped("stopped") from error
        raise EngineDied(f"engine {entry.name} ended: {error}; {start_hint(entry)}") from error
    except TimeoutError as error:
        raise EngineTimeout(f"engine {entry.name} gave no answer; {start_hint(entry)}") from error
    except chess.engine.EngineError as error:
        raise EngineProtocolError(f"engine {entry.name}: {error}") from error
    except OSError as error:
        raise EngineStartError(f"engine {entry.name} cannot be started: {error}; {start_hint(entry)}") from error
