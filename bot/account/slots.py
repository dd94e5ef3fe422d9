"""Who holds a slot: one record per game id, from the accepted (or sent) challenge to the end of the game."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from time import monotonic

ACCEPTED_S = 30.0  # an accepted challenge whose game has not begun after this will not begin
OUTGOING_S = 150.0  # Lichess sweeps real-time challenges that nobody takes within two minutes
OUTGOING_SLOW_S = 86_400.0  # ... and keeps correspondence challenges for days


class SlotUse(Enum):
    """What a slot is used for; all but parked games hold one."""

    ACCEPTED = "accepted"  # by us, the game has not begun
    OUTGOING = "outgoing"  # sent under our account, may be taken at any moment
    PLAYING = "playing"
    PARKED = "parked"  # a correspondence game that waits for its opponent


@dataclass(frozen=True)
class Record:
    """One game, or what may become one. `since_s`: monotonic seconds; `until_s`: when it lapses, None for never."""

    game_id: str
    use: SlotUse
    opponent_id: str
    opponent_is_bot: bool
    since_s: float
    until_s: float | None = None


class Slots:
    """All records; every method may be called from any thread."""

    def __init__(self, concurrency: int, now: Callable[[], float] = monotonic) -> None:
        self.concurrency = concurrency
        self._now = now
        self._lock = threading.Lock()
        self._records: dict[str, Record] = {}

    def records(self) -> tuple[Record, ...]:
        """All records that have not lapsed."""
        with self._lock:
            self._sweep()
            return tuple(self._records.values())

    def get(self, game_id: str) -> Record | None:
        """The record of an id."""
        with self._lock:
            self._sweep()
            return self._records.get(game_id)

    def free(self) -> int:
        """Slots nobody holds; negative when more games were resumed than may run."""
        with self._lock:
            self._sweep()
            return self.concurrency - self._held()

    def reserve(self, game_id: str, opponent_id: str, opponent_is_bot: bool, keep_free: int = 0) -> bool:
        """Take a slot for a challenge about to be accepted; False where there is none, or only `keep_free`."""
        with self._lock:
            self._sweep()
            if game_id in self._records or self.concurrency - self._held() <= keep_free:
                return False
            now = self._now()
            self._records[game_id] = Record(
                game_id, SlotUse.ACCEPTED, opponent_id, opponent_is_bot, now, now + ACCEPTED_S
            )
            return True

    def put(
        self, game_id: str, use: SlotUse, opponent_id: str, opponent_is_bot: bool, lapse_s: float | None = None
    ) -> None:
        """Record what is so, slots or not: a game that runs has to be played, a challenge sent has been sent."""
        with self._lock:
            now = self._now()
            until_s = None if lapse_s is None else now + lapse_s
            self._records[game_id] = Record(game_id, use, opponent_id, opponent_is_bot, now, until_s)

    def release(self, game_id: str) -> bool:
        """Free the slot; harmless for an unknown id. True where there was a record."""
        with self._lock:
            return self._records.pop(game_id, None) is not None

    def release_if(self, game_id: str, *seats: SlotUse) -> bool:
        """Free the slot unless the id is used otherwise by now."""
        with self._lock:
            record = self._records.get(game_id)
            if record is None or record.use not in seats:
                return False
            del self._records[game_id]
            return True

    def _held(self) -> int:
        return sum(record.use is not SlotUse.PARKED for record in self._records.values())

    def _sweep(self) -> None:
        now = self._now()
        lapsed = [key for key, record in self._records.items() if record.until_s is not None and record.until_s <= now]
        for game_id in lapsed:
            del self._records[game_id]
