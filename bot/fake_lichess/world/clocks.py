"""The clock of a game, pure: every method takes the time, in milliseconds of any steady clock.

In real time the first two plies are free: the clock starts with the second ply, and gives no increment before it runs
(as scalachess `Clock.step` and `Game.applyClock` do). A correspondence clock runs from the creation.
Remaining times are live: the running time is already subtracted.
"""

from __future__ import annotations

from dataclasses import dataclass

import chess

UNLIMITED_MS = 2147483647
MIN_INITIAL_MS = 3000
BERSERK_INCREMENTS = 40
DAY_MS = 24 * 60 * 60 * 1000


@dataclass(frozen=True)
class TimeControl:
    """`limit_ms` and `increment_ms` of a real-time clock, or `days` per move, or neither: unlimited."""

    limit_ms: int | None = None
    increment_ms: int = 0
    days: int | None = None

    @property
    def initial_ms(self) -> int:
        """What each side starts with; a clock of 0 starts with one increment, three seconds at least (scalachess)."""
        if self.days is not None:
            return self.days * DAY_MS
        if self.limit_ms is None:
            return UNLIMITED_MS
        return self.limit_ms or max(self.increment_ms, MIN_INITIAL_MS)

    @property
    def limit_s(self) -> float | None:
        """The limit in seconds, None without a real-time clock."""
        return None if self.limit_ms is None else self.limit_ms / 1000

    @property
    def increment_s(self) -> float:
        """The increment in seconds."""
        return self.increment_ms / 1000


class GameClock:
    """Remaining times of both sides; `running` is the colour whose time runs, None before start and after end."""

    def __init__(self, control: TimeControl, side: chess.Color, now_ms: float) -> None:
        self.control = control
        self.running: chess.Color | None = None if control.days is None else side
        self._side = side
        self._since_ms = now_ms
        first = control.initial_ms
        self._left = {chess.WHITE: float(first), chess.BLACK: float(first)}
        self._plies = 0
        self._berserk: set[chess.Color] = set()
        self._before: list[tuple[float, float]] = []  # White's and Black's time before each ply

    @property
    def _runs_now(self) -> bool:
        return self._plies >= 2 or self.control.days is not None

    def remaining_ms(self, color: chess.Color, now_ms: float) -> int:
        """Return time left, not below 0; 2147483647 in an unlimited game."""
        left = self._left[color]
        if color == self.running and left < UNLIMITED_MS:
            left -= now_ms - self._since_ms
        return max(0, round(left))

    def flag_in_ms(self, now_ms: float) -> float | None:
        """Return milliseconds until the running side's flag falls (negative: it has fallen); None when nothing runs."""
        if self.running is None or self._left[self.running] >= UNLIMITED_MS:
            return None
        return self._left[self.running] - (now_ms - self._since_ms)

    def press(self, now_ms: float) -> None:
        """The side to move has moved: take its time, add its increment, run the other side's."""
        self._before.append(self._both())
        mover = self._side
        if self.running is not None:
            self._left[mover] = self._after_move(mover, now_ms)
        self._side = not mover
        self._plies += 1
        self._since_ms = now_ms
        if self._runs_now:
            self.running = self._side

    def correct(self, color: chess.Color, left_ms: int) -> None:
        """Set a side's time to that of a record of the game."""
        self._left[color] = float(left_ms)

    def _after_move(self, mover: chess.Color, now_ms: float) -> float:
        if self.control.days is not None:
            return float(self.control.days * DAY_MS)
        if self.control.limit_ms is None:
            return float(UNLIMITED_MS)
        increment_ms = 0 if mover in self._berserk else self.control.increment_ms
        return max(0.0, self._left[mover] - (now_ms - self._since_ms)) + increment_ms

    def start(self, now_ms: float) -> None:
        """Run the clock of the side to move at once, also within the free plies."""
        if self.running is None:
            self.running, self._since_ms = self._side, now_ms

    def take_back(self, plies: int, now_ms: float) -> None:
        """Restore the times of `plies` plies ago; the side then to move runs from now on."""
        for _ in range(plies):
            self._left[chess.WHITE], self._left[chess.BLACK] = self._before.pop()
            self._side = not self._side
            self._plies -= 1
        self._since_ms = now_ms
        self.running = self._side if self._runs_now else None

    def berserk(self, color: chess.Color) -> None:
        """Give up the increment, and half of the time unless that is the smaller part (scalachess `berserkPenalty`)."""
        limit_ms = self.control.limit_ms or 0
        if limit_ms >= BERSERK_INCREMENTS * self.control.increment_ms:
            self._left[color] -= limit_ms / 2
        self._berserk.add(color)

    def add(self, color: chess.Color, milliseconds: int) -> None:
        """Give time to one side of a real-time game."""
        if self.control.limit_ms is not None:
            self._left[color] += milliseconds

    def stop(self, now_ms: float) -> None:
        """The game is over: freeze both times."""
        if self.running is not None and self._left[self.running] < UNLIMITED_MS:
            self._left[self.running] = max(0.0, self._left[self.running] - (now_ms - self._since_ms))
        self.running = None

    def history_ms(self) -> list[int]:
        """Return time left of the mover after each ply, oldest first."""
        states = [*self._before[1:], self._both()]
        first = self._side if self._plies % 2 == 0 else not self._side
        black = (first == chess.BLACK, first == chess.WHITE)  # whether the mover of an even, of an odd ply is Black
        return [round(state[black[ply % 2]]) for ply, state in enumerate(states[: self._plies])]

    def _both(self) -> tuple[float, float]:
        return self._left[chess.WHITE], self._left[chess.BLACK]
