"""Asking the sources in order, in bounded time, whatever they do."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog

from bot.errors import LichessError
from bot.move_sources.request import Choice, MoveRequest, MoveSource

log = structlog.get_logger(__name__)
MIN_ONLINE_S = 0.05  # with less of the budget left no request can come back


@dataclass(frozen=True, slots=True)
class OnlineLimits:
    """`budget_s`: all online sources together, for one move; `reserve_s`: none is asked with less on our clock;
    `max_misses`: in a row and game, then the source is left alone for the rest of that game.
    """

    budget_s: float = 1.5
    reserve_s: float = 30.0
    max_misses: int = 3


@dataclass(slots=True)
class Misses:
    """How often each source had nothing to say, in a row, in one game."""

    counts: dict[str, int] = field(default_factory=dict)

    def note(self, source: str, knew: bool) -> None:
        """One answer."""
        self.counts[source] = 0 if knew else self.counts.get(source, 0) + 1


def choose_from(
    sources: Sequence[MoveSource],
    request: MoveRequest,
    limits: OnlineLimits | None = None,
    misses: Misses | None = None,
) -> Choice | None:
    """The first move that a source knows, None when the engine has to think.

    No source can delay the move beyond its own limit, all online ones together not beyond their budget.
    """
    limits = limits or OnlineLimits()
    misses = misses if misses is not None else Misses()
    left_s = limits.budget_s
    if request.move_time_ms is not None:
        left_s = min(left_s, request.move_time_ms / 1000)
    for source in sources:
        if not is_asked(source, request, limits, misses):
            continue
        if source.online and left_s < MIN_ONLINE_S:
            continue
        began = time.monotonic()
        timeout_s = min(source.limit_s, left_s) if source.online else source.limit_s
        choice = _ask(source, request, timeout_s)
        if source.online:
            left_s -= time.monotonic() - began
            misses.note(source.name, choice is not None)
        if choice is not None:
            log.debug("move_from_source", game_id=request.game_id, source=choice.source, move=choice.move.uci())
            return choice
    return None


def is_asked(source: MoveSource, request: MoveRequest, limits: OnlineLimits, misses: Misses) -> bool:
    """Whether the source comes into question at all; costs next to nothing."""
    if source.online:
        clock = request.remaining_ms
        if clock is not None and clock < limits.reserve_s * 1000:
            return False
        if misses.counts.get(source.name, 0) >= limits.max_misses:
            return False
    return source.applies(request)


def _ask(source: MoveSource, request: MoveRequest, timeout_s: float) -> Choice | None:
    """The source's answer within the time; a disk or a server that hangs is left behind in its thread."""
    answers: queue.SimpleQueue[Choice | None] = queue.SimpleQueue()

    def work() -> None:
        answers.put(_answer(source, request, timeout_s))

    threading.Thread(target=work, name=f"source {source.name}", daemon=True).start()
    try:
        return answers.get(timeout=timeout_s)
    except queue.Empty:
        log.warning("move_source_late", game_id=request.game_id, source=source.name, limit_s=round(timeout_s, 2))
        return None


def _answer(source: MoveSource, request: MoveRequest, timeout_s: float) -> Choice | None:
    try:
        choice = source.choose(request, timeout_s)
    except LichessError as error:
        log.info("move_source_silent", game_id=request.game_id, source=source.name, error=str(error))
        return None
    except Exception:
        log.exception("move_source_failed", game_id=request.game_id, source=source.name)
        return None
    if choice is not None and not request.board.is_legal(choice.move):
        log.error("move_source_illegal", game_id=request.game_id, source=source.name, move=choice.move.uci())
        return None
    return choice
