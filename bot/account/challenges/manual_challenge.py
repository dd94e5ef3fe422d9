"""Sends a challenge that the operator asks for."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import structlog

from bot.account.slots import OUTGOING_S, OUTGOING_SLOW_S, Slots, SlotUse
from bot.errors import BotError, LichessError
from bot.events import Challenge
from bot.lichess.server import Server
from bot.lichess.values import UserStatus

_NUMBERS = itertools.count(1)

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class ChallengeTerms:
    """Whom to challenge to what. `limit_s` and `increment_s` are a clock, `days` is correspondence instead."""

    username: str
    limit_s: int | None = 180
    increment_s: int = 2
    days: int | None = None
    rated: bool = False
    variant: str = "standard"
    color: str = "random"

    def __str__(self) -> str:
        pace = (
            f"{self.days} days a move" if self.days is not None else f"{(self.limit_s or 0) / 60:g}+{self.increment_s}"
        )
        color = "" if self.color == "random" else f", we have {self.color}"
        return f"{pace} {'rated' if self.rated else 'casual'} {self.variant}{color}"


class ChallengeNotSent(BotError):  # noqa: N818 -- the name says what happened, as in bot.errors
    """A challenge was refused. The message is one line that ends with the remedy."""


def send_challenge(server: Server, slots: Slots, my_id: str, terms: ChallengeTerms) -> tuple[Challenge, UserStatus]:
    """Send a challenge, which holds a slot until it is declined or lapses. Return it, and who was challenged.

    Raises ChallengeNotSent.
    """
    user_id = terms.username.lower()
    if user_id == my_id:
        raise ChallengeNotSent("that is this bot itself; name another user")
    request_id = f"manual {next(_NUMBERS)}"  # holds the slot while the challenge has no id yet
    if not slots.reserve(request_id, user_id, use=SlotUse.RESERVED):
        raise ChallengeNotSent(
            f"no slot is free: {slots.concurrency} of {slots.concurrency} are in use; try again after a game has ended"
        )
    try:
        user = _look_up(server, user_id, terms)
        challenge = server.create_challenge(
            terms.username,
            rated=terms.rated,
            clock_limit_s=terms.limit_s,
            clock_increment_s=terms.increment_s,
            days=terms.days,
            color=terms.color,
            variant=terms.variant,
            against_bot=user.title == "BOT",
        )
        lapse_s = OUTGOING_S if terms.days is None else OUTGOING_SLOW_S
        slots.put_if_absent(challenge.id, SlotUse.OUTGOING, user_id, lapse_s)
    except LichessError as error:
        raise ChallengeNotSent(f"{terms.username} was not challenged: {error}") from error
    finally:
        slots.release(request_id)
    log.info("challenge_sent", challenge_id=challenge.id, user=user_id, terms=str(terms))
    return challenge, user


def _look_up(server: Server, user_id: str, terms: ChallengeTerms) -> UserStatus:
    user = next((one for one in server.users_status(user_id) if one.id == user_id), None)
    if user is None:
        raise ChallengeNotSent(f"there is no user {terms.username}; check the spelling")
    return user
