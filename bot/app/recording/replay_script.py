"""Walks through a record in its order: gives the stream's lines, and waits where the bot made a request until it does.

So the game's code meets every line at the same point of its own work as when the record was made, however fast it goes.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable

from bot.app.recording.record import Entry, Record

PATIENCE_S = 5.0  # how long a recorded request is waited for
_UNTIMED = ("chat",)  # sent by a thread of their own at its pace: nothing waits for them
END = None


class ReplayScript:
    """The record, and how far it has been played. `tell(seconds, text)` is told what happens; thread-safe."""

    def __init__(
        self, record: Record, tell: Callable[[float, str], None], *, speed: float = 0.0, patience_s: float = PATIENCE_S
    ) -> None:
        """`speed` 1: with the pauses of the record; 0: without any."""
        self._entries = record.entries
        self._tell = tell
        self._pause = 1.0 / speed if speed > 0 else 0.0
        self._patience_s = patience_s
        self._changed = threading.Condition()
        self._at = 0
        self._refused = 0  # openings of the stream up to here have been refused already
        self._made: Counter[str] = Counter()
        self._unmet: Counter[str] = Counter()  # made and not yet met in the record
        self._recorded = Counter(entry.text("path") for entry in self._entries if entry.kind == "post")
        self._outcomes: defaultdict[str, deque[Entry]] = defaultdict(deque)
        for entry in self._entries:
            if entry.kind == "answer" and entry.text("path") != "stream":
                self._outcomes[entry.text("path")].append(entry)
        self.exhausted = threading.Event()

    @property
    def seconds(self) -> float:
        """How far into the record we are."""
        return self._entries[min(self._at, len(self._entries) - 1)].t - self._entries[0].t

    def differences(self) -> list[str]:
        """Return the requests that only the record has, and those that it does not have."""
        with self._changed:
            missing = [f"only recorded: {path}" for path in self._recorded if not self._made[path]]
            return missing + [f"only now: {path}" for path in self._made if not self._recorded[path]]

    def made(self, path: str) -> Entry | None:
        """The bot makes a request; returns the answer that it got then, None where the record has none."""
        with self._changed:
            self._made[path] += 1
            self._unmet[path] += 1
            known = "as recorded" if self._recorded[path] else "NOT in the record"
            self._tell(self.seconds, f"> {path}  ({known})")
            self._changed.notify_all()
            outcomes = self._outcomes[path]
            return outcomes.popleft() if outcomes else None

    def refusal(self) -> Entry | None:
        """The bot opens its stream: returns the answer that refused it then, None where it was opened."""
        with self._changed:
            for index in range(max(self._at, self._refused), len(self._entries)):
                entry = self._entries[index]
                if entry.kind == "answer" and entry.text("path") == "stream":
                    self._refused = index + 1
                    return entry
                if entry.kind in ("open", "line"):
                    break
            return None

    def next(self, closed: Callable[[], bool], begun: bool) -> Entry | None:
        """Wait for the next line or end of the stream; None where the record opens another, or after `closed()`."""
        while True:
            with self._changed:
                if closed():
                    return END
                if self._at >= len(self._entries):
                    self.exhausted.set()
                    self._changed.wait(0.1)
                    continue
                entry = self._entries[self._at]
                if entry.kind == "post":
                    self._meet(entry.text("path"), closed)
                elif entry.kind == "open" and begun:
                    return END
                begun = begun or entry.kind == "open"
                self._at += 1
            self._sleep_until(entry)
            if entry.kind == "line" or (entry.kind == "end" and begun):
                return entry

    def _meet(self, path: str, closed: Callable[[], bool]) -> None:
        """Wait until the bot has made a recorded request; one that it made before may be a repetition left out now."""
        if path.startswith(_UNTIMED):
            return
        deadline = time.monotonic() + (self._patience_s if not self._made[path] else self._patience_s / 5)
        while not self._unmet[path] and not closed() and (left_s := deadline - time.monotonic()) > 0:
            self._changed.wait(min(left_s, 0.1))
        if self._unmet[path]:
            self._unmet[path] -= 1
        else:
            self._tell(self.seconds, f"  {path} was made here when this was recorded")

    def _sleep_until(self, entry: Entry) -> None:
        index = self._at - 1
        if self._pause and 0 < index < len(self._entries) and entry is self._entries[index]:
            time.sleep(max(0.0, entry.t - self._entries[index - 1].t) * self._pause)
