"""JSON of arenas."""

from __future__ import annotations

import datetime

from ..world.json_objects import Json, light_user, variant_json
from ..world.variants import perf_name
from .arena import (
    CREATED,
    FINISHED,
    STARTED,
    WIN,
    Arena,
    ArenaPlayer,
    on_fire,
    performance_rating,
)

PAGE_SIZE, PODIUM = 10, 3
PERF_POSITIONS = ("ultraBullet", "bullet", "blitz", "rapid", "classical")


def _clock(arena: Arena) -> Json:
    control = arena.terms.game.control
    return {"limit": (control.limit_ms or 0) // 1000, "increment": control.increment_ms // 1000}


def _conditions(arena: Arena) -> Json:
    terms, found = arena.terms, Json()
    perf = terms.game.perf
    if terms.min_rating is not None:
        found["minRating"] = {"perf": perf, "rating": terms.min_rating}
    if terms.max_rating is not None:
        found |= {"hasMaxRating": True, "maxRating": {"perf": perf, "rating": terms.max_rating}}
    return found | ({"botsAllowed": True} if terms.bots_allowed else {})


def _team(arena: Arena) -> Json:
    found: Json = {"teamMember": arena.terms.team.id} if arena.terms.team is not None else {}
    battle = arena.terms.battle
    if battle is not None:
        found["teamBattle"] = {"teams": [team.id for team in battle.teams], "nbLeaders": battle.leaders}
    return found


def team_standings(arena: Arena) -> list[Json]:
    """Return the teams of a battle by the points of their best players."""
    battle, lines = arena.terms.battle, []
    for team in battle.teams if battle is not None else ():
        players = [(sum(one.points(arena.terms.streakable)), one) for one in arena.standings() if one.team is team]
        best = players[: battle.leaders if battle is not None else 0]
        named: list[Json] = [{"user": light_user(one.account), "score": points} for points, one in best]
        lines.append((sum(points for points, _ in best), team.id, named))
    lines.sort(key=lambda line: -line[0])
    return [
        {"rank": rank, "id": team_id, "score": score, "players": named}
        for rank, (score, team_id, named) in enumerate(lines, start=1)
    ]


def _summary(arena: Arena, now_ms: int) -> Json:
    """Return what lists and the arena's own page share."""
    terms = arena.terms
    found: Json = {
        "id": arena.id,
        "createdBy": arena.created_by.id,
        "system": "arena",
        "minutes": max(1, round(terms.minutes)),
        "clock": _clock(arena),
        "rated": terms.game.rated,
        "fullName": f"{terms.name} Arena",
        "nbPlayers": len(arena.players),
    }
    if arena.status == CREATED:
        found["secondsToStart"] = max(0, (terms.starts_at_ms - now_ms) // 1000)
    return found | _conditions(arena)


def listed_arena(arena: Arena, now_ms: int) -> Json:
    """Return an arena in a list."""
    terms = arena.terms
    perf = terms.game.perf
    position = PERF_POSITIONS.index(perf) if perf in PERF_POSITIONS else len(PERF_POSITIONS)
    found = _summary(arena, now_ms) | {
        "variant": variant_json(terms.game.variant),
        "startsAt": terms.starts_at_ms,
        "finishesAt": terms.finishes_at_ms,
        "status": arena.status,
        "perf": {"key": perf, "name": perf_name(perf), "position": position, "icon": terms.game.variant.icon},
    }
    if arena.status == FINISHED and arena.players:
        winner = arena.standings()[0].account
        found["winner"] = {"id": winner.id, "name": winner.name}
    if terms.password is not None:
        found["private"] = True
    return found | _team(arena)


def full_arena(arena: Arena, now_ms: int, page: int, games: Json) -> Json:
    """Return an arena's own page; `games`: its `duels` and `stats`."""
    terms = arena.terms
    starts = datetime.datetime.fromtimestamp(terms.starts_at_ms / 1000, datetime.UTC)
    perf = terms.game.perf
    found = _summary(arena, now_ms) | {
        "startsAt": starts.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "verdicts": {"list": [], "accepted": True},
        "perf": {"icon": terms.game.variant.icon, "key": perf, "name": perf_name(perf)},
        "variant": terms.game.variant.key,
        "berserkable": terms.berserkable,
        "standing": {"page": page, "players": _page(arena, page)},
    }
    if arena.status == STARTED:
        found["secondsToFinish"] = max(0, (terms.finishes_at_ms - now_ms) // 1000)
    if arena.status == FINISHED:
        found |= {"isFinished": True, "pairingsClosed": True, "podium": _podium(arena)}
    return found | games


def _page(arena: Arena, page: int) -> list[Json]:
    ranked = list(enumerate(arena.standings(), start=1))
    return [_player(arena, rank, player) for rank, player in ranked[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]]


def _player(arena: Arena, rank: int, player: ArenaPlayer) -> Json:
    points = player.points(arena.terms.streakable)
    sheet: Json = {"scores": "".join(str(point) for point in reversed(points))}
    sheet |= {"fire": True} if on_fire(player.outcomes) else {}
    return _named(arena, rank, player) | {"score": sum(points), "sheet": sheet}


def _named(arena: Arena, rank: int, player: ArenaPlayer) -> Json:
    account = player.account
    found: Json = {"name": account.name, "rank": rank, "rating": account.perf(arena.terms.game.perf).rating}
    return found | ({"title": account.title} if account.title else {})


def _podium(arena: Arena) -> list[Json]:
    found = []
    for rank, player in enumerate(arena.standings()[:PODIUM], start=1):
        wins = sum(score == WIN for score in player.outcomes)
        numbers = {"game": len(player.results), "berserk": player.berserks, "win": wins}
        total = sum(player.points(arena.terms.streakable))
        extra = {"score": total, "nb": numbers, "performance": performance_rating(player.results)}
        found.append(_named(arena, rank, player) | extra)
    return found


def result_line(arena: Arena, rank: int, player: ArenaPlayer, *, sheet: bool) -> Json:
    """One line of the results."""
    shown = _player(arena, rank, player)
    found: Json = {
        "rank": rank,
        "score": shown["score"],
        "rating": shown["rating"],
        "username": player.account.name,
        "performance": performance_rating(player.results),
    }
    found |= {"title": player.account.title} if player.account.title else {}
    return found | ({"sheet": shown["sheet"]} if sheet else {})
