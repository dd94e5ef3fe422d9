"""Reviews of games: each by an engine process of its own, many at once by threads or by a Dask cluster."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

import chess
import chess.engine
from chess.engine import Cp, Mate, PovScore

from bot.archive.game_record import GameRecord
from bot.archive.pgn import PlayedGame, UnreadableGameError, played_game
from bot.archive.review.values import GameReview, ReviewedMove, phase_of
from bot.archive.review.workers import completed, workers
from bot.engine_pool.engine_lease import EngineLease
from bot.engine_pool.pool import EnginePool
from bot.engine_pool.values import Requirement
from bot.errors import BotError, EngineError, EngineProtocolError
from bot.settings import EngineEntry

#: No position takes longer, however slow the engine.
MOST_S_PER_POSITION = 120.0
READY_S = 60.0  # for an engine that starts
_LINE_PLIES = 6


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """A game to be reviewed with so many nodes a position; can be sent to another machine."""

    game: GameRecord
    entry: EngineEntry
    nodes: int


class ReviewStopped(EngineError):  # noqa: N818 -- no error: it unwinds a review that is not wanted any more
    """The review was given up before its end."""


def judge(entry: EngineEntry, slots: int = 1) -> EngineEntry:
    """Return the entry for reviews: one thread, so that the same review comes out again, and its full strength."""
    options = {name: value for name, value in entry.options.items() if value != "auto"}
    options = {name: 1 if name.lower() == "threads" else value for name, value in options.items()}
    options = {name: value for name, value in options.items() if name.lower() != "uci_limitstrength"}
    return entry.model_copy(update={"options": options, "slots": slots, "spares": 0})


def review_alone(task: ReviewTask) -> GameReview:
    """Review a game with an engine that is started for it, on a worker of a cluster; raises what review_game does."""
    played_game(task.game)  # one that cannot be read needs no engine
    with EnginePool([judge(task.entry)], fallback=None) as pool:
        return review_game(task, pool)


def review_game(
    task: ReviewTask,
    pool: EnginePool,
    on_position: Callable[[], None] = lambda: None,
    is_wanted: Callable[[], bool] = lambda: True,
) -> GameReview:
    """Review a game with an engine of the pool; `on_position` is called after each move.

    Raises UnreadableGameError, EngineError, and ReviewStopped once it is not wanted any more.
    """
    played = played_game(task.game)
    board = played.last.root()
    engine = pool.lend(Requirement(variant=board.uci_variant or "chess", chess960=board.chess960))
    try:
        engine.wait_until_ready(READY_S, is_wanted)
        moves = []
        for move in _reviewed(played, engine, task.nodes, is_wanted):
            moves.append(move)
            on_position()
        return GameReview(played.game_id, task.entry.name, engine.name or task.entry.name, task.nodes, tuple(moves))
    finally:
        engine.give_back()


def _reviewed(
    played: PlayedGame, engine: EngineLease, nodes: int, is_wanted: Callable[[], bool]
) -> Iterator[ReviewedMove]:
    limit = chess.engine.Limit(nodes=nodes, time=MOST_S_PER_POSITION)
    board = played.last.root()
    before, line = _look(engine, board, limit, is_wanted)
    for move, played_move in zip(played.last.move_stack, played.moves, strict=True):
        better, phase = _san_line(board, line), phase_of(board, played_move.ply)
        board.push(move)
        after, line = _look(engine, board, limit, is_wanted)
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
    engine: EngineLease, board: chess.Board, limit: chess.engine.Limit, is_wanted: Callable[[], bool]
) -> tuple[PovScore, tuple[str, ...]]:
    """Return the score and the best line; a position where the game is over needs no engine."""
    outcome = board.outcome()
    if outcome is not None:
        winner = outcome.winner
        return (PovScore(Cp(0), chess.WHITE) if winner is None else PovScore(Mate(1), winner)), ()
    answer = engine.ask(board, limit, is_wanted)
    if answer is None:
        raise ReviewStopped("stopped")
    if answer.error is not None:
        raise answer.error
    info = answer.info
    if info.score is None:
        raise EngineProtocolError("the engine gives no score")
    return PovScore(info.score, board.turn), info.pv


def _san_line(board: chess.Board, line: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first moves of a variation, up to an illegal one."""
    board, found = board.copy(stack=False), []
    for uci in line[:_LINE_PLIES]:
        try:
            found.append(board.san_and_push(board.parse_uci(uci)))
        except ValueError:
            break
    return tuple(found)


class ClusterLost(BotError):  # noqa: N818 -- the name says what happened, as in bot.errors
    """The scheduler of the cluster is gone, and with it all reviews that were not finished."""


def run_reviews(
    tasks: Sequence[ReviewTask],
    jobs: int,
    scheduler: str,
    stopped: Callable[[], bool],
    on_position: Callable[[], None],
) -> Generator[tuple[ReviewTask, GameReview | str], None, None]:
    """Review all games, which have one engine, by so many threads here or, with a `scheduler`, on a cluster.

    Yield each, as soon as it is done, with its review or with the reason why there is none. End early once `stopped()`.
    `on_position` is called for each position that is analysed here. Close the generator. Raises ConfigurationError,
    EngineStartError and ClusterLost.
    """
    with workers(scheduler, jobs, [judge(tasks[0].entry, jobs)], stopped) as (executor, pool, ended):

        def review_here(task: ReviewTask) -> GameReview:
            assert pool is not None
            return review_game(task, pool, on_position, lambda: not ended())

        work = review_alone if pool is None else review_here
        with contextlib.closing(completed(executor, work, tasks, len(tasks), stopped)) as results:
            for task, future in results:
                with contextlib.suppress(ReviewStopped):
                    yield task, _result(future, task, is_local=pool is not None)


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
