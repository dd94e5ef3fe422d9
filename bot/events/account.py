"""Events of the account stream (`/api/stream/event`)."""

from __future__ import annotations

from dataclasses import dataclass

from bot.events.game import Player, UnknownEvent, parse_player
from bot.events.reading import JsonObject, flag, integer, key_of, mapping, optional_integer, strings, text

CLOCK = "clock"
CORRESPONDENCE = "correspondence"
UNLIMITED = "unlimited"

#: Lichess writes time controls of bullet games in quarters of a minute: 15 s is a quarter.
_FRACTIONS = {15: "¼", 30: "½", 45: "¾", 90: "1.5"}


@dataclass(frozen=True, slots=True)
class TimeControl:
    """`kind` is CLOCK (limit_s, increment_s), CORRESPONDENCE (days_per_turn) or UNLIMITED."""

    kind: str = UNLIMITED
    limit_s: int = 0
    increment_s: int = 0
    days_per_turn: int = 0

    @property
    def estimate_s(self) -> int:
        """Lichess's estimate of one player's time for a whole game: limit + 40 increments."""
        return self.limit_s + 40 * self.increment_s

    def __str__(self) -> str:
        if self.kind == CLOCK:
            minutes = _FRACTIONS.get(self.limit_s, f"{self.limit_s / 60:g}")
            return f"{minutes}+{self.increment_s}"
        return f"{self.days_per_turn} days a turn" if self.kind == CORRESPONDENCE else "unlimited"


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge, incoming or our own (then `challenger.id` is ours). Its id becomes the game's id."""

    id: str
    challenger: Player
    dest_user: Player
    variant: str
    rated: bool
    speed: str
    time_control: TimeControl
    status: str = "created"
    initial_fen: str = ""
    rules: tuple[str, ...] = ()
    rematch_of: str = ""


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game as the account stream and `/api/account/playing` describe it.

    `status` is "" in the list of running games. `playable` is False if the Bot API may not open the game.
    """

    game_id: str
    color: str
    opponent: Player
    variant: str = "standard"
    speed: str = ""
    rated: bool = False
    status: str = ""
    winner: str = ""
    last_move: str = ""
    is_my_turn: bool = False
    seconds_left: int | None = None
    tournament_id: str = ""
    playable: bool = True


@dataclass(frozen=True, slots=True)
class ChallengeReceived:
    """A challenge was made, to us or by us."""

    challenge: Challenge
    playable: bool = True


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


def parse_time_control(value: object) -> TimeControl:
    """Return the `timeControl` of a challenge."""
    data = mapping(value)
    kind = text(data, "type", UNLIMITED)
    if kind == CLOCK:
        return TimeControl(CLOCK, limit_s=integer(data, "limit"), increment_s=integer(data, "increment"))
    if kind == CORRESPONDENCE:
        return TimeControl(CORRESPONDENCE, days_per_turn=integer(data, "daysPerTurn"))
    return TimeControl()


def parse_challenge(value: object) -> Challenge:
    """Return a challenge from an event, or from the answer to creating one."""
    data = mapping(value)
    return Challenge(
        id=text(data, "id"),
        challenger=parse_player(data.get("challenger")),
        dest_user=parse_player(data.get("destUser")),
        variant=key_of(data.get("variant")) or "standard",
        rated=flag(data, "rated"),
        speed=text(data, "speed"),
        time_control=parse_time_control(data.get("timeControl")),
        status=text(data, "status", "created"),
        initial_fen=text(data, "initialFen"),
        rules=strings(data.get("rules")),
        rematch_of=text(data, "rematchOf"),
    )


def parse_game_info(value: object) -> GameInfo:
    """Return a game from a gameStart or gameFinish, or from one entry of `nowPlaying`."""
    data = mapping(value)
    return GameInfo(
        game_id=text(data, "gameId") or text(data, "id") or text(data, "fullId")[:8],
        color=text(data, "color"),
        opponent=parse_player(data.get("opponent")),
        variant=key_of(data.get("variant")) or "standard",
        speed=text(data, "speed"),
        rated=flag(data, "rated"),
        status=key_of(mapping(data.get("status")).get("name") or data.get("status")),
        winner=text(data, "winner"),
        last_move=text(data, "lastMove"),
        is_my_turn=flag(data, "isMyTurn"),
        seconds_left=optional_integer(data, "secondsLeft"),
        tournament_id=text(data, "tournamentId"),
        playable=flag(mapping(data.get("compat")), "bot", default=True),
    )


def parse_account_event(line: JsonObject) -> AccountEvent:
    """Return the event of one line of the account stream. An event without an id is unknown."""
    data = mapping(line)
    kind = text(data, "type")
    if kind in ("gameStart", "gameFinish"):
        game = parse_game_info(data.get("game"))
        event = GameStarted(game) if kind == "gameStart" else GameFinished(game)
        return event if game.game_id else UnknownEvent(kind, data)
    if kind.startswith("challenge"):
        return _challenge_event(kind, data)
    return UnknownEvent(kind, data)


def _challenge_event(kind: str, data: JsonObject) -> AccountEvent:
    challenge = parse_challenge(data.get("challenge"))
    if not challenge.id:
        return UnknownEvent(kind, data)
    if kind == "challenge":
        compat = mapping(data.get("compat")) or mapping(mapping(data.get("challenge")).get("compat"))
        return ChallengeReceived(challenge, playable=flag(compat, "bot", default=True))
    if kind == "challengeCanceled":
        return ChallengeCanceled(challenge.id)
    if kind == "challengeDeclined":
        return ChallengeDeclined(
            challenge.id, text(mapping(data.get("challenge")), "declineReasonKey", "generic").lower()
        )
    return UnknownEvent(kind, data)
