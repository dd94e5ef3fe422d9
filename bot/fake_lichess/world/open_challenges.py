"""Open challenges: offers that any two players, or two named ones, may join by their link."""

from __future__ import annotations

import chess

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.challenges import Challenge, challenge_json
from bot.fake_lichess.world.json_objects import Json

NOT_FOR_YOU = "The challenge is not for you"


def open_challenge_json(challenge: Challenge, base_url: str) -> Json:
    """The answer to the creation: with a link for each colour."""
    url = f"{base_url}/{challenge.id}"
    users: Json = {"userIds": list(challenge.open_to)} if challenge.open_to else {}
    links: Json = {"urlWhite": f"{url}?color=white", "urlBlack": f"{url}?color=black", "open": users}
    return challenge_json(challenge, base_url) | links


def take_seat(challenge: Challenge, account: Account, wanted: chess.Color | None) -> bool:
    """Let an account join; whether both sides are now taken.

    Of two named players the first has White; others get the colour they ask for where it is free. Raises ApiError 400
    for who may not join.
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
