"""Plain tables for the terminal, and the one of `bot88 games`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from bot.archive.game_record import GameRecord
from bot.events.outcome import Outcome

GAP = 2  # columns of the terminal between those of a table
LEAST_WIDTH = 8
_HEADINGS = ("ended (UTC)", "game", "result", "color", "opponent", "type", "plies", "eco")
_OPPONENT, _TYPE, _PLIES = (_HEADINGS.index(word) for word in ("opponent", "type", "plies"))


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


def games_table(games: Sequence[GameRecord], width: int) -> str:
    """Return one line a game, oldest first, below a line of headings, and the sum of their results.

    Names and types of games are shortened where the lines would be longer than `width` columns.
    """
    if not games:
        return "no games\n"
    rows = fitted([_HEADINGS, *map(_row, games)], width, shrinking=(_OPPONENT, _TYPE))
    return aligned(rows, right=frozenset({_PLIES})) + _sum(games)


def games_json(games: Sequence[GameRecord]) -> str:
    """Return the games without their moves as one JSON object, oldest first."""
    return json.dumps({"games": [game.facts for game in games]}, indent=2, ensure_ascii=False) + "\n"


def _row(game: GameRecord) -> tuple[str, ...]:
    return (
        f"{datetime.fromtimestamp(game.ended_s, UTC):%Y-%m-%d %H:%M}",
        game.game_id,
        game.outcome or game.status,
        game.color,
        game.opponent,
        _type(game),
        str(game.plies),
        game.eco,
    )


def _type(game: GameRecord) -> str:
    """Return what the game was, such as "blitz", "rated blitz" or "rated bullet chess960"."""
    variant = "" if game.variant == "standard" else game.variant
    return " ".join(word for word in ("rated" if game.rated else "", game.speed, variant) if word)


def _sum(games: Sequence[GameRecord]) -> str:
    counts = Counter(game.outcome for game in games)
    number = f"{len(games)} game{'s' if len(games) > 1 else ''}"
    results = f"{counts[Outcome.WIN]} won, {counts[Outcome.DRAW]} drawn, {counts[Outcome.LOSS]} lost"
    return f"{number}: {results}{f', {counts[None]} without a result' if counts[None] else ''}\n"
