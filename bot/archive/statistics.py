"""`bot88 stats`: results by kind of opponent, speed, colour and opening, as a table and as JSON."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass

from bot.archive.game_record import GameRecord
from bot.archive.listing import aligned, shortened
from bot.events.game import Outcome

OPENINGS_SHOWN = 10
UNKNOWN_OPENING = "unknown"
#: With all points or none, no rating explains the result: FIDE's table ends at this difference (Handbook B.02, 8.1).
MOST_DIFFERENCE = 800.0
_HALVINGS = 40  # of the interval in which the rating is searched: far below a hundredth of a point
_WORD_WIDTH = 24
_HEADINGS = ("", "", "games", "won", "drawn", "lost", "score", "opp.", "perf.")
_NUMBERS = frozenset(range(2, len(_HEADINGS)))


def opening_family(game: GameRecord) -> str:
    """Return the name of the opening without its variations, or the variant if it is not standard chess."""
    return (game.opening.partition(":")[0] or UNKNOWN_OPENING) if game.variant == "standard" else game.variant


_GROUPS: dict[str, Callable[[GameRecord], str]] = {
    "opponent": lambda game: game.opponent_kind,
    "speed": lambda game: game.speed,
    "color": lambda game: game.color,
    "mode": lambda game: "rated" if game.rated else "casual",
    "opening": opening_family,
}


@dataclass(frozen=True, slots=True)
class Tally:
    """Results of some games.

    `score` is points by games, from 0 to 1. `opponent_rating` is the mean of the opponents that had a rating; it and
    `performance_rating` are None if none had.
    """

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    opponent_rating: int | None
    performance_rating: int | None


#: Tallies by group ("all", "speed", ...) and word ("blitz", ...).
Statistics = dict[str, dict[str, Tally]]


def statistics(games: Iterable[GameRecord]) -> Statistics:
    """Return the results in all and by group; games without a result do not count.

    Words are in alphabetical order, openings by the number of games.
    """
    counted = [game for game in games if game.outcome]
    found: Statistics = {"all": {"all": _tally(counted)} if counted else {}}
    for name, key in _GROUPS.items():
        by_word: dict[str, list[GameRecord]] = {}
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
    ratings = (tally.opponent_rating, tally.performance_rating)
    return (*map(str, numbers), f"{tally.score:.1%}", *("-" if rating is None else str(rating) for rating in ratings))


def _tally(games: list[GameRecord]) -> Tally:
    counts = Counter(game.outcome for game in games)
    rated = Counter(game.outcome for game in games if game.opponent_rating is not None)
    ratings = Counter(game.opponent_rating for game in games if game.opponent_rating is not None)
    return Tally(
        games=len(games),
        wins=counts[Outcome.WIN],
        draws=counts[Outcome.DRAW],
        losses=counts[Outcome.LOSS],
        score=round(_points(counts) / len(games), 4),
        opponent_rating=round(_mean(ratings)) if ratings else None,
        performance_rating=performance_rating(ratings, _points(rated)),
    )


def _points(counts: Mapping[Outcome | None, int]) -> float:
    return counts[Outcome.WIN] + counts[Outcome.DRAW] / 2


def performance_rating(opponents: Mapping[int, int], points: float) -> int | None:
    """Return the rating that is expected to make these points; None without opponents.

    `opponents` has the number of games by the opponent's rating. The result is at most 800 points from their mean.
    """
    if not opponents:
        return None
    mean = _mean(opponents)
    low, high = mean - MOST_DIFFERENCE, mean + MOST_DIFFERENCE
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if expected_points(middle, opponents) < points:
            low = middle
        else:
            high = middle
    return round((low + high) / 2)


def expected_points(rating: float, opponents: Mapping[int, int]) -> float:
    """Return the points that the Elo formula expects: for each game 1 / (1 + 10^(difference / 400))."""
    return sum(games / (1.0 + math.pow(10.0, (other - rating) / 400.0)) for other, games in opponents.items())


def _mean(ratings: Mapping[int, int]) -> float:
    return sum(rating * games for rating, games in ratings.items()) / sum(ratings.values())
