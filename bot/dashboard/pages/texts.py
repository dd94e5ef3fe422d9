"""Figures as people read them. Pure."""

from __future__ import annotations

_MATE_CP = 30_000  # scores beyond it mean a mate in as many moves as they fall short of _MATE_NOW
_MATE_NOW = 32_000


def clock_text(left_ms: int) -> str:
    """A clock as players read it: 1:02:03, 4:05."""
    seconds = left_ms // 1000
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def score_text(score_cp: int) -> str:
    """A score from our side in pawns; mates come as numbers beyond thirty thousand."""
    if abs(score_cp) > _MATE_CP:
        return f"{'#' if score_cp > 0 else '#-'}{_MATE_NOW - abs(score_cp)}"
    return f"{score_cp / 100:+.2f}"


def duration_text(seconds: float) -> str:
    """A span of time in its largest fitting unit."""
    for unit, size in (("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def count_text(count: int) -> str:
    """A large number in three digits: 950, 12.3 k, 1.25 M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if count >= size:
            digits = max(0, 2 - len(str(int(count / size))) + 1)
            return f"{count / size:.{digits}f} {unit}"
    return str(count)
