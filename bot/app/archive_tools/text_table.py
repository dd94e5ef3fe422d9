"""Plain tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(rows: Sequence[tuple[str, ...]], *, right: frozenset[int] = frozenset()) -> str:
    """Return the rows with their columns below each other, two spaces apart; `right`: columns of numbers."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines) + "\n"


def shortened(text: str, width: int) -> str:
    """Return a text that is no longer than `width`, what was left out shown by an ellipsis."""
    return text if len(text) <= width else text[: width - 1] + "…"
