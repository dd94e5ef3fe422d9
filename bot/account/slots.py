"""Slots: one record per game id, from the accepted (or sent) challenge to the end of the game."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from time import monotonic

ACCEPTED_S = 30.0  # a challenge about to be accepted, or whose acceptance got no answer, holds its slot so long
CONFIRMED_S = 90.0  # ... and one accepted for certain: its game runs, and the next list shows it if no stream does
OUTGOING_S = 150.0  # Lichess sweeps real-time challenges that nobody takes within two minutes
OUTGOING_SLOW_S = 86_400.0  # ... and keeps correspondence challenges for days


class SlotUse(Enum):
    """What a record stands for; every use but PARKED holds a slot."""

    ACCEPTED = "accepted"  # by us, the game has not begun
    OUTGOING = "outgoing"  # sent under our account, may be taken at any moment
    PLAYING = "playing"
    PARKED = "parked"  # a correspondence game that waits for its opponent


@dataclass(frozen=True)
class SlotRecord:
    """One game, or what may become one; `since_s` and `until_s` (when it lapses) in monotonic seconds."""

    game_id: str
    use: SlotUse
    opponent_id: str
    since_s: float
    until_s: float | None = None


class Slots:
    """All records of the account; every method may be called from any thread."""

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
        """Return the record of an id, None where there is none."""
        with self._lock:
            self._remove_lapsed()
            return self._records.get(game_id)

    def free(self) -> int:
        """Count the free slots; negative when more games were resumed than may run."""
        with self._lock:
            self._remove_lapsed()
            return self.concurrency - self._held()

    def reserve(self, game_id: str, opponent_id: str, keep_free: int = 0) -> bool:
        """Take a slot for a challenge about to be accepted; False where no more than `keep_free` are free."""
        with self._lock:
            self._remove_lapsed()
            if game_id in self._records or self.concurrency - self._held() <= keep_free:
                return False
            now = self._now()
            self._records[game_id] = SlotRecord(game_id, SlotUse.ACCEPTED, opponent_id, now, now + ACCEPTED_S)
            return True

    def put(self, game_id: str, use: SlotUse, opponent_id: str, lapse_s: float | None = None) -> None:
        """Record a use without asking for a free slot: a game that runs has to be played all the same."""
        with self._lock:
            now = self._now()
            until_s = None if lapse_s is None else now + lapse_s
            self._records[game_id] = SlotRecord(game_id, use, opponent_id, now, until_s)

    def since_s(self, game_id: str) -> float:
        """Return since when (monotonic) the id has had its present record, 0 without one."""
        record = self.get(game_id)
        return 0.0 if record is None else record.since_s

    def put_if_absent(self, game_id: str, use: SlotUse, opponent_id: str, lapse_s: float) -> bool:
        """Record a use unless the id has one already; returns whether it was recorded."""
        with self._lock:
            self._remove_lapsed()
            if game_id in self._records:
                return False
            now = self._now()
            self._records[game_id] = SlotRecord(game_id, use, opponent_id, now, now + lapse_s)
            return True

    def renew(self, game_id: str, lapse_s: float) -> None:
        """Let an accepted challenge's slot lapse only so long from now; one whose game has begun stays as it is."""
        with self._lock:
            record = self._records.get(game_id)
            if record is not None and record.use is SlotUse.ACCEPTED:
                self._records[game_id] = replace(record, until_s=self._now() + lapse_s)

    def release(self, game_id: str) -> bool:
        """Remove the record; returns whether there was one."""
        with self._lock:
            return self._records.pop(game_id, None) is not None

    def release_if(self, game_id: str, *uses: SlotUse) -> bool:
        """Remove the record if its use is one of `uses`; returns whether it was removed."""
        with self._lock:
            record = self._records.get(game_id)
            if record is None or record.use not in uses:
                return False
            del self._records[game_id]
            return True

    def _held(self) -> int:
        return sum(record.use is not SlotUse.PARKED for record in self._records.values())

    def _remove_lapsed(self) -> None:
        now = self._now()
        lapsed = [key for key, record in self._records.items() if record.until_s is not None and record.until_s <= now]
        for game_id in lapsed:
            del self._records[game_id]
