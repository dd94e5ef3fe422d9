"""Players, games and the events of a game stream (`/api/bot/game/stream/{gameId}`), and a game's export."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot.events.reading import JsonObject, flag, integer, key_of, mapping, optional_integer, text


@dataclass(frozen=True, slots=True)
class Player:
    """One side of a game or challenge. An AI has no id; an anonymous player has neither id nor name."""

    id: str
    name: str
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


ANONYMOUS = Player(id="", name="")


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """A line of an unknown type; `raw` is the whole JSON object."""

    kind: str
    raw: Mapping[str, Any]


def parse_player(value: object) -> Player:
    """Return a player from any of the shapes that Lichess uses; anything else is anonymous."""
    data = mapping(value)
    name = text(data, "name") or text(data, "username")
    title = text(data, "title")
    if not title and name.startswith("BOT "):  # the event stream puts the title into `username`
        title, name = "BOT", name[4:]
    level = optional_integer(data, "aiLevel")
    return Player(
        id=text(data, "id").lower() or name.lower() if level is None and "ai" not in data else "",
        name=name,
        title=title,
        rating=optional_integer(data, "rating"),
        ai_level=optional_integer(data, "ai") if level is None else level,
    )


#: Both clocks of a game without time limit: the greatest 32-bit integer.
UNLIMITED_MS = 2_147_483_647
#: The export counts clocks in hundredths of a second and time controls in seconds.
_CENTISECOND_MS, _SECOND_MS = 10, 1000

ONGOING = frozenset({"created", "started"})


@dataclass(frozen=True, slots=True)
class GameState:
    """The changing part of a game; `moves` are all since `initial_fen`, in UCI as the server spells them."""

    moves: tuple[str, ...]
    wtime_ms: int
    btime_ms: int
    winc_ms: int = 0
    binc_ms: int = 0
    status: str = "started"
    winner: str = ""
    wdraw: bool = False
    bdraw: bool = False
    wtakeback: bool = False
    btakeback: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, in whatever way."""
        return self.status not in ONGOING


@dataclass(frozen=True, slots=True)
class GameFull:
    """The first line of every game stream. `initial_ms` and `increment_ms` are None without a clock."""

    game_id: str
    variant: str
    speed: str
    rated: bool
    white: Player
    black: Player
    initial_fen: str
    state: GameState
    initial_ms: int | None = None
    increment_ms: int | None = None
    days_per_turn: int | None = None
    created_at_ms: int = 0
    perf: str = ""
    tournament_id: str = ""

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

    username: str
    text: str
    room: str = "player"


@dataclass(frozen=True, slots=True)
class OpponentGone:
    """The opponent left or came back; `claim_win_in_s` is None if the server gives no time."""

    gone: bool
    claim_win_in_s: int | None = None


GameEvent = GameFull | GameState | ChatLine | OpponentGone | UnknownEvent


def parse_game_state(value: object) -> GameState:
    """Return the state of a gameState or gameFull. A missing clock reads as unlimited, never as zero."""
    data = mapping(value)
    return GameState(
        moves=tuple(text(data, "moves").split()),
        wtime_ms=integer(data, "wtime", UNLIMITED_MS),
        btime_ms=integer(data, "btime", UNLIMITED_MS),
        winc_ms=integer(data, "winc"),
        binc_ms=integer(data, "binc"),
        status=key_of(data.get("status")) or "started",
        winner=text(data, "winner"),
        wdraw=flag(data, "wdraw"),
        bdraw=flag(data, "bdraw"),
        wtakeback=flag(data, "wtakeback"),
        btakeback=flag(data, "btakeback"),
    )


def parse_game_event(line: JsonObject) -> GameEvent:
    """Return the event of one line of a game stream."""
    data = mapping(line)
    kind = text(data, "type")
    if kind == "gameFull":
        return _game_full(data)
    if kind == "gameState":
        return parse_game_state(data)
    if kind == "chatLine":
        return ChatLine(text(data, "username"), text(data, "text"), text(data, "room", "player"))
    if kind == "opponentGone":
        return OpponentGone(flag(data, "gone"), optional_integer(data, "claimWinInSeconds"))
    return UnknownEvent(kind, data)


