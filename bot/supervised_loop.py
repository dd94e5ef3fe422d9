"""Background threads: one that restarts its body after an unexpected exception, and starting one for a game."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import structlog

from bot.backoff import Backoff

FIRST_PAUSE_S = 0.1
MAX_PAUSE_S = 30.0
HEALTHY_S = 60.0  # a body that ran this long before it failed restarts with the shortest pause

log = structlog.get_logger(__name__)


class SupervisedLoop:
    """Runs `body` on a daemon thread until it returns or the loop is stopped.

    An exception that leaves the body is logged as `background_fault`, and the body restarts after a pause that doubles
    with each failure. A body that returns has ended on purpose. Local state of the body is lost when it fails.
    """

    def __init__(
        self,
        name: str,
        body: Callable[[], object],
        *,
        first_pause_s: float = FIRST_PAUSE_S,
        max_pause_s: float = MAX_PAUSE_S,
    ) -> None:
        """Prepare the loop. `name` is the name of the thread, also in the log."""
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
        """Whether `stop` was called; a long body should check it now and then."""
        return self._stopped.is_set()

    def start(self) -> bool:
        """Start the thread unless it was started before.

        Return False if the system cannot start a thread at the moment; call again later.
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
        """Start the thread. Retry until the system can start one."""
        while not self.start() and not self.stopped:
            self._stopped.wait(self._backoff.next_s())
        self._backoff.reset()

    def stop(self) -> None:
        """Do not restart the body, and end `wait`. The caller wakes a body that waits for something else."""
        self._stopped.set()

    def wait(self, seconds: float) -> bool:
        """Wait on behalf of the body. Return True at once when the loop is stopped."""
        return self._stopped.wait(seconds)

    def join(self, timeout_s: float) -> bool:
        """Wait for the thread, unless it calls this itself. Return whether it has ended."""
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


def start_thread(purpose: str, game_id: str, work: Callable[[], object]) -> bool:
    """Start a daemon thread named `purpose-game_id`; False, logged, where the system has none to spare just now."""
    try:
        threading.Thread(target=work, name=f"{purpose}-{game_id}", daemon=True).start()
    except RuntimeError as error:
        log.error("thread_not_started", game_id=game_id, purpose=purpose, error=str(error))
        return False
    return True
