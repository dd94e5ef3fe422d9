"""The report of a run as JSON, one file a part, and how parts add up."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

KIND = "bot88 soak report"


class ReportError(ValueError):
    """A report cannot be read, or does not fit; the text names the file and the remedy."""


@dataclass
class Report:
    """One part of a run. Only a `complete` part counts: its final checks were made.

    `settings` are those that every part of a run shares; `figures` are maxima; `violations` and `excused` are lists of
    objects with a text and a game's id.
    """

    settings: dict[str, Any]
    first_game: int
    started: str
    complete: bool = False
    wall_s: float = 0.0
    finished: int = 0
    moves: int = 0
    kills: int = 0
    server_restarts: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    results: dict[str, int] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)
    requests: dict[str, int] = field(default_factory=dict)
    declined: dict[str, int] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)
    checks: dict[str, int] = field(default_factory=dict)
    excused: list[dict[str, Any]] = field(default_factory=list)
    violations: list[dict[str, Any]] = field(default_factory=list)
    kind: str = KIND

    def write(self, path: Path) -> None:
        """Write the file whole or not at all."""
        draft = path.with_suffix(".tmp")
        draft.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")
        draft.replace(path)


def read_report(path: Path) -> Report:
    """Read one part; raises ReportError."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(content, dict) or content.get("kind") != KIND:
            raise ReportError(f"{path}: is not a soak report; name a folder that --out made")
        return Report(**content)
    except (OSError, ValueError, TypeError) as error:
        if isinstance(error, ReportError):
            raise
        raise ReportError(f"{path}: cannot be read ({error}); remove it, its games are played again") from error


def parts_in(folder: Path) -> list[Report]:
    """Every part below a folder, oldest first; raises ReportError."""
    return [read_report(path) for path in sorted(folder.rglob("part-*.json"))]


def add_up(parts: Iterable[Report]) -> Report:
    """One report from the complete parts of one run or of several with equal settings; raises ReportError for none."""
    whole = [part for part in parts if part.complete]
    if not whole:
        raise ReportError("no complete part to add up; let a run come to its end")
    total = Report(whole[0].settings, min(part.first_game for part in whole), whole[0].started, complete=True)
    for part in whole:
        for name in ("wall_s", "finished", "moves", "kills", "server_restarts"):
            setattr(total, name, getattr(total, name) + getattr(part, name))
        for name in ("statuses", "results", "faults", "requests", "declined", "checks"):
            setattr(total, name, dict(Counter(getattr(total, name)) + Counter(getattr(part, name))))
        for name, value in part.figures.items():
            total.figures[name] = max(value, total.figures.get(name, 0.0))
        total.excused += part.excused
        total.violations += part.violations
    total.wall_s = round(total.wall_s, 1)
    return total


def summary(report: Report) -> str:
    """The report in a few lines."""
    settings = " ".join(f"{name}={value}" for name, value in report.settings.items())
    lines = [
        settings,
        f"  games {report.finished} ({_counts(report.results)}), moves {report.moves}, {report.wall_s / 60:.1f} min",
        f"  ends: {_counts(report.statuses)}",
        f"  kills {report.kills}, server restarts {report.server_restarts}, faults {_counts(report.faults)}",
        f"  most: {_counts(report.figures)}",
        f"  lost on time, not counted: {len(report.excused)}",
        *(f"    {one['game_id']}: {one['text']}" for one in report.excused),
        f"  violations: {len(report.violations)} of {sum(report.checks.values())} checks",
        *(f"    {one['invariant']} {one['game_id']}: {one['text']}" for one in report.violations),
    ]
    return "\n".join(lines)


def _counts(counts: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in sorted(counts.items())) or "none"
