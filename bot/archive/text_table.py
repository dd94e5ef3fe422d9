"""Plain tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

GAP = 2  # columns of the terminal between those of a table
LEAST_WIDTH = 8


def aligned(rows: Sequence[tuple[str, ...]], *, right: frozenset[int] = frozenset()) -> str:
    """Return the rows with their columns below each other, two spaces apart; `right`: columns of numbers."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append((" " * GAP).join(cells).rstrip())
    return "\n".join(lines) + "\n"


def fitted(rows: Sequence[tuple[str, ...]], width: int, *, shrinking: Sequence[int]) -> list[tuple[str, ...]]:
    """Return the rows with the cells of some columns shortened, the widest first, so that lines fit into `width`.

    No column becomes narrower than LEAST_WIDTH or its heading: a terminal that is too narrow even so wraps the lines.
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    least = {column: max(LEAST_WIDTH, len(rows[0][column])) for column in shrinking}
    while sum(widths) + GAP * (len(widths) - 1) > width:
        wide = [column for column in shrinking if widths[column] > least[column]]
        if not wide:
            break
        widths[max(wide, key=lambda column: widths[column])] -= 1
    return [tuple(shortened(cell, limit) for cell, limit in zip(row, widths, strict=True)) for row in rows]


def shortened(text: str, width: int) -> str:
    """Return a text that is no longer than `width`, what was left out shown by an ellipsis."""
    return text if len(text) <= width else text[: width - 1] + "…"