def _game_full(data: JsonObject) -> GameFull:
    clock = mapping(data.get("clock"))
    return GameFull(
        game_id=text(data, "id"),
        variant=key_of(data.get("variant")) or "standard",
        speed=text(data, "speed"),
        rated=flag(data, "rated"),
        white=parse_player(data.get("white")),
        black=parse_player(data.get("black")),
        initial_fen=text(data, "initialFen", "startpos"),
        state=parse_game_state(data.get("state")),
        initial_ms=optional_integer(clock, "initial"),
        increment_ms=optional_integer(clock, "increment"),
        days_per_turn=optional_integer(data, "daysPerTurn"),
        created_at_ms=integer(data, "createdAt"),
        perf=key_of(data.get("perf")),
        tournament_id=text(data, "tournamentId"),
    )


@dataclass(frozen=True, slots=True)
class GameExport:
    """One game as the server keeps it, without the last moves while it runs.

    `clocks_ms` is the mover's time left after each move, empty if the server gives none. `initial_ms` and
    `increment_ms` are None without a clock.
    """

    game_id: str
    status: str
    winner: str = ""
    san_moves: tuple[str, ...] = ()
    clocks_ms: tuple[int, ...] = ()
    variant: str = "standard"
    speed: str = ""
    rated: bool = False
    white: Player = ANONYMOUS
    black: Player = ANONYMOUS
    initial_fen: str = "startpos"
    initial_ms: int | None = None
    increment_ms: int | None = None
    days_per_turn: int | None = None
    created_at_ms: int = 0
    last_move_at_ms: int = 0
    perf: str = ""
    tournament_id: str = ""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, in whatever way."""
        return self.status not in ONGOING


def parse_game_export(value: object) -> GameExport | None:
    """Return the game of an export, None if id or status is missing."""
    data = mapping(value)
    game_id, status = text(data, "id"), key_of(data.get("status"))
    if not game_id or not status:
        return None
    players, clock = mapping(data.get("players")), mapping(data.get("clock"))
    return GameExport(
        game_id=game_id,
        status=status,
        winner=text(data, "winner"),
        san_moves=tuple(text(data, "moves").split()),
        clocks_ms=_clocks_ms(data.get("clocks")),
        variant=key_of(data.get("variant")) or "standard",
        speed=text(data, "speed"),
        rated=flag(data, "rated"),
        white=_player(players.get("white")),
        black=_player(players.get("black")),
        initial_fen=text(data, "initialFen") or "startpos",
        initial_ms=_milliseconds(optional_integer(clock, "initial")),
        increment_ms=_milliseconds(optional_integer(clock, "increment")),
        days_per_turn=optional_integer(data, "daysPerTurn"),
        created_at_ms=integer(data, "createdAt"),
        last_move_at_ms=integer(data, "lastMoveAt"),
        perf=text(data, "perf"),
        tournament_id=text(data, "tournament") or text(mapping(data.get("arenaTour")), "id"),
    )


def _player(value: object) -> Player:
    """Return a player of an export, where the account is nested in `user`."""
    data = mapping(value)
    return parse_player({**data, **mapping(data.get("user"))})


def _clocks_ms(value: object) -> tuple[int, ...]:
    """Return the clocks, or none at all if one is not a number, because it could not be assigned to its move."""
    entries = value if isinstance(value, list) else []
    clocks = [optional_integer({"clock": entry}, "clock") for entry in entries]
    return () if None in clocks else tuple(clock * _CENTISECOND_MS for clock in clocks if clock is not None)


def _milliseconds(seconds: int | None) -> int | None:
    return None if seconds is None else seconds * _SECOND_MS


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
