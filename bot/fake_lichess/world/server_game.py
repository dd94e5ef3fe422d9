"""One game: position, clock, offers, presence, end. Times are arguments, changes go to a listener."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from typing import Protocol

import chess

from .. import errors
from ..errors import ApiError
from .accounts import Account
from .chat_room import ChatLine, ChatRoom
from .clocks import GameClock, TimeControl
from .game_end import GameEnd, flag_outcome, parse_move, position_outcome
from .variants import Variant

BOTH = (chess.WHITE, chess.BLACK)


@dataclass
class Player:
    """The player of a colour: an account, or the computer at a level. Offers are kept with their plies."""

    account: Account | None
    full_id: str
    rating: int = 1500
    provisional: bool = False
    ai_level: int | None = None
    rating_diff: int | None = None
    offers_draw: bool = False
    takeback_offered_at: int | None = None
    draw_offered_at: int | None = None
    berserk: bool = False
    disconnected_at_ms: float = 0.0
    gone_since_ms: float | None = None
    gone_announced: bool = False
    connections: int = 0

    @property
    def offers_takeback(self) -> bool:
        """Whether a takeback proposal is open."""
        return self.takeback_offered_at is not None

    @property
    def name(self) -> str:
        """The name on the board."""
        return self.account.name if self.account else f"Stockfish level {self.ai_level}"


@dataclass(frozen=True)
class GameSpec:
    """The terms of a game."""

    id: str
    variant: Variant
    control: TimeControl
    rated: bool
    speed: str
    perf: str
    source: str = "friend"
    initial_fen: str | None = None
    rules: tuple[str, ...] = ()
    rematch_of: str | None = None
    tournament_id: str | None = None
    tournament_name: str | None = None
    berserkable: bool = False
    first_move_ms: int | None = None

    @property
    def in_tournament(self) -> bool:
        """Whether this is a game of an arena: no abort, no takeback, no more time."""
        return self.tournament_id is not None


class GameListener(Protocol):
    """Receives all changes that streams show."""

    def state_changed(self, game: Game) -> None:
        """Moves, clocks, offers or status have changed."""

    def finished(self, game: Game) -> None:
        """The game has ended; state_changed follows."""

    def chatted(self, game: Game, line: ChatLine) -> None:
        """Someone has said something."""

    def presence_changed(self, game: Game, color: chess.Color) -> None:
        """The player of a colour has left or come back."""


@dataclass
class Game:
    """A running or finished game. Methods raise ApiError if the server refuses."""

    spec: GameSpec
    board: chess.Board
    players: dict[chess.Color, Player]
    clock: GameClock
    listener: GameListener
    moves: list[str] = field(default_factory=list)
    status: str = "started"
    winner: chess.Color | None = None
    chat: ChatRoom = field(default_factory=ChatRoom)
    rematch_id: str | None = None
    takebacks_declined: int = 0
    takeback_declined_ms: float = 0.0
    created_at_ms: int = field(default_factory=lambda: time.time_ns() // 1_000_000)
    last_move_at_ms: int = 0
    ended_at_ms: float | None = None
    rng: random.Random = field(default_factory=random.Random)  # of the opponents that the server plays
    first_board: chess.Board = field(init=False)

    def __post_init__(self) -> None:
        self.last_move_at_ms = self.created_at_ms
        self.first_board = self.board.copy()

    @property
    def id(self) -> str:
        """The eight characters."""
        return self.spec.id

    @property
    def playable(self) -> bool:
        """Whether the game is running."""
        return self.status == "started"

    @property
    def abortable(self) -> bool:
        """Fewer than two plies played and no tournament or rule against it."""
        return self.playable and len(self.moves) < 2 and self._may_abort

    @property
    def _may_abort(self) -> bool:
        return "noAbort" not in self.spec.rules and not self.spec.in_tournament

    @property
    def both_moved(self) -> bool:
        """Each side has made a move."""
        return len(self.moves) >= 2

    def color_of(self, account: Account) -> chess.Color | None:
        """Return the colour an account plays, None for a spectator."""
        return next((color for color in BOTH if self.players[color].account is account), None)

    def play(self, color: chess.Color, uci: str, now_ms: float) -> None:
        """Make a move; ends the game when it mates, draws or when the flag had fallen before."""
        self.check_flag(now_ms)
        if not self.playable or self.board.turn != color:
            raise ApiError(400, errors.NOT_YOUR_TURN)
        move = parse_move(self.board, uci)
        self.moves.append(self.board.uci(move))
        self.board.push(move)
        self.clock.press(now_ms)
        self._touch()
        self.players[color].takeback_offered_at = None
        self.players[not color].offers_draw = False
        end = position_outcome(self.board)
        if end is not None:
            self.finish(end, now_ms)
        else:
            self.listener.state_changed(self)

    def _touch(self) -> None:
        self.last_move_at_ms = time.time_ns() // 1_000_000

    def check_flag(self, now_ms: float) -> bool:
        """End the game if the running side has no time left; returns whether it did."""
        left = self.clock.flag_in_ms(now_ms) if self.playable else None
        if left is None or left > 0 or self.clock.running is None:
            return False
        if self.players[not self.clock.running].offers_draw:  # lila `Finisher.outOfTime`: the offer counts as accepted
            self.finish(GameEnd("draw", None), now_ms)
        else:
            self.finish(flag_outcome(self.board, self.clock.running), now_ms)
        return True

    def finish(self, end: GameEnd, now_ms: float) -> None:
        """Stop the clock, set status and winner, notify the listener."""
        self.clock.stop(now_ms)
        self.ended_at_ms = now_ms
        self.status, self.winner = end
        for player in self.players.values():
            player.offers_draw, player.takeback_offered_at = False, None
        self.board.clear_stack()  # finished games are remembered for long: the moves are enough
        self.listener.finished(self)
        self.listener.state_changed(self)

    def abort(self, now_ms: float) -> None:
        """End a game that has just begun."""
        if not self.abortable:
            raise ApiError(400, errors.NOT_ABORTABLE)
        self.finish(GameEnd("aborted", None), now_ms)

    def resign(self, color: chess.Color, now_ms: float) -> None:
        """Resign, or abort the game while that is possible."""
        if self.abortable:
            self.abort(now_ms)
            return
        if not self.playable:
            raise ApiError(400, errors.NOT_RESIGNABLE)
        self.finish(GameEnd("resign", not color), now_ms)

    def go_berserk(self, color: chess.Color) -> None:
        """Give up time for an extra point, in an arena before the first move; raises ApiError 400."""
        moved = len(self.moves) > (0 if color == self.first_board.turn else 1)
        player = self.players[color]
        if not self.playable or not self.spec.berserkable or moved or player.berserk:
            raise ApiError(400, errors.NOT_BERSERKABLE)
        player.berserk = True
        self.clock.berserk(color)
        self.listener.state_changed(self)

    def say(self, username: str, text: str, room: str, now_ms: float) -> None:
        """Write a chat line. Lines against the rules are dropped silently, as on Lichess."""
        line = self.chat.say(username, text, room, now_ms)
        if line is not None:
            self.listener.chatted(self, line)
