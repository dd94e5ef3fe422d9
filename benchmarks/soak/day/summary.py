"""The account of a day, on one page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.soak.day.guests import BOT
from benchmarks.soak.day.server import outcome
from benchmarks.soak.evidence import EndedGame

SAMPLE_LINES = 12


@dataclass
class Day:
    """What a day has shown; filled as it goes."""

    seed: int
    minutes: float
    began: str
    visits: Counter[str] = field(default_factory=Counter)
    visitors: Counter[str] = field(default_factory=Counter)
    cancelled: int = 0
    games: list[EndedGame] = field(default_factory=list)
    speeds: Counter[str] = field(default_factory=Counter)
    arena_games: int = 0
    rematches: int = 0
    declined: Counter[str] = field(default_factory=Counter)
    declined_to_us: Counter[str] = field(default_factory=Counter)
    refused_by_server: Counter[str] = field(default_factory=Counter)
    said: list[tuple[str, str, str, str]] = field(default_factory=list)
    requests: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    samples: int = 0
    differences: Counter[str] = field(default_factory=Counter)
    longest: dict[str, int] = field(default_factory=dict)
    shots: list[str] = field(default_factory=list)
    running_at_the_end: int = 0
    ended_by_itself: bool = False
    exit_status: int | None = None
    ending_s: float = 0.0
    load: float = 0.0
    memory_mib: float = 0.0
    violations: list[dict[str, Any]] = field(default_factory=list)


def account_of(day: Day) -> str:
    """The page."""
    games = Counter(outcome(game) for game in day.games)
    ends = Counter(game.status for game in day.games)
    variants = Counter(game.variant for game in day.games)
    ours = [line for line in day.said if line[1] == BOT]
    theirs = [line for line in day.said if line[1] != BOT]
    lines = [
        f"A day of {day.minutes:g} minutes, seed {day.seed}, begun {day.began}",
        f"  challenges to us: {counts(day.visits)}",
        f"    by: {counts(day.visitors)}; taken back before an answer: {day.cancelled}",
        f"    not accepted: {counts(day.declined)}",
        f"    refused by the server: {counts(day.refused_by_server)}",
        f"  our own challenges, not accepted: {counts(day.declined_to_us)}",
        f"  games: {len(day.games)} ({counts(games)}); of an arena {day.arena_games}, rematches {day.rematches}",
        f"    by speed: {counts(day.speeds)}",
        f"    by variant: {counts(variants)}",
        f"    ends: {counts(ends)}; plies: {sum(len(game.moves) for game in day.games)}",
        f"  lost: {lost(day.games)}",
        f"  said: {len(theirs)} lines to us, {len(ours)} by us, such as",
        *(f"    {line[1]}: {line[3]!r}" for line in theirs[:: max(1, len(theirs) // SAMPLE_LINES)][:SAMPLE_LINES]),
        f"  requests: {counts(day.requests)}",
        f"  faults: {counts(day.faults)}",
        f"  dashboard and metrics: {day.samples} looks; not the same at the first look: {counts(day.differences)}",
        f"    longest, in seconds: {counts(day.longest)}",
        f"  end: {day.running_at_the_end} games ran at SIGTERM, exit {day.exit_status} after {day.ending_s:g} s",
        f"  most memory {day.memory_mib:.0f} MiB, load of the machine at the end {day.load:.1f}",
        f"  violations: {len(day.violations)}",
        *(f"    {one['at_s']} s {one['invariant']} {one['game_id']}: {one['text']}" for one in day.violations),
    ]
    return "\n".join(lines) + "\n"


def lost(games: list[EndedGame]) -> str:
    """Games that we lost, and how."""
    return ", ".join(f"{game.game_id} by {game.status}" for game in games if game.lost) or "none"


def counts(numbers: Mapping[str, int]) -> str:
    """Names and numbers, the largest first."""
    ordered = sorted(numbers.items(), key=lambda one: (-one[1], one[0]))
    return ", ".join(f"{name} {number}" for name, number in ordered) or "none"
