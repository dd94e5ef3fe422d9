"""The timetable of a day, drawn from its seed: who challenges when and for what, and what the operator does."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Literal

from benchmarks.soak.day.guests import NOBODY, Visitor, temper, visitors
from bot.fake_lichess.opponents.script import Script

EVERY_S = 13.0  # mean time between two challenges
LAST_VISIT = 0.985  # part of the day
BULLET = ((60, 0), (60, 1), (120, 1))
BLITZ = ((180, 0), (180, 2), (300, 0), (300, 3))
SLOW = ((600, 0), (600, 5), (900, 10), (1800, 20))
TOO_LONG = ((5400, 30), (10800, 0))
OTHER_VARIANTS = ("crazyhouse", "antichess", "atomic", "horde", "kingOfTheHill", "racingKings", "threeCheck")
POSITIONS = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "8/8/4k3/8/3r4/8/4K3/4R3 w - - 0 1",  # a dead draw
    "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1",  # another, with pawns that block each other
)
Kind = Literal["standard", "chess960", "position", "variant", "days", "unlimited", "too long"]
KINDS: tuple[Kind, ...] = (
    *("standard",) * 30,
    *("chess960",) * 4,
    *("position",) * 4,
    *("variant",) * 4,
    *("days",) * 3,
    "unlimited",
    "too long",
)


@dataclass(frozen=True)
class Visit:
    """A challenge: `terms` as FakeLichess.challenge takes them; taken back after `cancel_after_s`, None for never."""

    at_s: float
    visitor: Visitor
    kind: Kind
    terms: dict[str, Any] = field(default_factory=dict)
    script: Script = field(default_factory=Script)
    cancel_after_s: float | None = None


@dataclass(frozen=True)
class Moment:
    """Something that the operator or the server does; `words` are those of a command."""

    at_s: float
    do: Literal["ctl", "arena", "restart", "edit", "sighup", "screens"]
    words: tuple[str, ...] = ()


def draw_visits(seed: int, minutes: float) -> tuple[Visit, ...]:
    """Challenges of the whole day in order of time: at random, with two rushes of eight at once."""
    rng = random.Random(f"day {seed}")
    end_s = minutes * 60 * LAST_VISIT
    times, at_s = [], 2.0
    while at_s < end_s:
        times.append(at_s)
        at_s += rng.expovariate(1 / EVERY_S)
    for part in (0.3, 0.8):
        times += [end_s * part + rng.uniform(0, 3) for _ in range(8 if minutes >= 5 else 2)]
    return tuple(_visit(rng, round(at_s, 2)) for at_s in sorted(times))


def _visit(rng: random.Random, at_s: float) -> Visit:
    visitor, kind = rng.choice(visitors()), rng.choice(KINDS)
    terms, speed = _terms(rng, kind)
    terms["color"] = rng.choice(("white", "black", "random"))
    terms["rated"] = kind in ("standard", "chess960", "days") and visitor.name != NOBODY and rng.random() < 0.4
    cancel = rng.choice((0.0, 0.3, 4.0, 15.0)) if rng.random() < 0.12 else None
    return Visit(at_s, visitor, kind, terms, temper(rng, speed), cancel)


def _terms(rng: random.Random, kind: Kind) -> tuple[dict[str, Any], str]:
    """Clock, variant and position of a challenge, and how fast it is for `temper`."""
    if kind == "days":
        return {"days": rng.choice((1, 2, 7))}, "days"
    if kind == "unlimited":
        return {"clock": None}, "days"
    if kind == "too long":
        return {"clock": rng.choice(TOO_LONG)}, "slow"
    speed = rng.choice(("bullet", "bullet", "blitz", "blitz", "blitz", "slow"))
    terms: dict[str, Any] = {"clock": rng.choice({"bullet": BULLET, "blitz": BLITZ, "slow": SLOW}[speed])}
    if kind == "position":
        terms |= {"variant": "fromPosition", "fen": rng.choice(POSITIONS)}
    elif kind == "variant":
        terms["variant"] = rng.choice(OTHER_VARIANTS)
    elif kind == "chess960":
        terms["variant"] = "chess960"
    return terms, speed


def moments(minutes: float) -> tuple[Moment, ...]:
    """What the operator and the server do, in order of time: the same in each day, by parts of its length."""
    day_s = minutes * 60
    plan: list[tuple[float, Moment]] = [
        (0.03, Moment(0, "ctl", ("status",))),
        (0.06, Moment(0, "screens", ("morning",))),
        (0.1, Moment(0, "ctl", ("games",))),
        (0.14, Moment(0, "ctl", ("challenge", "RookLift", "--clock", "3+2", "--rated"))),
        (0.2, Moment(0, "arena")),
        (0.27, Moment(0, "screens", ("arena",))),
        (0.32, Moment(0, "ctl", ("status",))),
        (0.33, Moment(0, "screens", ("rush",))),
        (0.4, Moment(0, "ctl", ("level", "Eve", "easy"))),
        (0.43, Moment(0, "ctl", ("block", "Carl"))),
        (0.46, Moment(0, "ctl", ("pause",))),
        (0.475, Moment(0, "ctl", ("status",))),
        (0.48, Moment(0, "screens", ("paused",))),
        (0.5, Moment(0, "ctl", ("resume",))),
        (0.53, Moment(0, "ctl", ("unblock", "Carl"))),
        (0.6, Moment(0, "restart")),
        (0.605, Moment(0, "ctl", ("status",))),
        (0.606, Moment(0, "screens", ("server-away",))),
        (0.64, Moment(0, "screens", ("server-back",))),
        (0.7, Moment(0, "edit", ("max_limit_s", "900"))),
        (0.701, Moment(0, "ctl", ("reload",))),
        (0.74, Moment(0, "edit", ("max_limit_s", "a quarter of an hour"))),
        (0.741, Moment(0, "ctl", ("reload",))),
        (0.76, Moment(0, "edit", ("max_limit_s", "3600"))),
        (0.761, Moment(0, "sighup")),
        (0.85, Moment(0, "ctl", ("games", "--json"))),
        (0.9, Moment(0, "screens", ("evening",))),
        (0.97, Moment(0, "ctl", ("status",))),
    ]
    return tuple(Moment(part * day_s, moment.do, moment.words) for part, moment in plan)
