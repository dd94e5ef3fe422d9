"""The levels that opponents have asked for, so that they hold for a rematch."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MOST_USERS = 1000
REMEMBER_S = 3600.0  # how long a level holds for further games, counted from the latest game


@dataclass(frozen=True, slots=True)
class AskedLevel:
    """A level that a user asked for; `elo` None is full strength."""

    elo: int | None
    asked_s: float


class LevelMemory:
    """The latest wish of each user; all games share it. `now_s` gives monotonic seconds."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._lock = threading.Lock()
        self._asked: OrderedDict[str, AskedLevel] = OrderedDict()

    def remember(self, user_id: str, elo: int | None) -> None:
        """Keep a wish; those of long ago give way."""
        if not user_id:
            return
        with self._lock:
            self._asked[user_id] = AskedLevel(elo, self._now_s())
            self._asked.move_to_end(user_id)
            while len(self._asked) > MOST_USERS:
                self._asked.popitem(last=False)

    def recall(self, user_id: str) -> AskedLevel | None:
        """Return the level that a user asked for within REMEMBER_S, and keep it as long again."""
        with self._lock:
            asked = self._asked.get(user_id)
            if asked is None or self._now_s() - asked.asked_s > REMEMBER_S:
                return None
            self._asked[user_id] = AskedLevel(asked.elo, self._now_s())
            return asked
