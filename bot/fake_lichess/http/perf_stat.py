"""Statistics of a user in one category, from the games that are remembered."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

import chess

from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.game import Game
from bot.fake_lichess.world.json_objects import Json

BEST = 5
Played = tuple[Game, chess.Color]


def stat_json(games: Iterable[Game], account: Account, perf: str) -> Json:
    """The `stat` object: counts, best wins, worst losses and streaks."""
    of_perf = [game for game in games if game.spec.perf == perf and not game.playable and game.status != "aborted"]
    mine = [(game, color) for game in of_perf if (color := game.color_of(account)) is not None]
    wins = [(game, color) for game, color in mine if game.winner == color]
    losses = [(game, color) for game, color in mine if game.winner == (not color)]
    return {
        "count": _count(mine, wins, losses),
        "bestWins": _results(sorted(wins, key=lambda played: -_opponent_rating(played))),
        "worstLosses": _results(sorted(losses, key=_opponent_rating)),
        "resultStreak": {
            "win": _streak([game.winner == color for game, color in mine]),
            "loss": _streak([game.winner == (not color) for game, color in mine]),
        },
        "playStreak": {"nb": _streak([True] * len(mine)), "time": {"cur": {"v": 0}, "max": {"v": 0}}},
    }


def _opponent_rating(played: Played) -> int:
    game, color = played
    return game.players[not color].rating


def _count(mine: list[Played], wins: list[Played], losses: list[Played]) -> Json:
    ratings = [_opponent_rating(played) for played in mine]
    return {
        "all": len(mine),
        "rated": sum(game.spec.rated for game, _ in mine),
        "win": len(wins),
        "loss": len(losses),
        "draw": len(mine) - len(wins) - len(losses),
        "tour": sum(game.spec.tournament_id is not None for game, _ in mine),
        "berserk": 0,
        "opAvg": round(sum(ratings) / len(ratings), 2) if ratings else 0,
        "seconds": sum((game.last_move_at_ms - game.created_at_ms) // 1000 for game, _ in mine),
        "disconnects": 0,
    }


def _results(played: list[Played]) -> Json:
    """The first few rated games against accounts."""
    found = []
    for game, color in played:
        opponent = game.players[not color]
        if game.spec.rated and opponent.account is not None:
            at = datetime.datetime.fromtimestamp(game.last_move_at_ms / 1000, datetime.UTC)
            user = {"id": opponent.account.id, "name": opponent.name}
            line = {"opRating": opponent.rating, "opId": user, "at": at.isoformat(), "gameId": game.id}
            found.append(line)
    return {"results": found[:BEST]}


def _streak(hits: list[bool]) -> Json:
    """The streak at the end and the longest one, oldest game first."""
    current = longest = 0
    for hit in hits:
        current = current + 1 if hit else 0
        longest = max(longest, current)
    return {"cur": {"v": current}, "max": {"v": longest}}
