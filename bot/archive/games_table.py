"""`bot88 games` as a table that fits the terminal, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from bot.archive.kept_games import KeptGame
from bot.archive.text_table import aligned, fitted

_HEADINGS = ("ended (UTC)", "game", "result", "color", "opponent", "type", "plies", "eco")
_OPPONENT, _TYPE, _PLIES = (_HEADINGS.index(word) for word in ("opponent", "type", "plies"))


def games_table(games: Sequence[KeptGame], width: int) -> str:
    """Return one line a game, oldest first, below a line of headings, and the sum of their results.

    Names and types of games are shortened where the lines would be longer than `width` columns.
    """
    if not games:
        return "no games\n"
    rows = fitted([_HEADINGS, *map(_row, games)], width, shrinking=(_OPPONENT, _TYPE))
    return aligned(rows, right=frozenset({_PLIES})) + _sum(games)


def games_json(games: Sequence[KeptGame]) -> str:
    """Return the games without their moves as one JSON object, oldest first."""
    found = [asdict(game.record) | {"outcome": game.outcome} for game in games]
    return json.dumps({"games": found}, indent=2, ensure_ascii=False) + "\n"


def _row(game: KeptGame) -> tuple[str, ...]:
    record, ended = game.record, datetime.fromtimestamp(game.record.ended_s, UTC)
    title = "BOT " if record.opponent_is_bot else ""
    return (
        f"{ended:%Y-%m-%d %H:%M}", record.game_id, game.outcome or record.status, record.color,
        title + record.opponent_id, _type(game), str(record.plies), record.eco,
    )  # fmt: skip


def _type(game: KeptGame) -> str:
    """Return what the game was, such as "blitz", "rated blitz" or "rated bullet chess960"."""
    record = game.record
    variant = "" if record.variant == "standard" else record.variant
    return " ".join(word for word in ("rated" if record.rated else "", record.speed, variant) if word)


def _sum(games: Sequence[KeptGame]) -> str:
    outcomes = [game.outcome for game in games]
    won, drawn, lost, without = (outcomes.count(word) for word in ("win", "draw", "loss", ""))
    number = f"{len(games)} game{'s' if len(games) > 1 else ''}"
    return f"{number}: {won} won, {drawn} drawn, {lost} lost{f', {without} without a result' if without else ''}\n"
