"""Reviews of games: each by an engine process of its own, many at once by threads or by a Dask cluster."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import Any

import chess
import chess.engine
from chess.engine import Cp, Mate, PovScore

from bot.archive.game_record import GameRecord
from bot.archive.pgn import PlayedGame, UnreadableGameError, played_game
from bot.archive.review.values import GameReview, ReviewedMove, phase_of
from bot.engine_pool.options import environment, settable, start_hint
from bot.errors import (
    BotError,
    ConfigurationError,
    EngineDied,
    EngineError,
    EngineProtocolError,
    EngineStartError,
    EngineTimeout,
)
from bot.settings import EngineEntry

#: No position takes longer, however slow the engine.
MOST_S_PER_POSITION = 120.0
_ANSWER_S = 10.0
_LINE_PLIES = 6
_POLL_S = 0.2
_CONNECT_S = 10
_LOGGER_OF_DASK = "distributed.client"
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
        moves = []
        for move in _reviewed(played, engine, task.nodes):
            moves.append(move)
            on_position()
        name = engine.id.get("name", task.entry.name)
        return GameReview(played.game_id, task.entry.name, name, task.nodes, tuple(moves))


def _reviewed(played: PlayedGame, engine: chess.engine.SimpleEngine, nodes: int) -> Iterator[ReviewedMove]:
    limit = chess.engine.Limit(nodes=nodes, time=MOST_S_PER_POSITION)
    board = played.last.root()
    before, line = _look(engine, board, limit, played.game_id)
    for move, played_move in zip(played.last.move_stack, played.moves, strict=True):
        better, phase = _san_line(board, line), phase_of(board, played_move.ply)
        board.push(move)
        after, line = _look(engine, board, limit, played.game_id)
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


def _look(
    engine: chess.engine.SimpleEngine, board: chess.Board, limit: chess.engine.Limit, game_id: str
) -> tuple[PovScore, list[chess.Move]]:
    """Return the score and the best line; a position where the game is over needs no engine."""
    outcome = board.outcome()
    if outcome is not None:
        winner = outcome.winner
        return (PovScore(Cp(0), chess.WHITE) if winner is None else PovScore(Mate(1), winner)), []
    info = engine.analyse(board, limit, game=game_id)
    score = info.get("score")
    if score is None:
        raise EngineProtocolError("the engine gives no score")
    return score, info.get("pv", [])


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


class ClusterLost(BotError):  # noqa: N818 -- the name says what happened, as in bot.errors
    """The scheduler of the cluster is gone, and with it all reviews that were not finished."""


@contextlib.contextmanager
def cluster_executor(scheduler: str) -> Iterator[Executor]:
    """Return the workers of a Dask cluster; a lost scheduler raises ClusterLost and is not logged by Dask.

    Raises ConfigurationError where it cannot be reached.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise ConfigurationError("--scheduler needs Dask: pip install 'bot88[cluster]'") from error
    try:
        client = distributed.Client(scheduler, timeout=_CONNECT_S)
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"--scheduler {scheduler}: cannot be reached: {error or 'no answer'}") from error
    logger = logging.getLogger(_LOGGER_OF_DASK)
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with client:
            yield client.get_executor(pure=False)
    finally:
        logger.setLevel(level)


def run_reviews(
    tasks: Sequence[ReviewTask],
    executor: Executor,
    stopped: Callable[[], bool],
    on_position: Callable[[], None],
    *,
    is_local: bool,
) -> Generator[tuple[ReviewTask, GameReview | str], None, None]:
    """Review all games; yield each, as soon as it is done, with its review or with the reason why there is none.

    End early once `stopped()`, and give up unfinished games. `on_position` is called for each position analysed here.
    Close the generator. Raises ClusterLost.
    """
    stop = StopReviews()
    extra = (on_position, stop) if is_local else ()
    waiting = {executor.submit(review_game, task, *extra): task for task in tasks}
    try:
        while waiting and not stopped():
            done, _running = wait(waiting, timeout=_POLL_S, return_when=FIRST_COMPLETED)
            for future in done:
                task = waiting.pop(future)
                with contextlib.suppress(ReviewStopped):
                    yield task, _result(future, task, is_local=is_local)
    finally:
        for future in waiting:
            future.cancel()
        stop.ask()


def _result(future: Future[GameReview], task: ReviewTask, *, is_local: bool) -> GameReview | str:
    if future.cancelled():  # not by us, who do so at the end: Dask's client does when it loses its scheduler
        raise ClusterLost("the connection to the scheduler was lost")
    try:
        return future.result()
    except ReviewStopped:
        raise
    except (EngineError, UnreadableGameError) as error:
        return str(error)
    except Exception as error:  # whatever a cluster does: lost workers, cut connections, another version of bot88
        if is_local:
            raise
        return f"game {task.game.game_id}: the cluster says {error!r}"
