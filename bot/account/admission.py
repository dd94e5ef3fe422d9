"""What the operator allows while the bot runs: new games at all, and with whom."""

from __future__ import annotations

import threading

import structlog

from bot.archive.store import Store
from bot.errors import StoreError

_NOTE = "blocked_users"

log = structlog.get_logger(__name__)


class Admission:
    """Paused or not, and the users blocked by command. Every method may be called from any thread.

    A pause lasts until `resume` or the end of the program; `store` keeps the blocks. A reload of the configuration
    changes neither.
    """

    def __init__(self, store: Store | None = None) -> None:
        """Start unpaused, with the blocks of an earlier run."""
        self._store = store
        self._lock = threading.Lock()
        self._blocked = frozenset(_remembered(store))
        self.paused = False

    @property
    def blocked(self) -> frozenset[str]:
        """The ids of the users blocked by command."""
        return self._blocked

    def pause(self) -> bool:
        """Decline challenges and send none. Return False if the bot was paused already."""
        return self._set_paused(True)

    def resume(self) -> bool:
        """Undo `pause`. Return False if the bot was not paused."""
        return self._set_paused(False)

    def block(self, user_id: str) -> bool:
        """Do not play a user any more. Return False if the user was blocked already."""
        return self._set_blocked(user_id, True)

    def unblock(self, user_id: str) -> bool:
        """Undo `block`. Return False if the user was not blocked."""
        return self._set_blocked(user_id, False)

    def _set_paused(self, paused: bool) -> bool:
        with self._lock:
            if self.paused == paused:
                return False
            self.paused = paused
        log.info("paused" if paused else "resumed")
        return True

    def _set_blocked(self, user_id: str, blocked: bool) -> bool:
        with self._lock:
            if (user_id in self._blocked) == blocked:
                return False
            self._blocked = self._blocked | {user_id} if blocked else self._blocked - {user_id}
            if self._store is not None:
                self._store.note(_NOTE, sorted(self._blocked))
        log.info("user_blocked" if blocked else "user_unblocked", user=user_id)
        return True


def _remembered(store: Store | None) -> list[str]:
    try:
        return store.noted(_NOTE, str) if store is not None else []
    except StoreError as error:
        log.error("blocked_users_not_read", error=str(error), remedy="users blocked by command may be played")
        return []
