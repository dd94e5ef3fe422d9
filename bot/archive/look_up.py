"""Decides whether a game is over, and how, from the server's export of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from bot.backoff import Backoff
from bot.errors import LichessError, NotFound, Unauthorized
from bot.events.game import UNKNOWN_FINISH, GameExport
from bot.supervised_loop import SupervisedLoop

PAUSES_S = (2.0, 600.0)  # first and longest pause between two requests about one game
BETWEEN_S = 2.0  # between two requests: with fifty games, an outage or a restart would be followed by a flood
NOT_FOUND_ENDS = 3  # one 404 alone may be a momentary fault of the server
REJECTED_PAUSE_S = 60.0  # no request succeeds until the token has been replaced

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class _Waiter:
    on_answer: Callable[[GameExport], None]
    until_over: bool
    is_wanted: Callable[[], bool] = field(compare=False)


@dataclass
class _Question:
    """The open question about one game; `due_s` in monotonic seconds."""

    due_s: float
    waiters: list[_Waiter] = field(default_factory=list)
    backoff: Backoff = field(default_factory=lambda: Backoff(*PAUSES_S))
    not_found: int = 0


class GameLookUp:
    """Requests exports on a thread of its own, one at a time, until every question is answered.

    A failed request is repeated after a growing pause. For a game that three requests in a row did not find, the answer
    is an export with the status "unknownFinish". Questions about the same game share its requests.
    """

    def __init__(self, export_game: Callable[[str], GameExport], between_s: float = BETWEEN_S) -> None:
        """Prepare the thread; `start` begins to answer. `export_game(game_id)` raises LichessError."""
        self._export_game = export_game
        self._between_s = between_s
        self._changed = threading.Condition()
        self._questions: dict[str, _Question] = {}
        self._next_s = 0.0  # monotonic; no request before this
        self._closed = False
        self._loop = SupervisedLoop("game-look-up", self._work)

    def start(self) -> None:
        """Begin to answer, also what was asked before."""
        self._loop.ensure_started()

    def ask(
        self,
        game_id: str,
        on_answer: Callable[[GameExport], None],
        *,
        after_s: float = 0.0,
        until_over: bool = False,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> None:
        """Call `on_answer(export)` once, on the look-up's thread; returns at once, also under a lock.

        `after_s` delays the first request. With `until_over` a running game is asked about again until it is over.
        The question is dropped if `is_wanted()` is False when a request is due. The same question asked again
        while it is open changes nothing.
        """
        due_s = time.monotonic() + after_s
        with self._changed:
            if self._closed:
                return
            question = self._questions.setdefault(game_id, _Question(due_s))
            waiter = _Waiter(on_answer, until_over, is_wanted)
            if waiter not in question.waiters:
                question.due_s = min(question.due_s, due_s)
                question.waiters.append(waiter)
                self._changed.notify_all()

    def close(self, timeout_s: float = 5.0) -> None:
        """Drop the open questions and end the thread."""
        with self._changed:
            self._closed = True
            self._questions.clear()
            self._changed.notify_all()
        self._loop.stop()
        self._loop.join(timeout_s)

    def _work(self) -> None:
        while game_id := self._next():
            self._look_up(game_id)

    def _next(self) -> str:
        """Wait until a request is due; returns the game that has waited longest, "" when closed."""
        with self._changed:
            while not self._closed:
                now_s = time.monotonic()
                due_s, game_id = min(((one.due_s, key) for key, one in self._questions.items()), default=(None, ""))
                wait_s = None if due_s is None else max(due_s, self._next_s) - now_s
                if wait_s is None or wait_s > 0:
                    self._changed.wait(wait_s)
                elif self._keep_wanted(game_id):
                    self._next_s = now_s + self._between_s
                    return game_id
            return ""

    def _keep_wanted(self, game_id: str) -> bool:
        """Drop the waiters that no longer want an answer; returns whether any is left."""
        question = self._questions[game_id]
        question.waiters = [waiter for waiter in question.waiters if waiter.is_wanted()]
        if not question.waiters:
            del self._questions[game_id]
        return bool(question.waiters)

    def _look_up(self, game_id: str) -> None:
        try:
            export = self._export_game(game_id)
        except NotFound:
            self._not_found(game_id)
        except LichessError as error:
            log.info("game_not_looked_up", game_id=game_id, error=str(error))
            self._postpone(game_id, REJECTED_PAUSE_S if isinstance(error, Unauthorized) else 0.0)
        else:
            self._answer(game_id, export)

    def _not_found(self, game_id: str) -> None:
        question = self._questions.get(game_id)  # no lock: only this thread counts
        if question is None:
            return
        question.not_found += 1
        if question.not_found >= NOT_FOUND_ENDS:
            log.warning("game_unknown_to_server", game_id=game_id)
            self._answer(game_id, GameExport(game_id, UNKNOWN_FINISH))
        else:
            self._postpone(game_id)

    def _answer(self, game_id: str, export: GameExport) -> None:
        with self._changed:
            question = self._questions.get(game_id)
            if question is None:
                return
            waiting = [one for one in question.waiters if one.until_over and not export.is_over]
            answered = [one for one in question.waiters if one not in waiting]
            question.waiters = waiting
            if not waiting:
                del self._questions[game_id]
        if waiting:
            self._postpone(game_id)
        for waiter in answered:
            try:
                waiter.on_answer(export)
            except Exception:  # one waiter's fault must not take the answer from the others
                log.exception("look_up_listener_fault", game_id=game_id)

    def _postpone(self, game_id: str, least_s: float = 0.0) -> None:
        question = self._questions.get(game_id)  # no lock: a question asked meanwhile waits as long, at most
        if question is not None:
            question.due_s = time.monotonic() + question.backoff.next_s(least_s)
