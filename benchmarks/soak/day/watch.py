"""Holds what the dashboard and the metrics say against the truth; a difference counts once it lasts."""

from __future__ import annotations

import json
import math
import urllib.request
from dataclasses import dataclass, field
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from benchmarks.soak.day.server import GameNow, Truth

CLOCK_OFF_MS = 1500.0  # a picture may be a second old
LASTS_S = 20.0  # results are read from the store every ten seconds
PATIENCE_S = 5.0
OUTCOMES = ("won", "drawn", "lost", "aborted")


@dataclass(frozen=True)
class Sample:
    """What the bot said between two looks at the truth. `metrics`: value by name, with the label's value in braces."""

    before: Truth
    after: Truth
    state: dict[str, Any]
    metrics: dict[str, float]


def fetch(url: str) -> bytes:
    """The body of a page; raises OSError."""
    with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
        content = answer.read()
    assert isinstance(content, bytes)
    return content


def fetch_state(url: str) -> dict[str, Any]:
    """The dashboard's state; raises OSError."""
    found = json.loads(fetch(f"{url}/state"))
    assert isinstance(found, dict)
    return found


def read_metrics(text: str) -> dict[str, float]:
    """Metrics by name; the value of a label follows in braces."""
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(sample.labels.values())
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def differences(sample: Sample) -> dict[str, str]:
    """What does not agree, in words, under a name that stays the same while the difference lasts."""
    return _games(sample) | _numbers(sample)


def _games(sample: Sample) -> dict[str, str]:
    before, after = sample.before.running, sample.after.running
    shown = {game["game_id"]: game for game in sample.state["games"]}
    found = {}
    for game_id, now in after.items():
        if game_id in before and game_id not in shown and not now.days:
            found[f"missing:{game_id}"] = "runs, but the dashboard does not show it"
    for game_id, game in shown.items():
        if game_id not in before and game_id not in after:
            found[f"stale:{game_id}"] = "is over, but the dashboard shows it"
        elif game_id in before and game_id in after:
            found |= _position(game_id, game, before[game_id], after[game_id])
    return found


def _position(game_id: str, shown: dict[str, Any], before: GameNow, after: GameNow) -> dict[str, str]:
    """How a shown game differs from both looks at it."""
    if not before.plies <= shown["ply"] <= after.plies and before.plies <= after.plies:
        return {f"ply:{game_id}": f"{shown['ply']} plies are shown, {before.plies} to {after.plies} are played"}
    if shown["ply"] != after.plies or before.plies != after.plies or after.days:
        return {}
    found = {}
    for side, earlier_ms, later_ms in (
        ("white", before.white_ms, after.white_ms),
        ("black", before.black_ms, after.black_ms),
    ):
        clock_ms = shown[side]["clock_ms"]
        if clock_ms is None or not later_ms - CLOCK_OFF_MS <= clock_ms <= earlier_ms + CLOCK_OFF_MS:
            found[f"clock {side}:{game_id}"] = f"{clock_ms} ms are shown, {later_ms} to {earlier_ms} are left"
    return found


def _numbers(sample: Sample) -> dict[str, str]:
    before, after, metrics, state = sample.before, sample.after, sample.metrics, sample.state
    results = state["results"] or {}
    limited = sum(value for name, value in metrics.items() if name.startswith("bot88_rate_limited_total"))
    pairs: list[tuple[str, float, float, float]] = [
        ("moves", metrics.get("bot88_moves_total", math.nan), before.moves, after.moves),
        ("accepted", _labelled(metrics, "bot88_challenges_total", "accepted"), before.accepted, after.accepted),
        ("declined", _labelled(metrics, "bot88_challenges_total", "declined"), before.declined, after.declined),
        ("answers of 429", limited, before.limited, after.limited),
        ("queue", len(state["waiting"]), 0, max(before.pending, after.pending)),
    ]
    for name in OUTCOMES:
        low, high = before.finished.get(name, 0), after.finished.get(name, 0)
        pairs.append((f"games {name}", _labelled(metrics, "bot88_games_finished_total", name), low, high))
        if name != "aborted":
            pairs.append((f"results of the day {name}", results.get(name, math.nan), low, high))
    pairs.append(("games unknown", _labelled(metrics, "bot88_games_finished_total", "unknown"), 0, 0))
    return {
        name: f"{value:g} is reported, {low:g} to {high:g} is true"
        for name, value, low, high in pairs
        if not low <= value <= high
    }


def _labelled(metrics: dict[str, float], name: str, label: str) -> float:
    return metrics.get(f"{name}{{{label}}}", math.nan)


@dataclass
class Lasting:
    """Remembers since when each difference has lasted. `longest_s`: how long one of each kind did, reported or not."""

    lasts_s: float = LASTS_S
    since_s: dict[str, float] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    longest_s: dict[str, float] = field(default_factory=dict)

    def note(self, found: dict[str, str], at_s: float) -> dict[str, str]:
        """Take in the differences of a moment; gives those that have now lasted too long, each once."""
        self.since_s = {name: self.since_s.get(name, at_s) for name in found}
        for name, since_s in self.since_s.items():
            kind = name.partition(":")[0]
            self.longest_s[kind] = max(self.longest_s.get(kind, 0.0), at_s - since_s)
        late = {name for name, since_s in self.since_s.items() if at_s - since_s >= self.lasts_s} - self.told
        self.told |= late
        return {name: found[name] for name in sorted(late)}

    def pause(self) -> None:
        """Forget all differences: nothing is known while the server is away."""
        self.since_s = {}
