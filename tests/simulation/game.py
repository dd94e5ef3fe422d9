"""One game at the simulated server: the truth, its clocks, and the streams that show it."""

from __future__ import annotations

from collections.abc import Callable

import chess

from bot.errors import Rejected
from bot.events.account import GameInfo
from bot.events.game import GameEvent, GameFull, GameState, Player
from tests.simulation.network import Stream
from tests.simulation.scheduler import Scheduler

ME = Player("bot88", "bot88", "BOT", 2000)
LONGEST_PLIES, LONGEST_OF_FIFTY = 40, 12  # then the opponent resigns


class SimulatedGame:
    """Standard chess with a clock; `base_s` and `increment_s` for each side."""

    def __init__(
        self,
        scheduler: Scheduler,
        game_id: str,
        my_color: chess.Color,
        opponent: Player,
        base_s: float,
        increment_s: float,
    ) -> None:
        self.game_id, self.my_color, self.opponent = game_id, my_color, opponent
        self.base_s, self.increment_s = base_s, increment_s
        self.board = chess.Board()
        self.moves: tuple[str, ...] = ()
        self.status, self.winner = "started", ""
        self.left_s = {chess.WHITE: base_s, chess.BLACK: base_s}
        self.turn_began_s = self.began_s = scheduler.now_s
        self.takeback_asked = self.draw_offered = False
        self.streams: list[Stream[GameEvent]] = []
        self.ended_s: float | None = None
        self.known_over_s: float | None = None  # since when the bot's process knows of the end
        self._scheduler = scheduler

    @property
    def color_name(self) -> str:
        """Our colour."""
        return chess.COLOR_NAMES[self.my_color]

    @property
    def players(self) -> tuple[Player, Player]:
        """White and Black."""
        return (ME, self.opponent) if self.my_color == chess.WHITE else (self.opponent, ME)

    @property
    def running(self) -> bool:
        """Whether it is being played."""
        return self.status == "started"

    @property
    def my_turn(self) -> bool:
        """Whether the bot is to move."""
        return self.running and self.board.turn == self.my_color

    @property
    def flag_s(self) -> float | None:
        """When the flag of the side to move falls; None before both have moved."""
        if not self.running or len(self.board.move_stack) < 2:
            return None
        return self.turn_began_s + self.left_s[self.board.turn]

    def has_moved_on(self, turn_s: float) -> bool:
        """Return whether the turn that began then is over."""
        return not self.running or self.turn_began_s != turn_s

    def my_left_s(self) -> float:
        """What is left on our clock."""
        used_s = self._scheduler.now_s - self.turn_began_s if self.my_turn and self.flag_s is not None else 0.0
        return self.left_s[self.my_color] - used_s

    # -- what is shown ---------------------------------------------------------------------------------------------

    def state(self) -> GameState:
        """The state line."""
        left = dict(self.left_s)
        if self.flag_s is not None:
            left[self.board.turn] = max(0.0, self.flag_s - self._scheduler.now_s)
        increment_ms = round(self.increment_s * 1000)
        opponent_is_white = self.my_color == chess.BLACK
        return GameState(
            self.moves,
            round(left[chess.WHITE] * 1000),
            round(left[chess.BLACK] * 1000),
            increment_ms,
            increment_ms,
            status=self.status,
            winner=self.winner,
            wdraw=self.draw_offered and opponent_is_white,
            bdraw=self.draw_offered and not opponent_is_white,
            wtakeback=self.takeback_asked and opponent_is_white,
            btakeback=self.takeback_asked and not opponent_is_white,
        )

    def full(self) -> GameFull:
        """The first line of a stream."""
        return GameFull(
            self.game_id,
            "standard",
            "bullet",
            False,
            *self.players,
            "startpos",
            self.state(),
            initial_ms=round(self.base_s * 1000),
            increment_ms=round(self.increment_s * 1000),
        )

    def was_listed(self, at_s: float) -> bool:
        """Whether a list of running games of that time names it."""
        return self.began_s <= at_s and (self.ended_s is None or at_s < self.ended_s)

    def info(self, at_s: float | None = None) -> GameInfo:
        """The game as events of the account and the list of games show it; a list may date from `at_s`."""
        mine = self.my_turn if at_s is None or self.turn_began_s <= at_s else not self.my_turn
        return GameInfo(
            self.game_id,
            self.opponent,
            speed="bullet",
            is_my_turn=mine,
        )

    def tell(self, event: GameEvent | None = None) -> None:
        """A line to all who watch, by default the state."""
        self._scheduler.trace.append(
            f"{self._scheduler.now_s:.4f}   {self.game_id}: {self.status} {' '.join(self.moves)}"
        )
        for stream in self.streams:
            stream.send(event or self.state(), self.when_told())
            stream.ended = stream.ended or not self.running
        self.streams = [stream for stream in self.streams if stream.open]

    def when_told(self) -> Callable[[], None]:
        """What is to be called when the bot reads what is shown now: after the end it knows of it from then on."""
        return self.note_known if not self.running else lambda: None

    def note_known(self) -> None:
        """The bot knows of the end."""
        if self.known_over_s is None:
            self.known_over_s = self._scheduler.now_s

    # -- what happens ---------------------------------------------------------------------------------------------

    def allows(self, uci: str) -> bool:
        """Whether the side to move may play that."""
        return self.running and chess.Move.from_uci(uci) in self.board.legal_moves

    def push(self, uci: str) -> None:
        """A move of the side to move; raises Rejected."""
        if not self.allows(uci):
            raise Rejected(400, "Not your turn, or illegal")
        move = chess.Move.from_uci(uci)
        now_s, mover = self._scheduler.now_s, self.board.turn
        if self.flag_s is not None:
            self.left_s[mover] += self.increment_s - (now_s - self.turn_began_s)
        self.board.push(move)
        self.moves += (uci,)
        self.turn_began_s = now_s
        self.takeback_asked = self.draw_offered = False
        outcome = self.board.outcome(claim_draw=False)
        if outcome is not None:
            self.end(outcome.termination.name.lower(), outcome.winner)
        elif self.board.is_repetition(3):
            self.end("draw", None)  # a game with a bot in it ends at the third repetition
        else:
            self.tell()

    def take_back(self) -> None:
        """Undo until it is the opponent's turn again."""
        for _ in range(min(len(self.board.move_stack), 1 if self.my_turn else 2)):
            self.board.pop()
            self.moves = self.moves[:-1]
        self.turn_began_s = self._scheduler.now_s
        self.takeback_asked = self.draw_offered = False
        self.tell()

    def end(self, status: str, winner: chess.Color | None) -> None:
        """The game is over."""
        self.status = status
        self.winner = "" if winner is None else chess.COLOR_NAMES[winner]
        self.ended_s = self._scheduler.now_s
        self.tell()
