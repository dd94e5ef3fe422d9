"""`bot88 games` and `bot88 stats`: what the store knows of finished games, as tables, PGN and JSON."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from bot.account.kept_games import KeptGame, kept_games
from bot.errors import ConfigurationError
from bot.settings import Settings

_UNITS_S = {"h": 3600, "d": 86_400, "w": 7 * 86_400}
_HEADINGS = ("games", "wins", "draws", "losses", "score")
_GROUPS: dict[str, Callable[[KeptGame], str]] = {
    "opponent": lambda game: game.opponent_kind,
    "speed": lambda game: game.record.speed,
    "color": lambda game: game.record.color,
}

#: Games, wins, draws, losses, and the score: points by games, from 0 to 1.
Tally = dict[str, float]


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


def select(settings: Settings, since: str, opponent: str) -> list[KeptGame]:
    """Return the games of the configured store. Raises ConfigurationError or StoreError."""
    if settings.store is None:
        raise ConfigurationError("no games are kept: the configuration has no `store:`")
    return kept_games(settings.store, since_s(since, time.time()), opponent.lower())


def games_table(games: Iterable[KeptGame]) -> str:
    """Return one line a game, oldest first, below a line of headings."""
    rows: list[tuple[str, ...]] = [
        ("ended (UTC)", "game", "opponent", "kind", "color", "speed", "variant", "mode", "result", "plies")
    ]
    for game in games:
        record, ended = game.record, datetime.fromtimestamp(game.record.ended_s, UTC)
        mode, result = "rated" if record.rated else "casual", game.outcome or record.status
        rows.append(
            (f"{ended:%Y-%m-%d %H:%M}", record.game_id, record.opponent_id, game.opponent_kind, record.color,
             record.speed, record.variant, mode, result, str(record.plies))
        )  # fmt: skip
    return _aligned(rows)


def write_pgn(games: Iterable[KeptGame], path: Path) -> int:
    """Write the games into a new file; returns how many had a PGN. Raises ConfigurationError."""
    texts = [game.pgn.strip() + "\n" for game in games if game.pgn]
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write("\n".join(texts))
    except FileExistsError as error:
        raise ConfigurationError(f"{path}: exists already; name a new file, or remove it first") from error
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be written: {error}") from error
    return len(texts)


def statistics(games: Iterable[KeptGame]) -> dict[str, dict[str, Tally]]:
    """Return results in all and by kind of opponent, speed and colour; games without a result do not count."""
    counted = [game for game in games if game.outcome]
    found = {"all": {"all": _tally(counted)}} if counted else {"all": {}}
    for name, key in _GROUPS.items():
        words = sorted({key(game) for game in counted})
        found[name] = {word: _tally([game for game in counted if key(game) == word]) for word in words}
    return found


def statistics_table(found: dict[str, dict[str, Tally]]) -> str:
    """Return the statistics as a plain table."""
    rows: list[tuple[str, ...]] = [("", "", *_HEADINGS)]
    for group, tallies in found.items():
        for word, tally in tallies.items():
            numbers = [f"{tally[name]:.0f}" for name in _HEADINGS[:-1]]
            rows.append((group, "" if word == group else word, *numbers, f"{tally['score']:.1%}"))
    return _aligned(rows) if len(rows) > 1 else "no games\n"


def statistics_json(found: dict[str, dict[str, Tally]]) -> str:
    """Return the statistics as one JSON object."""
    return json.dumps(found, indent=2) + "\n"


def _tally(games: list[KeptGame]) -> Tally:
    outcomes = [game.outcome for game in games]
    wins, draws, losses = (outcomes.count(word) for word in ("win", "draw", "loss"))
    score = round((wins + draws / 2) / len(games), 4)
    return {"games": len(games), "wins": wins, "draws": draws, "losses": losses, "score": score}


def _aligned(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join(lines) + "\n"
