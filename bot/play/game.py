"""One Lichess game as the server reports it: a pure fold of stream events into moves, clocks, status and whose turn.

Nothing here reads a clock: the caller says when a line arrived (`now_s`, monotonic seconds). The state is always
replaced by what the server sent last: a repeated gameFull, a takeback or a lost answer needs no special case.
"""

from __future__ import annotations

from collections.abc import Hashable

import chess
import chess.variant

from bot.errors import BotError
from bot.events.game import UNLIMITED_MS, GameFull, GameState, OpponentGone, Outcome, Player, outcome_of
from bot.settings import Facts


class MoveClocks:
    """A line carries both clocks as they were after the last move: those of the last two moves."""

    def __init__(self) -> None:
        self._after: dict[int, int] = {}
        self._plies = 0

    def note(self, state: GameState, first_to_move: chess.Color) -> None:
        """Take over a line; clocks of moves that were taken back are forgotten."""
        before, self._plies = self._plies, len(state.moves)
        plies = self._plies
        if plies <= before:
            self._after = {ply: clock_ms for ply, clock_ms in self._after.items() if ply < plies}
        for ply in (plies - 1, plies):
            white_moved = (ply % 2 == 1) == (first_to_move == chess.WHITE)
            clock_ms = state.wtime_ms if white_moved else state.btime_ms
            if ply > 0 and clock_ms < UNLIMITED_MS:
                self._after.setdefault(ply, clock_ms)

    def after_moves(self) -> dict[int, int]:
        """Return the mover's time left in ms by ply, counted from 1; moves whose line was lost are left out."""
        return dict(self._after)


ORTHODOX = ("standard", "chess960", "fromPosition")
ABORTABLE_PLIES = 2  # Lichess: with fewer plies played either side may abort
CLAIM_REVERSIBLE_PLIES = 8  # fewer reversible plies cannot repeat a position three times
FIRST_DRAW_OFFER_PLY = 2  # Lichess ignores earlier offers silently


class UnplayableGameError(BotError):
    """The server sent a game that cannot be followed: an unknown variant or moves that do not fit its position."""


def position_key(board: chess.Board) -> Hashable:
    """What makes two positions the same for the rule of repetition."""
    return board._transposition_key()


def starting_board(variant: str, initial_fen: str) -> chess.Board:
    """The position before the first move, in the rules of a Lichess variant key.

    `initial_fen` is a FEN or "startpos". From Position keeps Chess960 castling only where the FEN's rights need it.
    Raises UnplayableGameError for an unknown variant or a bad FEN.
    """
    try:
        board_class = chess.Board if variant in ORTHODOX else chess.variant.find_variant(variant)
        fen = board_class.starting_fen if initial_fen in ("", "startpos") else initial_fen
        board: chess.Board = board_class(fen, chess960=variant in ("chess960", "fromPosition"))
    except ValueError as error:
        raise UnplayableGameError(f"variant {variant!r} from {initial_fen!r} cannot be set up: {error}") from error
    if variant == "fromPosition" and not board.has_chess960_castling_rights():
        board.chess960 = False
    return board


def _push_moves(board: chess.Board, seen: list[Hashable], moves: tuple[str, ...], game_id: str) -> None:
    """Push all moves onto the board, or none; `seen` gains each position. Raises UnplayableGameError."""
    plies, positions = len(board.move_stack), len(seen)
    try:
        for uci in moves:
            board.push_uci(uci)
            seen.append(position_key(board))
    except ValueError as error:
        while len(board.move_stack) > plies:
            board.pop()
        del seen[positions:]
        raise UnplayableGameError(f"game {game_id}: the server's moves do not fit: {error}") from error


def _facts_of(full: GameFull, color: str) -> Facts:
    """Return the facts about a game of ours that rules match on."""
    opponent = full.black if color == "white" else full.white
    clock_s = None if full.initial_ms is None else (full.initial_ms / 1000, (full.increment_ms or 0) / 1000)
    return Facts(
        variant=full.variant,
        speed=full.speed,
        limit_s=clock_s[0] if clock_s else None,
        increment_s=clock_s[1] if clock_s else None,
        rated=full.rated,
        opponent=opponent.kind,
        user=opponent.id,
        rating=opponent.rating,
        color=color,
        tournament=bool(full.tournament_id),
    )


