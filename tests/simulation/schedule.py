"""Spans of time in which requests and lines were on their way or impossible: they show which losses are avoidable."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tests.simulation.scheduler import Scheduler

#: A loss is unavoidable if the faults left the bot no more than a second, or no more than a fifth of its clock.
REST_S, REST_SHARE = 1.0, 5
ACCOUNT, DEAD = "account", "the bot is dead"
LISTS = "lists without "  # about a game: hides it from a bot that does not know it yet


@dataclass
class Span:
    """From when to when something was on its way or impossible, for one game, for the account, or for all ("")."""

    from_s: float
    until_s: float
    what: str
    about: str = ""

    def end(self, now_s: float, what: str = "") -> None:
        """Note that it has ended, and how."""
        self.until_s = min(self.until_s, now_s)
        self.what += what


@dataclass(frozen=True)
class Loss:
    """A game lost on time, and the schedule of its last turn. `free_s`: when nothing kept the bot from its move."""

    game_id: str
    turn_s: float
    free_s: float
    lines: tuple[str, ...]

    @property
    def avoidable(self) -> bool:
        """Whether a request could have got through between our turn and the flag."""
        return self.free_s > max(REST_S, self.turn_s / REST_SHARE)

    def __str__(self) -> str:
        verdict = "avoidable" if self.avoidable else "unavoidable"
        head = f"{self.game_id}: lost on time after {self.turn_s:.1f} s, {self.free_s:.1f} s of them free: {verdict}"
        return "\n    ".join([head, *self.lines])


class Schedule:
    """All spans of a seed."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._spans: list[Span] = []

    def add(self, what: str, about: str = "", *, from_s: float | None = None, until_s: float = math.inf) -> Span:
        """Note a span, by default from now until it is ended."""
        span = Span(self._scheduler.now_s if from_s is None else from_s, until_s, what, about)
        self._spans.append(span)
        return span

    def kill(self) -> Span:
        """End what the bot's process was waiting for; returns the span of its death."""
        now_s = self._scheduler.now_s
        for span in self._spans:
            if span.until_s == math.inf:
                span.end(now_s, ": the bot was killed")
        return self.add(DEAD)

    def loss(self, game_id: str, turn_s: float) -> Loss:
        """Judge a game whose flag falls now, in a turn of ours that began at `turn_s`."""
        flag_s = self._scheduler.now_s
        unknown_until_s = min(flag_s, self._known_s(game_id))
        until_s = {"": flag_s, game_id: flag_s, ACCOUNT: unknown_until_s, LISTS + game_id: unknown_until_s}
        spans = [
            Span(one.from_s, min(one.until_s, until_s[one.about]), one.what)
            for one in self._spans
            if one.about in until_s and one.from_s < until_s[one.about] and turn_s <= one.until_s
        ]
        free, reached_s = list[Span](), turn_s
        for span in sorted([*spans, Span(flag_s, flag_s, "the flag falls")], key=lambda one: one.from_s):
            if span.from_s > reached_s:
                free.append(Span(reached_s, span.from_s, "-- free"))
            reached_s = max(reached_s, span.until_s)
        lines = [
            f"{one.from_s - turn_s:7.2f} to {one.until_s - turn_s:6.2f} s  {one.what}"
            for one in sorted([*spans, *free], key=lambda one: one.from_s)
        ]
        return Loss(game_id, flag_s - turn_s, sum(one.until_s - one.from_s for one in free), tuple(lines))

    def first_s(self, game_id: str) -> float:
        """Return when the bot first did something for a game, -inf if it never did."""
        return min((one.from_s for one in self._spans if one.about == game_id), default=-math.inf)

    def _known_s(self, game_id: str) -> float:
        """Return when the present process first did something for a game: until then it reads the account's stream."""
        born_s = max((one.until_s for one in self._spans if one.what == DEAD), default=-math.inf)
        return min(
            (one.from_s for one in self._spans if one.about == game_id and one.from_s >= born_s), default=math.inf
        )
