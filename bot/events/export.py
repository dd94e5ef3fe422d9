"""A finished or running game as the export (`/game/export/{gameId}`) tells it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.events.common import ANONYMOUS, Player, parse_player
from bot.events.game import ONGOING
from bot.events.reading import flag, integer, key_of, mapping, optional_integer, text

#: The export counts clocks in hundredths of a second and time controls in seconds.
_CENTISECOND_MS = 10
_SECOND_MS = 1000


@dataclass(frozen=True, slots=True)
class GameExport:
    """One game as the server keeps it; the server holds back the last moves while it runs.

    `san_moves` are in standard algebraic notation. `clocks_ms` is the mover's time left after each move, empty where
    the server gives none. `initial_ms` and `increment_ms` are None without a clock.
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
    """The export's JSON object; None for one that names no game or no status, for nothing follows from it."""
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
    """The export puts the account into a `user` of its own, beside rating and AI level."""
    data = mapping(value)
    return parse_player({**data, **mapping(data.get("user"))})


def _clocks_ms(value: object) -> tuple[int, ...]:
    """The clocks; empty as soon as one is no number, for the others could not be told apart any more."""
    entries = value if isinstance(value, list) else []
    clocks = [optional_integer({"clock": entry}, "clock") for entry in entries]
    known = [clock for clock in clocks if clock is not None]
    return tuple(clock * _CENTISECOND_MS for clock in known) if len(known) == len(clocks) else ()


def _milliseconds(seconds: int | None) -> int | None:
    return None if seconds is None else seconds * _SECOND_MS