class Game:
    """What the server last said about one game, and what follows from it."""

    def __init__(self, full: GameFull, my_id: str, now_s: float, seconds_left: int | None = None) -> None:
        """`now_s`: when the line arrived; `seconds_left`: our time by the list of games. Raises UnplayableGameError."""
        self._my_id = my_id
        self._set_up(full)
        self.clocks = MoveClocks()  # what the movers' clocks showed after the moves
        self.clocks.note(full.state, self._start.turn)
        self.revision = 0  # grows whenever the moves change: names a position in time
        self.turn_began_s = now_s  # when the line arrived that made the present position
        self.turn_seen = False  # it arrived as news, so that our watch and the server's started together
        self.opponent_gone = False
        self.claim_at_s: float | None = None  # when the win can be claimed, while the opponent is gone
        if seconds_left is not None and self.my_turn and self.clock_runs and not self.is_correspondence:
            self.turn_began_s -= max(0.0, self.my_clock_ms / 1000 - seconds_left)
        self.clocks_told_s = self.turn_began_s  # when the line with the clocks arrived

    def _set_up(self, full: GameFull) -> None:
        """Take over a whole game; changes nothing where that fails."""
        color = full.color_of(self._my_id)
        if not color:
            raise UnplayableGameError(f"game {full.game_id}: {self._my_id!r} is neither white nor black")
        start = starting_board(full.variant, full.initial_fen)
        board, seen = start.copy(), [position_key(start)]
        _push_moves(board, seen, full.state.moves, full.game_id)
        self.full, self.state, self.my_color = full, full.state, color == "white"
        self.facts = _facts_of(full, color)
        self._start, self.board = start, board
        self._shown: tuple[str, ...] = full.state.moves  # the moves that `board` stands for
        self._seen = seen  # every position of the game, so that repetitions cost no replay

    def apply(self, event: object, now_s: float, happened_s: float | None = None) -> None:
        """Fold one event that arrived at `now_s`; its news may have happened from `happened_s` on.

        A GameFull replaces everything. Raises UnplayableGameError and then changes nothing.
        """
        if isinstance(event, (GameFull, GameState)):
            before, start, moves = self.state, self._start, self._shown
            if isinstance(event, GameFull):
                self._set_up(event)
            else:
                self._set_moves(event.moves)
                self.state = event
            changed = (start, moves) != (self._start, self._shown)
            self._note_change(changed, before, now_s, happened_s or now_s, seen=isinstance(event, GameState))
        elif isinstance(event, OpponentGone):
            self.opponent_gone, after_s = event.gone, event.claim_win_in_s
            # without a time the server knows of no claim: the game has hardly begun, or is one of days
            self.claim_at_s = now_s + after_s if event.gone and after_s is not None else None

    def contradicts(self, event: object) -> bool:
        """Whether the event takes moves back that nobody asked to take back: an old line that came late."""
        if not isinstance(event, GameState) or len(event.moves) >= len(self._shown):
            return False
        asked = self.state.wtakeback or self.state.btakeback
        return not asked and event.moves == self._shown[: len(event.moves)]

    def _set_moves(self, moves: tuple[str, ...]) -> None:
        if self._shown == moves:
            return
        known = len(self._shown)
        if moves[:known] == self._shown:
            _push_moves(self.board, self._seen, moves[known:], self.game_id)
        else:
            board, seen = self._start.copy(), [position_key(self._start)]
            _push_moves(board, seen, moves, self.game_id)
            self.board, self._seen = board, seen
        self._shown = moves

    def _note_change(self, changed: bool, before: GameState, now_s: float, happened_s: float, seen: bool) -> None:
        self.clocks.note(self.state, self._start.turn)
        if changed:
            self.revision, self.turn_seen = self.revision + 1, seen
            # our clock may have run since the change; the opponent has been waiting only since we know of it
            self.turn_began_s = self.clocks_told_s = happened_s if self.my_turn else now_s
            if self.my_turn:
                self.claim_at_s, self.opponent_gone = None, False  # the opponent moved
        elif self.state.wtime_ms < before.wtime_ms or self.state.btime_ms < before.btime_ms:
            self.clocks_told_s = now_s  # sent during the turn: the time spent is already subtracted

    @property
    def game_id(self) -> str:
        """Eight characters; the same id as the challenge the game came from."""
        return self.full.game_id

    @property
    def over(self) -> bool:
        """Whether the server says that the game has ended, in whatever way."""
        return self.state.is_over

    @property
    def my_turn(self) -> bool:
        """Whether the side to move is ours, running game or not."""
        return self.board.turn == self.my_color

    @property
    def wants_move(self) -> bool:
        """It is our move, the state does not show it, and there is one to make."""
        board = self.board
        return not self.over and self.my_turn and not board.is_variant_end() and any(board.generate_legal_moves())

    @property
    def ply(self) -> int:
        """Half moves played since the initial position."""
        return len(self.state.moves)

    @property
    def abortable(self) -> bool:
        """Whether the game may still be aborted instead of resigned."""
        return not self.over and self.ply < ABORTABLE_PLIES

    @property
    def me(self) -> Player:
        """Our side."""
        return self.full.white if self.my_color == chess.WHITE else self.full.black

    @property
    def opponent(self) -> Player:
        """The other player; an AI or anonymous one has no id."""
        return self.full.black if self.my_color == chess.WHITE else self.full.white

    @property
    def my_clock_ms(self) -> int:
        """Our time left at `clocks_told_s`."""
        return self.state.wtime_ms if self.my_color == chess.WHITE else self.state.btime_ms

    @property
    def opponent_clock_ms(self) -> int:
        """The opponent's time left then."""
        return self.state.btime_ms if self.my_color == chess.WHITE else self.state.wtime_ms

    @property
    def my_increment_ms(self) -> int:
        """What our clock gains with each move."""
        return self.state.winc_ms if self.my_color == chess.WHITE else self.state.binc_ms

    @property
    def opponent_increment_ms(self) -> int:
        """What the opponent's clock gains with each move."""
        return self.state.binc_ms if self.my_color == chess.WHITE else self.state.winc_ms

    @property
    def clock_runs(self) -> bool:
        """Whether thinking costs us time: the first move of each side is free."""
        return self.ply >= ABORTABLE_PLIES

    @property
    def is_correspondence(self) -> bool:
        """Days per move, or no clock at all: no game that anybody sits through."""
        return not self.full.has_clock

    @property
    def draw_offered(self) -> bool:
        """The opponent's draw offer stands."""
        return self.state.bdraw if self.my_color == chess.WHITE else self.state.wdraw

    @property
    def takeback_asked(self) -> bool:
        """The opponent's wish to take back stands."""
        return self.state.btakeback if self.my_color == chess.WHITE else self.state.wtakeback

    @property
    def outcome(self) -> Outcome | None:
        """The outcome for us; None for a running game and for one that ended without a result."""
        return outcome_of(self.state.status, self.state.winner, chess.COLOR_NAMES[self.my_color])

    @property
    def result(self) -> str:
        """How the finished game ended for us, in a word for log and metrics."""
        if self.outcome is not None:
            return self.outcome.word
        return "aborted" if self.state.status in ("aborted", "noStart") else "unknown"

    def draw_after(self, uci: str) -> bool:
        """Whether after this legal move a draw could be claimed: the third repetition or fifty moves."""
        board = self.board
        if board.halfmove_clock < CLAIM_REVERSIBLE_PLIES - 1:
            return False
        board.push_uci(uci)
        try:
            return board.halfmove_clock >= 100 or self._seen.count(position_key(board)) >= 2
        finally:
            board.pop()

    def names_move(self, uci: str) -> str | None:
        """`uci` as the server wants it, or None where it is illegal here (either castling notation is understood)."""
        try:
            return self.board.uci(self.board.parse_uci(uci))
        except ValueError:
            return None
