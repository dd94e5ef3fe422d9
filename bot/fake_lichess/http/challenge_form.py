"""The form of a challenge: converts fields to terms, with errors per field."""

from __future__ import annotations

import chess

from .. import errors
from ..errors import FormError, check_field
from ..world.challenges import RULES, Terms, is_ratable
from ..world.clocks import TimeControl
from ..world.variants import VARIANTS, Variant, find_variant
from .request import Request, trueish

SHORT_LIMITS = (0, 15, 30, 45, 60, 90)
DAYS = (1, 2, 3, 5, 7, 10, 14)
MAX_LIMIT_S, MAX_INCREMENT_S = 10_800, 60
COLOR_WORDS = ("white", "black", "random")


def read_control(request: Request, allow_any: bool) -> TimeControl:
    """Return the clock of a form, in seconds there; raises FormError. `allow_any` accepts any limit, with fractions."""
    limit, increment, days = request.number("clock.limit"), request.number("clock.increment"), request.number("days")
    if limit is not None or increment is not None:
        limit, increment = request.required_number("clock.limit"), request.required_number("clock.increment")
        usual = limit in SHORT_LIMITS or (limit % 60 == 0 and limit <= MAX_LIMIT_S)
        check_field(limit >= 0 and (allow_any or usual), "clock.limit")
        whole = increment == int(increment) and increment <= MAX_INCREMENT_S
        check_field(increment >= 0 and (allow_any or whole), "clock.increment")
        check_field(allow_any or limit + increment > 0, "clock.limit")
        return TimeControl(round(limit * 1000), round(increment * 1000))
    check_field(days is None or days in DAYS, "days")
    return TimeControl(days=None if days is None else int(days))


def read_terms(request: Request, allow_any: bool) -> Terms:
    """Return the terms of a challenge form; raises FormError."""
    variant, fen = _read_position(request, read_variant(request))
    rules = tuple(rule for rule in request.text("rules", "").split(",") if rule)
    check_field(set(rules) <= set(RULES), "rules")
    rated = request.text("rated", "false")
    check_field(rated in ("true", "false", "1", "0", "on", "off"), "rated")
    control = read_control(request, allow_any)
    is_rated = trueish(rated) and is_ratable(variant, control)
    return Terms(variant, control, is_rated, read_color(request), fen, rules)


def read_variant(request: Request) -> Variant:
    """Return the variant of a form by key or number, standard if absent; raises FormError."""
    variant = find_variant(request.text("variant", "standard") or "standard")
    if variant is None:
        raise FormError({"variant": [errors.INVALID_VALUE]})
    return variant


def read_color(request: Request) -> str:
    """Return white, black or random, which is the default; raises FormError."""
    color = request.text("color", "random") or "random"
    check_field(color in COLOR_WORDS, "color")
    return color


def _read_position(request: Request, variant: Variant) -> tuple[Variant, str | None]:
    """Return the variant and first position: a FEN turns standard into fromPosition, unless it is the start position.

    Raises FormError for a Chess960 FEN that is not one of the 960. Other FENs are checked when the game is made.
    """
    fen = request.form.get("fen") or None
    if fen is None:
        return variant, None
    if variant.key == "standard":
        return (variant, None) if _is_start(fen) else (VARIANTS["fromPosition"], fen)
    check_field(variant.key != "chess960" or _is_chess960_start(fen), "fen")
    return variant, fen


def _is_start(fen: str) -> bool:
    return fen.split()[:4] == chess.STARTING_FEN.split()[:4]


def _is_chess960_start(fen: str) -> bool:
    try:
        return chess.Board(fen, chess960=True).chess960_pos() is not None
    except ValueError:
        return False
