"""The finished games that a command is about, and writing them as PGN."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from bot.archive.game_record import GameRecord
from bot.archive.store import read_games
from bot.errors import ConfigurationError
from bot.settings import Settings

_UNITS_S = {"h": 3600, "d": 86_400, "w": 7 * 86_400}


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


def write_new(path: Path, text: str) -> None:
    """Write a new file. Raises ConfigurationError where it exists already or cannot be written."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise ConfigurationError(f"{path}: exists already; name a new file, or remove it first") from error
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be written: {error}") from error
