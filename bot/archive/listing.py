"""The finished games that a command is about: chosen from the store, as a table, as JSON, as PGN."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bot.archive.game_record import GameRecord
from bot.archive.store import read_games
from bot.errors import ConfigurationError
from bot.events.game import Outcome
from bot.new_file import write_new
from bot.settings import Settings

_UNITS_S = {"h": 3600, "d": 86_400, "w": 7 * 86_400}
_GAP = 2  # columns of the terminal between those of a table
_LEAST_WIDTH = 8
_HEADINGS = ("ended (UTC)", "game", "result", "color", "opponent", "type", "plies", "eco")
_OPPONENT, _TYPE, _PLIES = (_HEADINGS.index(word) for word in ("opponent", "type", "plies"))


def since_s(text: str, now_s: float) -> float:
    """Return the moment (epoch seconds) that "12h", "7d", "2w" ago or a date (UTC) means; 0.0 for "".

    Raises ConfigurationError for anything else.
    """
    ago = re.fullmatch(r"(\d{1,5})([hdw])", text)
    if ago:
        return max(0.0, now_s - int(ago[1]) * _UNITS_S[ago[2]])
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).timestamp() if text else 0.0
    except ValueError as error:
        raise ConfigurationError(f"--since {text!r}: write 12h, 7d, 2w or a date such as 2026-01-31") from error


def select(settings: Settings, since: str, opponent: str, *, with_pgn: bool = False) -> list[GameRecord]:
    """Return the games of the configured store, oldest first. Raises ConfigurationError or StoreError."""
    return read_games(
        store_path(settings), since_s=since_s(since, time.time()), opponent_id=opponent.lower(), with_pgn=with_pgn
    )


def store_path(settings: Settings) -> Path:
    """Return the path of the configured store. Raises ConfigurationError where none is configured."""
    if settings.store is None:
        raise ConfigurationError("no games are kept: the configuration has no `store:`")
    return settings.store


def find_game(settings: Settings, wanted: str) -> GameRecord:
    """Return the game with an id or address on Lichess, or the one that ended last for "last", with its PGN.

    Raises ConfigurationError if there is no such game, or StoreError.
    """
    path = store_path(settings)
    if wanted == "last":
        found = read_games(path, newest=1, with_pgn=True)
    else:
        game_id = re.sub(r"^https?://[^/]+/", "", wanted).split("/")[0].split("#")[0]
        found = read_games(path, game_id=game_id, with_pgn=True) if game_id else []
        if not found and len(game_id) == 12:  # the address of a player's own view
            found = read_games(path, game_id=game_id[:8], with_pgn=True)
    if not found:
        raise ConfigurationError(f"{wanted}: no such game is kept; `bot88 games` lists what there is")
    return found[0]


def write_pgn(games: Iterable[GameRecord], path: Path) -> int:
    """Write the games into a new file; returns how many had a PGN. Raises ConfigurationError."""
    texts = [game.pgn.strip() + "\n" for game in games if game.pgn]
    write_new(path, "\n".join(texts))
    return len(texts)


def aligned(
    rows: Sequence[tuple[str, ...]],
    *,
    right: frozenset[int] = frozenset(),
    fit: int | None = None,
    shrinking: Sequence[int] = (),
) -> str:
    """Return the rows with their columns below each other, two spaces apart; `right`: columns of numbers.

    Where lines would be longer than `fit`, the cells of the `shrinking` columns are shortened, the widest first, but
    not below eight columns or the heading: a terminal that is too narrow even so wraps the lines.
    """
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    least = {column: max(_LEAST_WIDTH, len(rows[0][column])) for column in shrinking}
    while fit is not None and sum(widths) + _GAP * (len(widths) - 1) > fit:
        wide = [column for column in shrinking if widths[column] > least[column]]
        if not wide:
            break
        widths[max(wide, key=lambda column: widths[column])] -= 1
    form = (" " * _GAP).join(f"{{:{'>' if column in right else '<'}{width}}}" for column, width in enumerate(widths))
    return "".join(f"{form.format(*map(shortened, row, widths)).rstrip()}\n" for row in rows)


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
