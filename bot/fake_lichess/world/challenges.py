"""Challenges: their terms, states and JSON; open challenges, which anyone may join."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import chess

from .. import errors
from ..errors import DECLINE_REASONS, ApiError, FormError
from .accounts import Account
from .clocks import TimeControl
from .json_objects import Json, variant_json
from .variants import (
    COLOR_NAMES,
    Variant,
    is_board_compatible,
    is_bot_compatible,
    perf_name,
    perf_of,
    speed_of,
)

NOT_RATED = "can't be rated"
RULES = ("noAbort", "noRematch", "noGiveTime", "noClaimWin", "noEarlyDraw")
NOT_FOR_YOU = "The challenge is not for you"


@dataclass(frozen=True)
class Terms:
    """The terms of a game. `color` is the challenger's wish: white, black or random."""

    variant: Variant
    control: TimeControl
    rated: bool = False
    color: str = "random"
    initial_fen: str | None = None
    rules: tuple[str, ...] = ()

    @property
    def speed(self) -> str:
        """The speed category."""
        return speed_of(self.control.limit_s, self.control.increment_s)

    @property
    def perf(self) -> str:
        """The rating category."""
        return perf_of(self.variant, self.speed)


@dataclass
class Challenge:
    """An offer of a game, whose id becomes the id of the game. `watchers` are called with its final status.

    An open challenge has neither challenger nor dest, but the `seats` taken so far; `open_to` names the only two who
    may join, White first.
    """

    id: str
    terms: Terms
    challenger: Account | None
    dest: Account | None
    final_color: chess.Color
    status: str = "created"
    rematch_of: str | None = None
    decline_reason: str | None = None
    replaced: bool = False
    creator: Account | None = None
    open_to: tuple[str, ...] = ()
    seats: dict[chess.Color, Account] = field(default_factory=dict)
    watchers: list[Callable[[str], None]] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Whether anyone may join."""
        return self.challenger is None and self.dest is None

    @property
    def pending(self) -> bool:
        """Neither answered, cancelled nor expired."""
        return self.status == "created"

    @property
    def active(self) -> bool:
        """Can still be answered or cancelled: pending or expired, and not replaced by a newer one."""
        return self.status in ("created", "offline") and not self.replaced


def check_clock_for_bots(terms: Terms, accounts: tuple[Account | None, ...], allow_any: bool, message: str) -> None:
    """Raise ApiError 400 if a bot would play faster than bullet (limit + 40 increments < 30 s)."""
    if not allow_any and terms.speed == "ultraBullet" and any(a is not None and a.is_bot for a in accounts):
        raise ApiError(400, message)


def check_rated(terms: Terms) -> None:
    """Raise FormError for a rated game from a given position."""
    if terms.rated and (terms.initial_fen is not None or terms.variant.key == "fromPosition"):
        raise FormError({"global": [NOT_RATED]})


def is_ratable(variant: Variant, control: TimeControl) -> bool:
    """Return whether a clock is slow enough to rate a variant (lila `Game.allowRated`)."""
    if variant.key == "standard" or control.limit_s is None:
        return True
    enough = control.limit_s > 0 and control.limit_s + 40 * control.increment_s >= 30
    return enough or control.increment_s > 1


def check_rules(terms: Terms, dest: Account | None) -> None:
    """Raise ApiError 400 for extra rules in a challenge to a bot."""
    if terms.rules and dest is not None and dest.is_bot:
        raise ApiError(400, "Rules not applicable for bots")


def time_control_json(control: TimeControl) -> Json:
    """Return the timeControl object: seconds."""
    if control.limit_ms is not None:
        limit, increment = control.limit_ms // 1000, control.increment_ms // 1000
        return {"type": "clock", "limit": limit, "increment": increment, "show": f"{_minutes(limit)}+{increment}"}
    if control.days is not None:
        return {"type": "correspondence", "daysPerTurn": control.days}
    return {"type": "unlimited"}


def _minutes(limit_s: int) -> str:
    fractions = {15: "¼", 30: "½", 45: "¾", 90: "1.5"}
    return fractions.get(limit_s) or f"{limit_s / 60:g}"


def _user_json(account: Account | None, perf: str) -> Json | None:
    if account is None or account.anonymous:
        return None
    record = account.perf(perf)
    user: Json = {"name": account.name, "id": account.id, "rating": record.rating}
    if account.title:
        user["title"] = account.title
    if record.provisional:
        user["provisional"] = True
    if account.online:
        user["online"] = True
    return user


def challenge_json(challenge: Challenge, base_url: str, viewer: Account | None = None) -> Json:
    """Return the challenge as a stream shows it; with a `viewer`, as an answer to a request: with its direction."""
    terms = challenge.terms
    found: Json = {
        "id": challenge.id,
        "url": f"{base_url}/{challenge.id}",
        "status": challenge.status,
        "challenger": _user_json(challenge.challenger, terms.perf),
        "destUser": _user_json(challenge.dest, terms.perf),
        "variant": variant_json(terms.variant),
        "rated": terms.rated,
        "speed": terms.speed,
        "timeControl": time_control_json(terms.control),
        "color": terms.color,
        "finalColor": COLOR_NAMES[challenge.final_color],
        "perf": {"icon": terms.variant.icon, "name": perf_name(terms.perf)},
    }
    own_start = terms.variant.board_class.starting_fen
    if terms.initial_fen is not None or own_start.split()[0] != chess.STARTING_BOARD_FEN:  # horde, Racing Kings
        found["initialFen"] = terms.initial_fen or own_start
    if challenge.rematch_of is not None:
        found["rematchOf"] = challenge.rematch_of
    if terms.rules:
        found["rules"] = list(terms.rules)
    if viewer is not None:
        found["direction"] = "out" if viewer is challenge.challenger else "in"
    return found


def challenge_event(
    kind: str, challenge: Challenge, base_url: str, viewer: Account | None = None, allow_any_clock: bool = False
) -> Json:
    """Return a line of an account's stream: challenge, challengeCanceled or challengeDeclined.

    With a `viewer` a new challenge has `compat`: whether that account may play it by the bot and the board API.
    """
    body = challenge_json(challenge, base_url)
    if kind == "challengeDeclined":
        reason = challenge.decline_reason or "generic"
        body["declineReason"] = DECLINE_REASONS[reason]
        body["declineReasonKey"] = reason.lower()
    event: Json = {"type": kind, "challenge": body}
    if kind == "challenge" and viewer is not None:
        speed = challenge.terms.speed
        event["compat"] = {
            "bot": viewer.is_bot and (allow_any_clock or is_bot_compatible("friend", speed)),
            "board": allow_any_clock or is_board_compatible("friend", speed),
        }
    return event


def find_reason(text: str) -> str:
    """Return a decline reason in any spelling; generic for an unknown one."""
    return next((name for name in DECLINE_REASONS if name.lower() == text.lower()), "generic")


def require_active(challenge: Challenge | None) -> Challenge:
    """Return a challenge that can be answered or cancelled; raises ApiError 404."""
    if challenge is None or not challenge.active:
        raise ApiError(404, errors.NOT_FOUND)
    return challenge


def require_acceptable(challenge: Challenge | None) -> Challenge:
    """Return a challenge that can be accepted; raises ApiError 400 if it was cancelled or declined, else 404."""
    if challenge is not None and not challenge.replaced and challenge.status in ("canceled", "declined"):
        raise ApiError(400, f"The challenge has been {challenge.status}.")
    return require_active(challenge)


def open_challenge_json(challenge: Challenge, base_url: str) -> Json:
    """Return the answer to the creation, with a link for each colour."""
    url = f"{base_url}/{challenge.id}"
    users: Json = {"userIds": list(challenge.open_to)} if challenge.open_to else {}
    links: Json = {"urlWhite": f"{url}?color=white", "urlBlack": f"{url}?color=black", "open": users}
    return challenge_json(challenge, base_url) | links


def take_seat(challenge: Challenge, account: Account, wanted: chess.Color | None) -> bool:
    """Let an account join; returns whether both sides are taken.

    Of two named players the first has White; others get the colour that they ask for if it is free. Raises ApiError
    400 for an account that may not join.
    """
    if challenge.open_to:
        if account.id not in challenge.open_to:
            raise ApiError(400, NOT_FOR_YOU)
        wanted = account.id == challenge.open_to[0]
    if account in challenge.seats.values():
        raise ApiError(404, errors.NOT_FOUND)
    color = _free_color(challenge, wanted)
    challenge.seats[color] = account
    return len(challenge.seats) == 2


def _free_color(challenge: Challenge, wanted: chess.Color | None) -> chess.Color:
    taken = next(iter(challenge.seats), None)
    if taken is not None:
        return not taken
    return challenge.final_color if wanted is None else wanted
