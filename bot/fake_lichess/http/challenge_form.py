"""The form of a challenge: converts fields to terms, with errors per field."""

from __future__ import annotations

import chess

from .. import errors
from ..errors import FormError
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
        if limit is None or increment is None:
            raise FormError({"clock.limit" if limit is None else "clock.increment": ["This field is required"]})
        wrong = _wrong_field(limit, increment, allow_any)
        if wrong is not None:
            raise FormError({wrong: [errors.INVALID_VALUE]})
        return TimeControl(round(limit * 1000), round(increment * 1000))
    if days is not None and days not in DAYS:
        raise FormError({"days": [errors.INVALID_VALUE]})
    return TimeControl(days=None if days is None else int(days))


def _wrong_field(limit: float, increment: float, allow_any: bool) -> str | None:
    """Return the field that the server refuses, None if it accepts both; it reports 0+0 as a wrong limit."""
    usual = allow_any or limit in SHORT_LIMITS or (limit % 60 == 0 and limit <= MAX_LIMIT_S)
    if limit < 0 or not usual:
        return "clock.limit"
    if increment < 0 or not (allow_any or (increment == int(increment) and increment <= MAX_INCREMENT_S)):
        return "clock.increment"
    return None if allow_any or limit + increment > 0 else "clock.limit"


def read_terms(request: Request, allow_any: bool) -> Terms:
    """Return the terms of a challenge form; raises FormError."""
    variant = find_variant(request.text("variant", "standard") or "standard")
    if variant is None:
        raise FormError({"variant": [errors.INVALID_VALUE]})
    color = request.text("color", "random") or "random"
    if color not in COLOR_WORDS:
        raise FormError({"color": [errors.INVALID_VALUE]})
    rules = tuple(rule for rule in request.text("rules", "").split(",") if rule)
    if not set(rules) <= set(RULES):
        raise FormError({"rules": [errors.INVALID_VALUE]})
    rated = request.text("rated", "false")
    if rated not in ("true", "false", "1", "0", "on", "off"):
        raise FormError({"rated": [errors.INVALID_VALUE]})
    variant, fen = _read_position(request, variant)
    control = read_control(request, allow_any)
    return Terms(variant, control, trueish(rated) and is_ratable(variant, control), color, fen, rules)


def _read_position(request: Request, variant: Variant) -> tuple[Variant, str | None]:
    """Return the variant and first position: a FEN turns standard into fromPosition, unless it is the start position.

    Raises FormError for a Chess960 FEN that is not one of the 960. Other FENs are checked when the game is made.
    """
    fen = request.form.get("fen") or None
    if fen is None:
        return variant, None
    if variant.key == "standard":
        return (variant, None) if _is_start(fen) else (VARIANTS["fromPosition"], fen)
    if variant.key == "chess960" and not _is_chess960_start(fen):
        raise FormError({"fen": [errors.INVALID_VALUE]})
    return variant, fen


def _is_start(fen: str) -> bool:
    return fen.split()[:4] == chess.STARTING_FEN.split()[:4]


def _is_chess960_start(fen: str) -> bool:
    try:
        return chess.Board(fen, chess960=True).chess960_pos() is not None
    except ValueError:
        return False
