"""Events of the account stream (`/api/stream/event`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import AliasPath, PlainValidator

from bot.events.game import ANONYMOUS, PlayerField, UnknownEvent
from bot.events.reading import (
    FROM_JSON,
    Flag,
    Integer,
    JsonObject,
    Key,
    OptionalInteger,
    Strings,
    Text,
    as_text,
    mapping,
    named,
    reader,
    text,
)

CLOCK = "clock"
CORRESPONDENCE = "correspondence"
UNLIMITED = "unlimited"

#: Lichess writes time controls of bullet games in quarters of a minute: 15 s is a quarter.
_FRACTIONS = {15: "¼", 30: "½", 45: "¾", 90: "1.5"}


def _known_kind(value: object) -> str:
    return str(value) if value in (CLOCK, CORRESPONDENCE) else UNLIMITED


@dataclass(frozen=True, slots=True)
class TimeControl:
    """`kind` is CLOCK (limit_s, increment_s), CORRESPONDENCE (days_per_turn) or UNLIMITED."""

    kind: Annotated[str, PlainValidator(_known_kind), named("type")] = UNLIMITED
    limit_s: Annotated[Integer, named("limit")] = 0
    increment_s: Annotated[Integer, named("increment")] = 0
    days_per_turn: Annotated[Integer, named("daysPerTurn")] = 0

    @property
    def estimate_s(self) -> int:
        """Lichess's estimate of one player's time for a whole game: limit + 40 increments."""
        return self.limit_s + 40 * self.increment_s

    def __str__(self) -> str:
        if self.kind == CLOCK:
            minutes = _FRACTIONS.get(self.limit_s, f"{self.limit_s / 60:g}")
            return f"{minutes}+{self.increment_s}"
        return f"{self.days_per_turn} days a turn" if self.kind == CORRESPONDENCE else "unlimited"


parse_time_control = reader(TimeControl)


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge, incoming or our own (then `challenger.id` is ours). Its id becomes the game's id.

    `playable` is False if the Bot API cannot play the game.
    """

    __pydantic_config__ = FROM_JSON

    id: Text = ""
    challenger: PlayerField = ANONYMOUS
    dest_user: PlayerField = ANONYMOUS
    variant: Key = "standard"
    rated: Flag = False
    speed: Text = ""
    time_control: Annotated[TimeControl, PlainValidator(parse_time_control)] = TimeControl()
    status: Text = "created"
    initial_fen: Text = ""
    rules: Strings = ()
    rematch_of: Text = ""
    playable: Annotated[Flag, named(AliasPath("compat", "bot"))] = True


parse_challenge = reader(Challenge)


#: Eight characters; an id that is longer names a player of the game, too.
GameId = Annotated[str, PlainValidator(lambda value: (as_text(value) or "")[:8])]


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game as the account stream and `/api/account/playing` describe it.

    `playable` is False if the Bot API may not open the game.
    """

    __pydantic_config__ = FROM_JSON

    game_id: Annotated[GameId, named("gameId", "id", "fullId")] = ""
    opponent: PlayerField = ANONYMOUS
    speed: Text = ""
    is_my_turn: Flag = False
    seconds_left: OptionalInteger = None
    tournament_id: Text = ""
    playable: Annotated[Flag, named(AliasPath("compat", "bot"))] = True


parse_game_info = reader(GameInfo)


@dataclass(frozen=True, slots=True)
class ChallengeReceived:
    """A challenge was made, to us or by us."""

    challenge: Challenge


@dataclass(frozen=True, slots=True)
class ChallengeCanceled:
    """The challenger cancelled the challenge."""

    challenge_id: str


@dataclass(frozen=True, slots=True)
class ChallengeDeclined:
    """Our challenge was declined; `reason_key` in lower case, such as "toofast"."""

    challenge_id: str
    reason_key: str = "generic"


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game runs. Sent again for each running game when the stream is opened."""

    game: GameInfo


@dataclass(frozen=True, slots=True)
class GameFinished:
    """A game is over."""

    game: GameInfo


AccountEvent = ChallengeReceived | ChallengeCanceled | ChallengeDeclined | GameStarted | GameFinished | UnknownEvent


def parse_account_event(line: JsonObject) -> AccountEvent:
    """Return the event of one line of the account stream. An event without an id is unknown."""
    kind, challenge = text(line, "type"), mapping(line.get("challenge"))
    game, challenge_id = parse_game_info(line.get("game")), text(challenge, "id")
    if kind == "gameStart" and game.game_id:
        return GameStarted(game)
    if kind == "gameFinish" and game.game_id:
        return GameFinished(game)
    if kind == "challenge" and challenge_id:
        compat = mapping(line.get("compat")) or mapping(challenge.get("compat"))
        return ChallengeReceived(parse_challenge({**challenge, "compat": compat}))
    if kind == "challengeCanceled" and challenge_id:
        return ChallengeCanceled(challenge_id)
    if kind == "challengeDeclined" and challenge_id:
        return ChallengeDeclined(challenge_id, (as_text(challenge.get("declineReasonKey")) or "generic").lower())
    return UnknownEvent(kind, line)
