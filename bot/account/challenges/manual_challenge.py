"""Sends a challenge that the operator asks for."""

from __future__ import annotations

import itertools

import structlog

from bot.account.slots import OUTGOING_S, OUTGOING_SLOW_S, Slots, SlotUse
from bot.errors import BotError, LichessError
from bot.events.account import Challenge
from bot.lichess.server import Server
from bot.lichess.values import ChallengeTerms, UserStatus

_NUMBERS = itertools.count(1)

log = structlog.get_logger(__name__)


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
        challenge = server.create_challenge(terms, against_bot=user.title == "BOT")
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
