"""What the operator allows while the bot runs: new games at all, and with whom."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

import structlog

from bot.errors import StoreError

_NOTE = "blocked_users"

log = structlog.get_logger(__name__)


class ListMemory(Protocol):
    """Lists that survive a restart, by name. Writing raises nothing."""

    def noted(self, name: str, read: Callable[[object], str]) -> list[str]:
        """Return a list, each value through `read`. Raises StoreError."""

    def note(self, name: str, values: list[str]) -> None:
        """Keep a list."""


class Admission:
    """Paused or not, and the users blocked by command. Every method may be called from any thread.

    A pause lasts until `resume` or the end of the program; `memory` keeps the blocks. A reload of the configuration
    changes neither.
    """

    def __init__(self, memory: ListMemory | None = None) -> None:
        """Start unpaused, with the blocks of an earlier run."""
        self._memory = memory
        self._lock = threading.Lock()
        self._blocked = frozenset(_remembered(memory))
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
            if self._memory is not None:
                self._memory.note(_NOTE, sorted(self._blocked))
        log.info("user_blocked" if blocked else "user_unblocked", user=user_id)
        return True


def _remembered(memory: ListMemory | None) -> list[str]:
    try:
        return memory.noted(_NOTE, str) if memory is not None else []
    except StoreError as error:
        log.error("blocked_users_not_read", error=str(error), remedy="users blocked by command may be played")
        return []
