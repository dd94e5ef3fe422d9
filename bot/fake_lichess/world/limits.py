"""Rate limits: sliding windows per endpoint class and user."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A number of credits per span of seconds."""

    credits: int
    span_s: float


DAY_S = 86_400
EVENT_STREAM = Rule(30, 600)
ACCOUNT = Rule(30, 300)
AI_PER_MINUTE = Rule(5, 60)
CROSSTABLE = Rule(30, 600)
MAX_WATCHED = 8  # spectators' streams of one address
CHALLENGE_PER_MINUTE = Rule(25, 60)
CHALLENGE_PER_DAY = Rule(200, DAY_S)
CHALLENGE_TO_PERSON_COST = 5


class Window:
    """The credits spent within the last span."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self._spent: deque[tuple[float, int]] = deque()
        self._total = 0

    def wait_s(self, now_s: float, cost: int = 1) -> float:
        """Return 0 if `cost` can be spent now, else the seconds until then."""
        while self._spent and self._spent[0][0] <= now_s - self.rule.span_s:
            self._total -= self._spent.popleft()[1]
        if self._total + cost <= self.rule.credits:
            return 0.0
        return self._spent[0][0] + self.rule.span_s - now_s if self._spent else self.rule.span_s

    def spend(self, now_s: float, cost: int = 1) -> None:
        """Spend without a check."""
        self._spent.append((now_s, cost))
        self._total += cost

    def exhaust(self, now_s: float, wait_s: float) -> None:
        """Use up all credits, so that they return in `wait_s` seconds."""
        self._spent = deque([(now_s + wait_s - self.rule.span_s, self.rule.credits)])
        self._total = self.rule.credits


class Limiter:
    """All windows by name and key. If not `enabled`, nothing is limited."""

    def __init__(self, enabled: bool) -> None:
        self.enabled = enabled
        self._windows: dict[tuple[str, str], Window] = {}

    def window(self, name: str, key: str, rule: Rule) -> Window:
        """Return the window of one key, made on first use."""
        return self._windows.setdefault((name, key), Window(rule))

    def take(self, name: str, key: str, rule: Rule, now_s: float, cost: int = 1) -> bool:
        """Spend if enough credits are left; returns whether they were."""
        if not self.enabled:
            return True
        window = self.window(name, key, rule)
        if window.wait_s(now_s, cost) > 0:
            return False
        window.spend(now_s, cost)
        return True
