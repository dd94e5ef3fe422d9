"""Slots: one record per game, from the accepted or sent challenge to the end of the game."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from time import monotonic

ACCEPTED_S = 30.0  # until the acceptance of a challenge is answered
CONFIRMED_S = 90.0  # ... and from then on: its game runs, and the next list shows it if no stream does
OUTGOING_S = 150.0  # Lichess sweeps real-time challenges that nobody answers within two minutes
OUTGOING_SLOW_S = 86_400.0  # ... and keeps correspondence challenges for days


class SlotUse(Enum):
    """What a record stands for. All but DUE and PARKED hold a slot."""

    RESERVED = "reserved"  # for a game that has no id yet: a challenge being sent, the next game of an arena
    ACCEPTED = "accepted"  # a challenge to us whose game has not begun
    OUTGOING = "outgoing"  # a challenge of ours, which may be accepted at any moment
    PLAYING = "playing"
    DUE = "due"  # a correspondence game in which it is our turn: it gets the next free slot
    PARKED = "parked"  # a correspondence game that waits for its opponent

    @property
    def is_game(self) -> bool:
        """Whether the record stands for a game that has begun."""
        return self in (SlotUse.PLAYING, SlotUse.DUE, SlotUse.PARKED)


_WITHOUT_SLOT = (SlotUse.DUE, SlotUse.PARKED)


@dataclass(frozen=True)
class SlotRecord:
    """One game, or what may become one. `since_s` and `until_s` (when it lapses) in monotonic seconds."""

    game_id: str
    use: SlotUse
    opponent_id: str
    since_s: float
    until_s: float | None = None


class Slots:
    """All records of the account. Every method may be called from any thread."""

    def __init__(self, concurrency: int, now: Callable[[], float] = monotonic) -> None:
        """Start without records; `now` gives monotonic seconds."""
        self.concurrency = concurrency
        self._now = now
        self._lock = threading.Lock()
        self._records: dict[str, SlotRecord] = {}

    def records(self) -> tuple[SlotRecord, ...]:
        """Return all records that have not lapsed."""
        with self._lock:
            self._remove_lapsed()
            return tuple(self._records.values())

    def get(self, game_id: str) -> SlotRecord | None:
        """Return the record of an id, None if there is none."""
        with self._lock:
            self._remove_lapsed()
            return self._records.get(game_id)

    def free(self) -> int:
        """Count the slots for new games; negative if more games were resumed or are due than may run."""
        with self._lock:
            self._remove_lapsed()
            return self.concurrency - self._held() - self._due()

    def reserve(
        self,
        game_id: str,
        opponent_id: str,
        keep_free: int = 0,
        use: SlotUse = SlotUse.ACCEPTED,
    ) -> bool:
        """Take a slot for a game that has not begun. Return False if no more than `keep_free` slots are free."""
        with self._lock:
            self._remove_lapsed()
            if game_id in self._records or self.concurrency - self._held() - self._due() <= keep_free:
                return False
            self._record(game_id, use, opponent_id, ACCEPTED_S)
            return True

    def put(self, game_id: str, use: SlotUse, opponent_id: str, lapse_s: float | None = None) -> None:
        """Record a use even if no slot is free: a running game has to be played in any case."""
        with self._lock:
            self._record(game_id, use, opponent_id, lapse_s)

    def put_if_absent(self, game_id: str, use: SlotUse, opponent_id: str, lapse_s: float) -> bool:
        """Record a use unless the id has one already. Return whether it was recorded."""
        with self._lock:
            self._remove_lapsed()
            if game_id in self._records:
                return False
            self._record(game_id, use, opponent_id, lapse_s)
            return True

    def begin_if_free(self, game_id: str, opponent_id: str) -> bool:
        """Record a game as PLAYING if it holds a slot or one is free, else as DUE. Return whether it is PLAYING."""
        with self._lock:
            self._remove_lapsed()
            record = self._records.get(game_id)
            holds = record is not None and record.use not in _WITHOUT_SLOT
            begins = holds or self._held() < self.concurrency
            if begins or record is None or record.use is not SlotUse.DUE:
                self._record(game_id, SlotUse.PLAYING if begins else SlotUse.DUE, opponent_id, None)
            return begins

    def renew(self, game_id: str, lapse_s: float) -> None:
        """Let the slot of an accepted challenge lapse `lapse_s` from now, unless its game has begun."""
        with self._lock:
            record = self._records.get(game_id)
            if record is not None and record.use is SlotUse.ACCEPTED:
                self._records[game_id] = replace(record, until_s=self._now() + lapse_s)

    def release(self, game_id: str, *uses: SlotUse) -> bool:
        """Remove the record of an id; with `uses`, only if it is one of them. Return whether it was removed."""
        with self._lock:
            record = self._records.get(game_id)
            if record is None or (uses and record.use not in uses):
                return False
            del self._records[game_id]
            return True

    def _record(self, game_id: str, use: SlotUse, opponent_id: str, lapse_s: float | None) -> None:
        now_s = self._now()
        until_s = None if lapse_s is None else now_s + lapse_s
        self._records[game_id] = SlotRecord(game_id, use, opponent_id, now_s, until_s)

    def _held(self) -> int:
        return sum(record.use not in _WITHOUT_SLOT for record in self._records.values())

    def _due(self) -> int:
        return sum(record.use is SlotUse.DUE for record in self._records.values())

    def _remove_lapsed(self) -> None:
        now = self._now()
        lapsed = [key for key, record in self._records.items() if record.until_s is not None and record.until_s <= now]
        for game_id in lapsed:
            del self._records[game_id]
