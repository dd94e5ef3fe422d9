"""Swiss tournaments as the server writes them."""

from __future__ import annotations

import datetime

import chess

from bot.fake_lichess.tournaments.arenas import now_ms
from bot.fake_lichess.tournaments.swiss import ABSENT, BYE, CREATED, FINISHED, LATE, Standing, Swiss
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.json_objects import Json


def iso_time(epoch_ms: int) -> str:
    """A time as tournaments show it."""
    at = datetime.datetime.fromtimestamp(epoch_ms / 1000, datetime.UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def swiss_json(swiss: Swiss, viewer: Account | None) -> Json:
    """The tournament, and whether the viewer meets its conditions."""
    control = swiss.terms.game.control
    found: Json = {
        "id": swiss.id,
        "createdBy": swiss.created_by.id,
        "startsAt": iso_time(swiss.terms.starts_at_ms),
        "name": swiss.terms.name,
        "clock": {"limit": (control.limit_ms or 0) // 1000, "increment": control.increment_ms // 1000},
        "variant": swiss.terms.game.variant.key,
        "round": swiss.round,
        "nbRounds": swiss.round if swiss.status == FINISHED else swiss.terms.rounds,
        "nbPlayers": len(swiss.players),
        "nbOngoing": swiss.ongoing,
        "status": swiss.status,
        "rated": swiss.terms.game.rated,
        "verdicts": _verdicts(swiss, viewer),
    }
    if swiss.next_round_at_ms is not None:
        seconds = max(0, (swiss.next_round_at_ms - now_ms()) // 1000)
        found["nextRound"] = {"at": iso_time(swiss.next_round_at_ms), "in": seconds}
    return found | ({} if swiss.status == CREATED else {"stats": _stats(swiss)})


def _verdicts(swiss: Swiss, viewer: Account | None) -> Json:
    rating = None if viewer is None else viewer.perf(swiss.terms.game.perf).rating
    found = []
    low, high = swiss.terms.min_rating, swiss.terms.max_rating
    for text, kept in (
        (f"Rated ≥ {low}", None if low is None else rating is None or rating >= low),
        (f"Rated ≤ {high}", None if high is None else rating is None or rating <= high),
    ):
        if kept is not None:
            found.append({"condition": text, "verdict": "ok" if kept else f"Your rating is {rating}"})
    return {"list": found, "accepted": all(one["verdict"] == "ok" for one in found)}


def _stats(swiss: Swiss) -> Json:
    over = [game for game in swiss.games.values() if game.over]
    outcomes = [outcome for player in swiss.players.values() for outcome in swiss.outcomes(player)]
    ratings = [player.rating for player in swiss.players.values()]
    return {
        "games": len(over),
        "whiteWins": sum(game.winner == chess.WHITE for game in over),
        "blackWins": sum(game.winner == chess.BLACK for game in over),
        "draws": sum(game.winner is None for game in over),
        "byes": outcomes.count(BYE),
        "absences": outcomes.count(ABSENT) + outcomes.count(LATE),
        "averageRating": round(sum(ratings) / max(1, len(ratings))),
    }


def result_line(line: Standing) -> Json:
    """One line of the results."""
    account = line.player.account
    found: Json = {
        "rank": line.rank,
        "points": line.points,
        "tieBreak": line.tie_break,
        "rating": line.player.rating,
        "username": account.name,
        "performance": line.performance,
    }
    found |= {"title": account.title} if account.title else {}
    return found | ({"absent": True} if line.player.absent else {})
