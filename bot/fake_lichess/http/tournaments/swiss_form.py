"""The form of a swiss tournament: fields to terms, refused field by field."""

from __future__ import annotations

import time

from bot.fake_lichess import errors
from bot.fake_lichess.errors import FormError
from bot.fake_lichess.http.challenge_form import SHORT_LIMITS
from bot.fake_lichess.http.endpoint import AppState
from bot.fake_lichess.http.request import MAX_EPOCH_MS, Request, trueish
from bot.fake_lichess.tournaments.swiss import SwissTerms
from bot.fake_lichess.tournaments.teams import Team
from bot.fake_lichess.world.challenges import Terms, check_rated
from bot.fake_lichess.world.clocks import TimeControl
from bot.fake_lichess.world.variants import VARIANTS

CLOCK_LIMITS = (*SHORT_LIMITS, *range(120, 421, 60), 480, *range(600, 1801, 300), *range(2400, 10_801, 600))
AUTOMATIC, BY_HAND = -1, 99_999_999
INTERVALS = (5, 10, 20, 30, 45, 60, 120, 180, 300, 600, 900, 1200, 1800, 2700, 3600, 86_400, 172_800, 604_800)
AUTOMATIC_S = {"ultraBullet": 5.0, "bullet": 10.0, "blitz": 30.0, "rapid": 60.0}  # lila `SwissForm.autoInterval`
FAST_BLITZ_S, FAST_BLITZ_INTERVAL_S, SLOWEST_INTERVAL_S = 300, 20.0, 300.0
ROUNDS, MAX_INCREMENT_S, NAME_LENGTHS = range(3, 101), 120, range(2, 31)
STARTS_IN_MS = 600_000


def read_terms(state: AppState, request: Request, team: Team, *, fewest_rounds: int = ROUNDS.start) -> SwissTerms:
    """The terms of a new or changed tournament; raises FormError."""
    allow_any = state.world.config.allow_any_clock
    game = _read_game(request, allow_any)
    rounds = request.required_number("nbRounds")
    if rounds != int(rounds) or not fewest_rounds <= rounds < ROUNDS.stop:
        raise FormError({"nbRounds": [errors.INVALID_VALUE]})
    name = request.form.get("name") or f"{request.me.name} Swiss"
    if len(name) not in NAME_LENGTHS:
        raise FormError({"name": [errors.INVALID_VALUE]})
    start = request.number("startsAt", MAX_EPOCH_MS)
    return SwissTerms(
        name=name,
        game=game,
        rounds=int(rounds),
        starts_at_ms=int(start) if start is not None else time.time_ns() // 1_000_000 + STARTS_IN_MS,
        interval_s=_read_interval(request, game, allow_any),
        team=team,
        bots_allowed=state.world.config.swiss_admits_bots,
        password=request.form.get("password") or None,
        min_rating=request.whole_number("conditions.minRating.rating"),
        max_rating=request.whole_number("conditions.maxRating.rating"),
    )


def _read_game(request: Request, allow_any: bool) -> Terms:
    variant = VARIANTS.get(request.text("variant", "standard") or "standard")
    if variant is None or variant.key == "fromPosition":
        raise FormError({"variant": [errors.INVALID_VALUE]})
    limit, increment = request.required_number("clock.limit"), request.required_number("clock.increment")
    if limit < 0 or not (allow_any or limit in CLOCK_LIMITS):
        raise FormError({"clock.limit": [errors.INVALID_VALUE]})
    if not 0 <= increment <= MAX_INCREMENT_S or limit + increment <= 0:
        raise FormError({"clock.increment": [errors.INVALID_VALUE]})
    control = TimeControl(round(limit * 1000), round(increment * 1000))
    terms = Terms(variant, control, trueish(request.text("rated", "true")))
    check_rated(terms)
    return terms


def _read_interval(request: Request, game: Terms, allow_any: bool) -> float | None:
    wanted = request.number("roundInterval")
    if wanted == BY_HAND:
        return None
    if wanted is None or wanted == AUTOMATIC:
        total_s = (game.control.limit_s or 0) + 40 * game.control.increment_s
        if game.speed == "blitz" and total_s < FAST_BLITZ_S:
            return FAST_BLITZ_INTERVAL_S
        return AUTOMATIC_S.get(game.speed, SLOWEST_INTERVAL_S)
    if wanted < 0 or not (allow_any or wanted in INTERVALS):
        raise FormError({"roundInterval": [errors.INVALID_VALUE]})
    return wanted
