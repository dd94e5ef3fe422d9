"""Refusals: one exception, and the texts that Lichess uses.

ApiError(status, message)      -> {"error": message}
FormError({field: [message]})  -> 400 {"error": {field: [message]}, field: [message]}
"""

from __future__ import annotations

from collections.abc import Mapping

BOTS_ONLY = "This endpoint can only be used with a Bot account. See https://lichess.org/api#operation/botAccountUpgrade"
NO_BOTS = "This endpoint cannot be used with a Bot account."
NOT_YOUR_TURN = "Not your turn, or game already over"
NOT_ABORTABLE = "This game can no longer be aborted"
NOT_RESIGNABLE = "This game cannot be resigned"
NOT_BERSERKABLE = "Cannot berserk"
NO_CLAIM_WIN = "You cannot claim the win on this game"
NO_CLAIM_DRAW = "You cannot claim draw on this game"
NO_SUCH_GAME = "No such game"
NOT_YOUR_GAME = "Not your game"
NO_SUCH_TOKEN = "No such token"
MISSING_HEADER = "Missing authorization header"
NOT_FOUND = "Not found."
TOO_MANY_AT_ONCE = "Please only run {most} request(s) at a time"
TOO_MANY = "Too many requests. Try again later."
NO_POLLING = "Please don't poll this endpoint, it is intended to be streamed. See https://lichess.org/api#tag/Board/operation/apiStreamEvent."
TOO_FAST_FOR_BOTS = "Bots cannot play UltraBullet. Choose a slower time control."
BOT_INCOMPATIBLE = "Game incompatible with a BOT account"
REQUIRED = "This field is required"
HAS_GAMES = "You already have games played. Make a new account."
ALREADY_BOT = "Already a bot account."
INVALID_VALUE = "Invalid value"
BOT_DAY = "{name} played {games} games against other bots today"
BOT_DAY_KEY = "bot.vsBot.day"

DECLINE_REASONS = {
    "generic": "I'm not accepting challenges at the moment.",
    "later": "This is not the right time for me, please ask again later.",
    "tooFast": "This time control is too fast for me, please challenge again with a slower game.",
    "tooSlow": "This time control is too slow for me, please challenge again with a faster game.",
    "timeControl": "I'm not accepting challenges with this time control.",
    "rated": "Please send me a rated challenge instead.",
    "casual": "Please send me a casual challenge instead.",
    "standard": "I'm not accepting variant challenges right now.",
    "variant": "I'm not willing to play this variant right now.",
    "noBot": "I'm not accepting challenges from bots.",
    "onlyBot": "I'm only accepting challenges from bots.",
}


class ApiError(Exception):
    """A refusal with its HTTP status and the text of the server; `extra` is merged into the JSON answer."""

    html = False

    def __init__(self, status: int, message: str, extra: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.extra = dict(extra or {})

    def body(self) -> object:
        """Return the JSON object of the answer, or the bytes of a page."""
        return {"error": self.message, **self.extra}


class HtmlError(ApiError):
    """A refusal by the network in front of the server: an HTML page."""

    html = True

    def __init__(self, status: int, page: bytes) -> None:
        super().__init__(status, f"HTML page with status {status}")
        self.page = page

    def body(self) -> object:
        """Return the page as bytes."""
        return self.page


class FormError(ApiError):
    """An invalid form: 400 with the messages per field."""

    def __init__(self, fields: Mapping[str, list[str]]) -> None:
        super().__init__(400, "; ".join(f"{name}: {', '.join(texts)}" for name, texts in fields.items()))
        self.fields = dict(fields)

    def body(self) -> object:
        """Return the fields twice, under `error` and at the top (lila `doubleJsonFormError`)."""
        return {**self.fields, "error": self.fields}


def check_field(valid: object, field: str, message: str = INVALID_VALUE) -> None:
    """Raise FormError for a field whose value is not valid."""
    if not valid:
        raise FormError({field: [message]})
