"""Query the sources in order, in bounded time, whatever they do."""

from __future__ import annotations

import math
import queue
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import structlog

from bot.errors import LichessError
from bot.move_sources.request import Choice, MoveRequest, MoveSource

log = structlog.get_logger(__name__)
MIN_ONLINE_S = 0.05  # with less of the budget left no request can come back
LOCAL_SHARE = 20  # a query of files may take this part of our clock, if that is less than its own limit
REST_S = 180.0  # how long a source is left alone after a query that did not end in time
FAIR_ONLINE_S = 1.0  # an online source that was given less than this may be slow without being at fault


@dataclass(frozen=True, slots=True)
class OnlineLimits:
    """When online sources are queried, and for how long.

    `budget_s`: for all of them together, per move; `reserve_s`: none is queried with less on our clock; `max_misses`:
    after so many in a row a source is not queried again in that game.
    """

    budget_s: float = 1.5
    reserve_s: float = 30.0
    max_misses: int = 3


#: How often in a row each source did not know a position of one game.
MissCounts = Counter[str]


def choose_from(
    sources: Sequence[MoveSource],
    request: MoveRequest,
    limits: OnlineLimits | None = None,
    miss_counts: MissCounts | None = None,
    resting: dict[str, float] | None = None,
) -> Choice | None:
    """Return the first move that a source knows, else a result without a move, None where nobody knows anything.

    Each source has its own limit, the online ones together a budget. `resting` holds until when (monotonic seconds)
    a source is left alone because a query took too long.
    """
    resting = resting if resting is not None else {}
    limits = limits or OnlineLimits()
    miss_counts = miss_counts if miss_counts is not None else MissCounts()
    result: Choice | None = None  # known without a move
    clock_s = math.inf if request.move_time_ms is None else request.move_time_ms / 1000
    left_s = min(limits.budget_s, clock_s)
    for source in sources:
        too_late = source.online and left_s < MIN_ONLINE_S
        if too_late or not is_eligible(source, request, limits, miss_counts, resting):
            continue
        began = time.monotonic()
        timeout_s = _timeout_s(source, request, left_s)
        try:
            choice = _query(source, request, timeout_s)
        except TimeoutError:
            choice = None
            if not source.online or timeout_s >= FAIR_ONLINE_S:
                resting[source.name] = time.monotonic() + REST_S
        if source.online:
            left_s -= time.monotonic() - began
            miss_counts[source.name] = 0 if choice is not None else miss_counts[source.name] + 1
        if choice is not None and not choice.move:
            result = result or choice
        elif choice is not None:
            log.debug("move_from_source", game_id=request.game_id, source=choice.source, move=choice.move.uci())
            return choice if result is None else replace(choice, wdl=result.wdl)
    return result


def _timeout_s(source: MoveSource, request: MoveRequest, online_left_s: float) -> float:
    """Return how long a query may take."""
    if source.online:
        return min(source.limit_s, online_left_s)
    clock_ms = request.remaining_ms
    return source.limit_s if clock_ms is None else min(source.limit_s, clock_ms / 1000 / LOCAL_SHARE)


def is_eligible(
    source: MoveSource,
    request: MoveRequest,
    limits: OnlineLimits,
    miss_counts: MissCounts,
    resting: Mapping[str, float] | None = None,
) -> bool:
    """Return whether the source may be queried for this position; takes next to no time."""
    if resting and time.monotonic() < resting.get(source.name, 0.0):
        return False
    if source.online:
        clock = request.remaining_ms
        if clock is not None and clock < limits.reserve_s * 1000:
            return False
        if miss_counts[source.name] >= limits.max_misses:
            return False
    return source.applies(request)


def _query(source: MoveSource, request: MoveRequest, timeout_s: float) -> Choice | None:
    """Query the source in a separate thread, which is left behind if it hangs. Raises TimeoutError."""
    answers: queue.SimpleQueue[Choice | None] = queue.SimpleQueue()

    def work() -> None:
        answers.put(_query_logged(source, request, timeout_s))

    threading.Thread(target=work, name=f"source {source.name}", daemon=True).start()
    try:
        return answers.get(timeout=timeout_s)
    except queue.Empty:
        log.warning("move_source_timed_out", game_id=request.game_id, source=source.name, limit_s=round(timeout_s, 2))
        raise TimeoutError from None


def _query_logged(source: MoveSource, request: MoveRequest, timeout_s: float) -> Choice | None:
    try:
        choice = source.choose(request, timeout_s)
    except LichessError as error:
        log.info("move_source_unavailable", game_id=request.game_id, source=source.name, error=str(error))
        return None
    except Exception:
        log.exception("move_source_failed", game_id=request.game_id, source=source.name)
        return None
    if choice is not None and choice.move and not request.board.is_legal(choice.move):
        log.error("move_source_illegal", game_id=request.game_id, source=source.name, move=choice.move.uci())
        return None
    return choice
