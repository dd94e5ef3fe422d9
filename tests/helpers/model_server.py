"""A simple model of one game at the server: the truth, and a stream whose lines wait until somebody delivers them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import chess

from bot.errors import LichessError, Rejected
from bot.events.game import GameEvent, GameFull, GameState, OpponentGone
from tests.helpers.game_harness import RecordingServer
from tests.helpers.games import ME, OTHER, full


class ModelServer(RecordingServer):
    """Knows the true game. `lines` are on their way to the bot; None where no stream is open.

    `on_post(uci)` is called at the start of each POST of a move; `outcome` decides its fate: whether it is
    applied, and what is raised instead of an answer.
    """

    def __init__(self, my_color: chess.Color) -> None:
        super().__init__()
        self.my_color = my_color
        self.board = chess.Board()
        self.status, self.winner = "started", ""
        self.draw_offered = self.takeback_asked = False
        self.takeback_granted = False  # the latest proposal
        self.lines: deque[GameEvent] | None = None
        self.on_post: Callable[[str], None] = lambda _uci: None
        self.outcome: tuple[bool, LichessError | None] = (True, None)
        self.faults: list[str] = []  # what no bot should do

    # -- the truth ------------------------------------------------------------------------------------------------

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves made."""
        return tuple(move.uci() for move in self.board.move_stack)

    @property
    def running(self) -> bool:
        """Whether the game continues."""
        return self.status == "started"

    @property
    def my_turn(self) -> bool:
        """Whether the bot is to move."""
        return self.running and self.board.turn == self.my_color

    def state(self) -> GameState:
        """The state as a line shows it."""
        mine_is_white = self.my_color == chess.WHITE
        return GameState(
            self.moves,
            60_000,
            60_000,
            status=self.status,
            winner=self.winner,
            wdraw=self.draw_offered and not mine_is_white,
            bdraw=self.draw_offered and mine_is_white,
            wtakeback=self.takeback_asked and not mine_is_white,
            btakeback=self.takeback_asked and mine_is_white,
        )

    def full_line(self) -> GameFull:
        """The first line of a stream."""
        white, black = (ME, OTHER) if self.my_color == chess.WHITE else (OTHER, ME)
        return full(self.state(), white=white, black=black)

    def open_stream(self) -> None:
        """A stream begins."""
        self.lines = deque([self.full_line()])

    def push(self, uci: str) -> None:
        """A move of either side."""
        self.board.push_uci(uci)
        self.draw_offered = self.takeback_asked = False
        outcome = self.board.outcome()
        if outcome is not None:
            self.end(outcome.termination.name.lower())
        self.announce()

    def end(self, status: str) -> None:
        """The game is over."""
        self.status = status
        self.announce()

    def announce(self, event: GameEvent | None = None) -> None:
        """A line to the bot, where its stream is open."""
        if self.lines is not None:
            self.lines.append(event or self.state())

    def gone(self, after_s: int | None) -> None:
        """The opponent has left, or is back (None)."""
        self.announce(OpponentGone(after_s is not None, after_s))

    # -- requests of the bot --------------------------------------------------------------------------------------

    def post_move(self, game_id: str, uci: str, offering_draw: bool = False) -> object:
        """Apply the move or not, answer or not, as `outcome` says."""
        self.on_post(uci)
        applied, error = self.outcome
        if applied:
            self.apply(uci)
        if error is not None:
            raise error
        return None

    def apply(self, uci: str) -> None:
        """Play the bot's move; raises Rejected where it is not its turn or the move is illegal."""
        if not self.my_turn or chess.Move.from_uci(uci) not in self.board.legal_moves:
            raise Rejected(400, "Not your turn, or illegal")
        self.push(uci)

    def draw(self, game_id: str, accept: bool) -> None:
        """Answer an offer."""
        if accept and self.draw_offered:
            self.end("draw")
        self.draw_offered = False

    def takeback(self, game_id: str, accept: bool) -> None:
        """Answer a proposal."""
        if accept and self.takeback_asked:
            self.takeback_granted = True
            self.take_back()
        elif (
            accept and self.takeback_granted
        ):  # one that the opponent has just withdrawn cannot be distinguished from this
            self.faults.append("answered one proposal twice, which proposes another takeback")
        else:
            self.takeback_asked = False
            self.announce()

    def propose_takeback(self) -> None:
        """The opponent proposes."""
        self.takeback_asked, self.takeback_granted = True, False
        self.announce()

    def take_back(self) -> None:
        """Undo the opponent's last move, with our answer where there is one."""
        for _ in range(min(len(self.board.move_stack), 1 if self.board.turn == self.my_color else 2)):
            self.board.pop()
        self.draw_offered = self.takeback_asked = False
        self.announce()

    def abort(self, game_id: str) -> None:
        """Abort a game that has hardly begun."""
        if len(self.moves) >= 2 or not self.running:
            raise Rejected(400, "This game can no longer be aborted")
        self.end("aborted")

    def resign(self, game_id: str) -> None:
        """No game of the model gives reason to."""
        self.faults.append("resigned")

    def claim_victory(self, game_id: str) -> None:
        """Too early, always."""
        raise Rejected(400, "You cannot claim the win on this game")
