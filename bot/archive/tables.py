"""Plain tables for the terminal, and the one of `bot88 games`."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence

from bot.archive.game_record import GameRecord
from bot.events.outcome import Outcome

GAP = 2  # columns of the terminal between those of a table
LEAST_WIDTH = 8
_HEADINGS = ("ended (UTC)", "game", "result", "color", "opponent", "type", "plies", "eco")
_OPPONENT, _TYPE, _PLIES = (_HEADINGS.index(word) for word in ("opponent", "type", "plies"))


def aligned(
    rows: Sequence[tuple[str, ...]],
    *,
    right: frozenset[int] = frozenset(),
    fit: int | None = None,
    shrinking: Sequence[int] = (),
) -> str:
    """Return the rows with their columns below each other, two spaces apart; `right`: columns of numbers.

    Where lines would be longer than `fit`, the cells of the `shrinking` columns are shortened, the widest first, but
    not below LEAST_WIDTH or the heading: a terminal that is too narrow even so wraps the lines.
    """
    columns: list[Sequence[str]] = list(zip(*rows, strict=True))
    widths = [max(map(len, cells)) for cells in columns]
    least = {column: max(LEAST_WIDTH, len(rows[0][column])) for column in shrinking}
    while fit is not None and sum(widths) + GAP * (len(widths) - 1) > fit:
        wide = [column for column in shrinking if widths[column] > least[column]]
        if not wide:
            break
        column = max(wide, key=lambda column: widths[column])
        widths[column] -= 1
        columns[column] = ()
    for column in shrinking:
        columns[column] = columns[column] or [shortened(row[column], widths[column]) for row in rows]
    form = (" " * GAP).join(f"{{:{'>' if column in right else '<'}{width}}}" for column, width in enumerate(widths))
    return "".join(f"{form.format(*row).rstrip()}\n" for row in zip(*columns, strict=True))


def shortened(text: str, width: int) -> str:
    """Return a text that is no longer than `width`, what was left out shown by an ellipsis."""
    return text if len(text) <= width else text[: width - 1] + "…"


def games_table(games: Sequence[GameRecord], width: int) -> str:
    """Return one line a game, oldest first, below a line of headings, and the sum of their results.

    Names and types of games are shortened where the lines would be longer than `width` columns.
    """
    if not games:
        return "no games\n"
    rows = [_HEADINGS, *map(_row, games)]
    return aligned(rows, right=frozenset({_PLIES}), fit=width, shrinking=(_OPPONENT, _TYPE)) + _sum(games)


def games_json(games: Sequence[GameRecord]) -> str:
    """Return the games without their moves as one JSON object, oldest first, each on a line."""
    encode = json.JSONEncoder(ensure_ascii=False).encode
    return '{"games": [\n' + ",\n".join(encode(game.facts) for game in games) + "\n]}\n"


def _row(game: GameRecord) -> tuple[str, ...]:
    return (
        time.strftime("%Y-%m-%d %H:%M", time.gmtime(game.ended_s)),
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
