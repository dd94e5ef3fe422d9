"""Players, games and the events of a game stream (`/api/bot/game/stream/{gameId}`), and a game's export."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AliasPath, PlainValidator

from bot.events.reading import (
    FROM_JSON,
    Flag,
    Integer,
    JsonObject,
    Key,
    OptionalInteger,
    Text,
    Words,
    as_integer,
    mapping,
    named,
    reader,
    text,
)


@dataclass(frozen=True, slots=True)
class Player:
    """One side of a game or challenge. An AI has no id; an anonymous player has neither id nor name."""

    id: str = ""
    name: str = ""
    title: str = ""
    rating: int | None = None
    ai_level: int | None = None

    @property
    def is_bot(self) -> bool:
        """Whether the account carries the BOT title."""
        return self.title == "BOT"

    @property
    def is_ai(self) -> bool:
        """Whether this is the server's own Stockfish."""
        return self.ai_level is not None

    @property
    def kind(self) -> str:
        """One of "ai", "bot" and "human"."""
        return "ai" if self.is_ai else "bot" if self.is_bot else "human"

    @property
    def label(self) -> str:
        """The player's name for logs and PGN."""
        if self.ai_level is not None:
            return f"AI level {self.ai_level}"
        name = self.name or self.id or "Anonymous"
        return f"{self.title} {name}" if self.title else name


ANONYMOUS = Player()


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """A line of an unknown type; `raw` is the whole JSON object."""

    kind: str
    raw: Mapping[str, Any]


def parse_player(value: object) -> Player:
    """Return a player from any of the shapes that Lichess uses; anything else is anonymous."""
    data = mapping(value)
    data = {**data, **mapping(data.get("user"))}  # an export nests the account
    name = text(data, "name") or text(data, "username")
    title = text(data, "title")
    if not title and name.startswith("BOT "):  # the event stream puts the title into `username`
        title, name = "BOT", name[4:]
    level = as_integer(data.get("aiLevel"))
    return Player(
        id=text(data, "id").lower() or name.lower() if level is None and "ai" not in data else "",
        name=name,
        title=title,
        rating=as_integer(data.get("rating")),
        ai_level=as_integer(data.get("ai")) if level is None else level,
    )


PlayerField = Annotated[Player, PlainValidator(parse_player)]

#: Both clocks of a game without time limit: the greatest 32-bit integer.
UNLIMITED_MS = 2_147_483_647
#: The export counts clocks in hundredths of a second and time controls in seconds.
_CENTISECOND_MS, _SECOND_MS = 10, 1000

ONGOING = frozenset({"created", "started"})
#: Our status of a game that the server does not know.
UNKNOWN_FINISH = "unknownFinish"


