"""`bot88 stats`: results by kind of opponent, speed, colour and opening, as a table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

from bot.archive.kept_facts import opening_family
from bot.archive.kept_games import KeptGame
from bot.archive.performance_rating import performance
from bot.archive.text_table import aligned, shortened

OPENINGS_SHOWN = 10
_WORD_WIDTH = 24
_HEADINGS = ("", "", "games", "won", "drawn", "lost", "score", "opp.", "perf.")
_NUMBERS = frozenset(range(2, len(_HEADINGS)))
_GROUPS: dict[str, Callable[[KeptGame], str]] = {
    "opponent": lambda game: game.opponent_kind,
    "speed": lambda game: game.record.speed,
    "color": lambda game: game.record.color,
    "mode": lambda game: "rated" if game.record.rated else "casual",
    "opening": opening_family,
}


@dataclass(frozen=True, slots=True)
class Tally:
    """Results of some games; `score`: points by games, from 0 to 1.

    `opponent_rating`: the opponents' mean, `performance`: see performance; None where no opponent had a rating.
    """

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    opponent_rating: int | None
    performance: int | None


#: Tallies by group ("all", "speed", ...) and word ("blitz", ...).
Statistics = dict[str, dict[str, Tally]]


def statistics(games: Iterable[KeptGame]) -> Statistics:
    """Return the results in all and by group; games without a result do not count.

    Words are in alphabetical order, openings by the number of games.
    """
    counted = [game for game in games if game.outcome]
    found: Statistics = {"all": {"all": _tally(counted)} if counted else {}}
    for name, key in _GROUPS.items():
        by_word: dict[str, list[KeptGame]] = {}
        for game in counted:
            by_word.setdefault(key(game), []).append(game)
        words = sorted(by_word, key=lambda word: (-len(by_word[word]) if name == "opening" else 0, word))
        found[name] = {word: _tally(by_word[word]) for word in words}
    return found


def statistics_table(found: Statistics) -> str:
    """Return the statistics as a plain table of at most 80 columns; of openings only those played most."""
    rows: list[tuple[str, ...]] = [_HEADINGS]
    for group, tallies in found.items():
        shown = list(tallies.items())[: OPENINGS_SHOWN if group == "opening" else None]
        for place, (word, tally) in enumerate(shown):
            rows.append(
                (group if place == 0 else "", "" if word == group else shortened(word, _WORD_WIDTH), *_row(tally))
            )
    more = len(found.get("opening", {})) - OPENINGS_SHOWN
    note = f"and {more} more openings: --json lists all\n" if more > 0 else ""
    return aligned(rows, right=_NUMBERS) + note if len(rows) > 1 else "no games\n"


def statistics_json(found: Statistics) -> str:
    """Return the statistics as one JSON object."""
    groups = {group: {word: asdict(tally) for word, tally in tallies.items()} for group, tallies in found.items()}
    return json.dumps(groups, indent=2, ensure_ascii=False) + "\n"


def _row(tally: Tally) -> tuple[str, ...]:
    numbers = (tally.games, tally.wins, tally.draws, tally.losses)
    ratings = (tally.opponent_rating, tally.performance)
    return (*map(str, numbers), f"{tally.score:.1%}", *("-" if rating is None else str(rating) for rating in ratings))


def points_of(game: KeptGame) -> float:
    """Return our points of a game that has a result."""
    return {"win": 1.0, "draw": 0.5, "loss": 0.0}[game.outcome]


def _tally(games: list[KeptGame]) -> Tally:
    outcomes = [game.outcome for game in games]
    wins, draws, losses = (outcomes.count(word) for word in ("win", "draw", "loss"))
    rated = [(rating, points_of(game)) for game in games if (rating := game.opponent_rating) is not None]
    opponents = [rating for rating, _points in rated]
    return Tally(
        games=len(games),
        wins=wins,
        draws=draws,
        losses=losses,
        score=round((wins + draws / 2) / len(games), 4),
        opponent_rating=round(sum(opponents) / len(opponents)) if opponents else None,
        performance=performance(opponents, sum(points for _rating, points in rated)),
    )
