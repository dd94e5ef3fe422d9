"""Many reviews at once: by threads that each have an engine process, or by the workers of a Dask cluster."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bot.archive.played_game import UnreadableGameError
from bot.archive.review.review_game import ReviewStopped, ReviewTask, StopReviews, review_game
from bot.archive.review.values import GameReview
from bot.errors import BotError, ConfigurationError, EngineError

_POLL_S = 0.2
_CONNECT_S = 10
_LOGGER_OF_DASK = "distributed.client"


class ClusterLost(BotError):  # noqa: N818 -- the name says what happened, as in bot.errors
    """The scheduler of the cluster is gone, and with it all reviews that were not finished."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Callbacks for each finished game, each failed one with the reason, and each position analysed here."""

    done: Callable[[GameReview], None]
    failed: Callable[[ReviewTask, str], None]
    position: Callable[[], None] = lambda: None


@contextmanager
def local_executor(jobs: int) -> Iterator[Executor]:
    """Return so many threads."""
    with ThreadPoolExecutor(jobs, thread_name_prefix="review") as executor:
        yield executor


@contextmanager
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
    tasks: Sequence[ReviewTask], executor: Executor, listener: Listener, stopped: Callable[[], bool], *, is_local: bool
) -> None:
    """Review all games; return early once `stopped()`, and give up unfinished games.

    A game that cannot be read or analysed is reported to the listener; the others continue. Raises
    ClusterLost.
    """
    stop = StopReviews()
    extra = (listener.position, stop) if is_local else ()
    waiting = {executor.submit(review_game, task, *extra): task for task in tasks}
    try:
        while waiting and not stopped():
            done, _running = wait(waiting, timeout=_POLL_S, return_when=FIRST_COMPLETED)
            for future in done:
                _tell(future, waiting.pop(future), listener, is_local=is_local)
    finally:
        for future in waiting:
            future.cancel()
        stop.ask()


def _tell(future: Future[GameReview], task: ReviewTask, listener: Listener, *, is_local: bool) -> None:
    if future.cancelled():  # not by us, who do so at the end: Dask's client does when it loses its scheduler
        raise ClusterLost("the connection to the scheduler was lost")
    try:
        review = future.result()
    except ReviewStopped:
        return
    except (EngineError, UnreadableGameError) as error:
        listener.failed(task, str(error))
    except Exception as error:  # whatever a cluster does: lost workers, cut connections, another version of bot88
        if is_local:
            raise
        listener.failed(task, f"game {task.game.game_id}: the cluster says {error!r}")
    else:
        listener.done(review)