@dataclass(frozen=True, slots=True)
class GameState:
    """The changing part of a game; `moves` are all since `initial_fen`, in UCI as the server spells them.

    A missing clock reads as unlimited, never as zero.
    """

    __pydantic_config__ = FROM_JSON

    moves: Words = ()
    wtime_ms: Annotated[Integer, named("wtime")] = UNLIMITED_MS
    btime_ms: Annotated[Integer, named("btime")] = UNLIMITED_MS
    winc_ms: Annotated[Integer, named("winc")] = 0
    binc_ms: Annotated[Integer, named("binc")] = 0
    status: Key = "started"
    winner: Text = ""
    wdraw: Flag = False
    bdraw: Flag = False
    wtakeback: Flag = False
    btakeback: Flag = False

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, in whatever way."""
        return self.status not in ONGOING


parse_game_state = reader(GameState)


@dataclass(frozen=True, slots=True)
class GameFull:
    """The first line of every game stream. `initial_ms` and `increment_ms` are None without a clock."""

    __pydantic_config__ = FROM_JSON

    game_id: Annotated[Text, named("id")] = ""
    variant: Key = "standard"
    speed: Text = ""
    rated: Flag = False
    white: PlayerField = ANONYMOUS
    black: PlayerField = ANONYMOUS
    initial_fen: Text = "startpos"
    state: Annotated[GameState, PlainValidator(parse_game_state)] = GameState()
    initial_ms: Annotated[OptionalInteger, named(AliasPath("clock", "initial"))] = None
    increment_ms: Annotated[OptionalInteger, named(AliasPath("clock", "increment"))] = None
    days_per_turn: OptionalInteger = None
    created_at_ms: Annotated[Integer, named("createdAt")] = 0
    perf: Key = ""
    tournament_id: Text = ""

    @property
    def has_clock(self) -> bool:
        """Whether a real-time clock runs (neither correspondence nor unlimited)."""
        return self.initial_ms is not None

    def color_of(self, user_id: str) -> str:
        """Return "white" or "black", or "" when the user does not play in this game."""
        wanted = user_id.lower()
        if not wanted:
            return ""
        return "white" if self.white.id == wanted else "black" if self.black.id == wanted else ""


@dataclass(frozen=True, slots=True)
class ChatLine:
    """`room` is "player" or "spectator"."""

    username: Annotated[Text, named("username", "user")] = ""
    text: Text = ""
    room: Text = "player"


@dataclass(frozen=True, slots=True)
class OpponentGone:
    """The opponent left or came back; `claim_win_in_s` is None if the server gives no time."""

    gone: Flag = False
    claim_win_in_s: Annotated[OptionalInteger, named("claimWinInSeconds")] = None


GameEvent = GameFull | GameState | ChatLine | OpponentGone | UnknownEvent

parse_chat_line = reader(ChatLine)
_GAME_EVENTS: Mapping[str, Callable[[object], GameEvent]] = {
    "gameFull": reader(GameFull),
    "gameState": parse_game_state,
    "chatLine": parse_chat_line,
    "opponentGone": reader(OpponentGone),
}


def parse_game_event(line: JsonObject) -> GameEvent:
    """Return the event of one line of a game stream."""
    kind = text(line, "type")
    parse = _GAME_EVENTS.get(kind)
    return UnknownEvent(kind, line) if parse is None else parse(line)


def _milliseconds(seconds: object) -> int | None:
    whole = as_integer(seconds)
    return None if whole is None else whole * _SECOND_MS


def _clocks_ms(value: object) -> tuple[int, ...]:
    """Return the clocks, or none at all if one is not a number, because it could not be assigned to its move."""
    clocks = [as_integer(entry) for entry in value] if isinstance(value, list) else []
    return () if None in clocks else tuple(clock * _CENTISECOND_MS for clock in clocks if clock is not None)


Seconds = Annotated[int | None, PlainValidator(_milliseconds)]


@dataclass(frozen=True, slots=True)
class GameExport:
    """One game as the server keeps it, without the last moves while it runs.

    `clocks_ms` is the mover's time left after each move, empty if the server gives none. `initial_ms` and
    `increment_ms` are None without a clock.
    """

    __pydantic_config__ = FROM_JSON

    game_id: Annotated[Text, named("id")] = ""
    status: Key = ""
    winner: Text = ""
    san_moves: Annotated[Words, named("moves")] = ()
    clocks_ms: Annotated[tuple[int, ...], PlainValidator(_clocks_ms), named("clocks")] = ()
    variant: Key = "standard"
    speed: Text = ""
    rated: Flag = False
    white: Annotated[PlayerField, named(AliasPath("players", "white"))] = ANONYMOUS
    black: Annotated[PlayerField, named(AliasPath("players", "black"))] = ANONYMOUS
    initial_fen: Text = "startpos"
    initial_ms: Annotated[Seconds, named(AliasPath("clock", "initial"))] = None
    increment_ms: Annotated[Seconds, named(AliasPath("clock", "increment"))] = None
    days_per_turn: OptionalInteger = None
    created_at_ms: Annotated[Integer, named("createdAt")] = 0
    last_move_at_ms: Annotated[Integer, named("lastMoveAt")] = 0
    perf: Text = ""
    tournament_id: Annotated[Text, named("tournament", AliasPath("arenaTour", "id"))] = ""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, in whatever way."""
        return self.status not in ONGOING

    @property
    def proves_end(self) -> bool:
        """Whether the server knows the game, and that it has ended."""
        return self.is_over and self.status != UNKNOWN_FINISH


_read_export = reader(GameExport)


def parse_game_export(value: object) -> GameExport | None:
    """Return the game of an export, None if id or status is missing."""
    export = _read_export(value)
    return export if export.game_id and export.status else None


#: Statuses of games that ended without a result.
_WITHOUT_RESULT = frozenset({"aborted", "noStart", "unknownFinish"})


class Outcome(StrEnum):
    """The outcome of a finished game from our side; a game without a result has none."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"

    @property
    def word(self) -> str:
        """What happened to the game: "won", "drawn" or "lost"."""
        return {Outcome.WIN: "won", Outcome.DRAW: "drawn", Outcome.LOSS: "lost"}[self]


def outcome_of(status: str, winner: str, color: str) -> Outcome | None:
    """Return the outcome for the player of `color` ("white" or "black").

    None for a running game and for one that ended without a result.
    """
    if winner:
        return Outcome.WIN if winner == color else Outcome.LOSS
    return None if status in ONGOING | _WITHOUT_RESULT else Outcome.DRAW
