"""A background thread that survives faults: its body is run again after an unexpected exception."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import structlog

from bot.backoff import Backoff

FIRST_PAUSE_S = 0.1
MAX_PAUSE_S = 30.0
HEALTHY_S = 60.0  # a body that ran for so long before it failed starts again with the shortest pause

log = structlog.get_logger(__name__)


class SupervisedLoop:
    """Runs `body` on a daemon thread until it returns or the loop is stopped.

    An exception that leaves the body is logged as `background_fault`; the body is then run again after a pause that
    doubles with each failure. A body that returns has ended on purpose and is not run again. What the body was working
    on when it failed is lost unless the body keeps it outside itself.
    """

    def __init__(
        self,
        name: str,
        body: Callable[[], object],
        *,
        first_pause_s: float = FIRST_PAUSE_S,
        max_pause_s: float = MAX_PAUSE_S,
    ) -> None:
        """Prepare the loop; `name` names the thread and its lines in the log."""
        self.name = name
        self.failures = 0
        self._body = body
        self._backoff = Backoff(first_pause_s, max_pause_s)
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether the thread has been started and has not ended."""
        thread = self._thread
        return thread is not None and thread.is_alive()

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called; a long body should ask now and then."""
        return self._stopped.is_set()

    def start(self) -> bool:
        """Start the thread unless it was started before.

        Returns False when the system can start no thread at the moment; call again later.
        """
        with self._lock:
            if self._thread is not None:
                return True
            thread = threading.Thread(target=self._run, name=self.name, daemon=True)
            try:
                thread.start()
            except RuntimeError as error:  # "can't start new thread"
                log.error("thread_not_started", thread=self.name, error=str(error))
                return False
            self._thread = thread
            return True

    def ensure_started(self) -> None:
        """Start the thread and, where the system has none to spare, try until it has: nobody calls again later."""
        while not self.start() and not self.stopped:
            self._stopped.wait(self._backoff.next_s())
        self._backoff.reset()

    def stop(self) -> None:
        """Do not run the body again, and end `wait`; the caller wakes a body that waits for something else."""
        self._stopped.set()

    def wait(self, seconds: float) -> bool:
        """Wait on behalf of the body; returns True at once when the loop is stopped."""
        return self._stopped.wait(seconds)

    def join(self, timeout_s: float) -> bool:
        """Wait for the end of the thread; returns whether it has ended. The thread itself never waits for itself."""
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout_s)
        return not self.running

    def _run(self) -> None:
        while not self._stopped.is_set():
            began_s = time.monotonic()
            try:
                self._body()
            except Exception:
                self.failures += 1
                if time.monotonic() - began_s >= HEALTHY_S:
                    self._backoff.reset()
                pause_s = self._backoff.next_s()
                log.exception("background_fault", thread=self.name, again_in_s=round(pause_s, 1))
                self._stopped.wait(pause_s)
            else:
                return
