"""Finished games as PGN (Edwards 1994), written and read, with what is known about each move."""

from __future__ import annotations

import io
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType

import chess
import chess.engine
import chess.pgn

from bot.archive.game_record import GameRecord
from bot.archive.store import SearchNote
from bot.errors import BotError
from bot.events.game import GameFull, GameState, Outcome, outcome_of
from bot.events.reading import clean
from bot.openings import opening_of_board

_TERMINATIONS = {
    "outoftime": "Time forfeit",
    "timeout": "Abandoned",
    "cheat": "Rules infraction",
    "aborted": "Unterminated",
}
#: Half-moves after which the clocks run on Lichess.
_FREE_PLIES = 2


@dataclass(frozen=True, slots=True)
class MoveNote:
    """What is known about one move besides the move.

    `clock_ms` is the mover's time left after the move, `source` names what chose it, such as "book" or "engine".
    """

    clock_ms: int | None = None
    score: chess.engine.PovScore | None = None
    depth: int | None = None
    source: str = ""


NO_NOTES: Mapping[int, MoveNote] = MappingProxyType({})


def move_notes(board: chess.Board, searched: Iterable[SearchNote], clocks_ms: Mapping[int, int]) -> dict[int, MoveNote]:
    """Return the notes of a game by ply, counted from 1.

    `board` is the last position with all moves on the stack. Search notes of other moves than those are left out: such
    moves were taken back or not played. `clocks_ms` is the mover's time left after each move, by ply.
    """
    moves = {ply: move.uci() for ply, move in enumerate(board.move_stack, 1)}
    notes = {ply: MoveNote(clock_ms=clock_ms) for ply, clock_ms in clocks_ms.items() if ply in moves}
    for ply, uci, score_cp, mate_in, depth, source in searched:
        if moves.get(ply) == uci:
            mover = board.root().turn if ply % 2 else not board.root().turn
            score = score_of(score_cp, mate_in, mover)
            notes[ply] = replace(notes.get(ply, MoveNote()), score=score, depth=depth, source=source)
    return notes


def score_of(score_cp: int | None, mate_in: int | None, side: chess.Color) -> chess.engine.PovScore | None:
    """Return the score of a side from centipawns or moves to mate; None without either."""
    if mate_in is not None:
        return chess.engine.PovScore(chess.engine.Mate(mate_in), side)
    return None if score_cp is None else chess.engine.PovScore(chess.engine.Cp(score_cp), side)


def pgn_of(
    full: GameFull, state: GameState, board: chess.Board, url: str, notes: Mapping[int, MoveNote] = NO_NOTES
) -> str:
    """Return the game as PGN.

    `board` is its last position, with all moves on the stack. `notes` are by ply, counted from 1. They become `[%clk]`
    and `[%eval]` commands and the source of the move.
    """
    game = chess.pgn.Game.from_board(board)
    for ply, node in enumerate(game.mainline(), 1):
        if ply in notes:
            _annotate(node, notes[ply])
    opening = opening_of_board(board)
    name = {"ECO": opening.eco, "Opening": opening.name} if opening else {}
    engines = sorted({note.source for note in notes.values() if note.depth is not None and note.source})
    for key, value in (_headers(full, state, url) | name | {"Annotator": ", ".join(engines)}).items():
        if value not in (None, ""):
            game.headers[key] = _tag_value(str(value))
    return str(game)


def _headers(full: GameFull, state: GameState, url: str) -> dict[str, object]:
    white, black = full.white, full.black
    begun = _moment(full.created_at_ms)
    return {
        "Event": f"{'Rated' if full.rated else 'Casual'} {full.speed} game",
        "Site": f"{url}/{full.game_id}",
        "Date": begun.strftime("%Y.%m.%d"),
        "Round": "-",
        "White": white.name or white.label,
        "Black": black.name or black.label,
        "Result": _result_of(state),
        "UTCDate": begun.strftime("%Y.%m.%d"),
        "UTCTime": begun.strftime("%H:%M:%S"),
        "WhiteElo": white.rating,
        "BlackElo": black.rating,
        "WhiteTitle": white.title,
        "BlackTitle": black.title,
        "TimeControl": _time_control_tag(full),
        "Termination": _TERMINATIONS.get(state.status, "Normal"),
    }


def _result_of(state: GameState) -> str:
    white = outcome_of(state.status, state.winner, "white")
    return {None: "*", Outcome.WIN: "1-0", Outcome.DRAW: "1/2-1/2", Outcome.LOSS: "0-1"}[white]


def _annotate(node: chess.pgn.ChildNode, note: MoveNote) -> None:
    node.comment = clean(note.source).replace("{", "(").replace("}", ")")
    if note.score is not None:
        node.set_eval(note.score, note.depth)
    if note.clock_ms is not None:
        node.set_clock(max(0, note.clock_ms) / 1000)


def _tag_value(value: str) -> str:
    """Replace quotes by apostrophes and backslashes by slashes, so that the value cannot end its tag."""
    return clean(value).replace('"', "'").replace("\\", "/")


def _moment(epoch_ms: int) -> datetime:
    """Return the time in UTC; the present time for 0 and for a time outside of the calendar."""
    try:
        return datetime.fromtimestamp(epoch_ms / 1000 or time.time(), UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.now(UTC)


def _time_control_tag(full: GameFull) -> str:
    if full.initial_ms is not None:
        return f"{full.initial_ms // 1000}+{(full.increment_ms or 0) // 1000}"
    return f"1/{full.days_per_turn * 86_400}" if full.days_per_turn else "-"


class UnreadableGameError(BotError):
    """A game has no PGN, or one that cannot be read."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """The `ply`-th half-move of a game, counted from 1, with the position before it as FEN.

    `clock_ms` is the mover's time left after the move, `spent_ms` what the move took of it. None, or an empty source:
    unknown.
    """

    ply: int
    san: str
    uci: str
    is_white: bool
    number: int
    fen: str
    clock_ms: int | None
    spent_ms: int | None
    score: chess.engine.PovScore | None
    depth: int | None
    source: str

    def label(self, space: str = "") -> str:
        """Return the move as on a score sheet: "12.Nf3" or "12...Nf6"."""
        return f"{self.number}{'.' if self.is_white else '...'}{space}{self.san}"


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game with its moves; `headers` are the tags of its PGN, `last` is its last position.

    `unreadable` says why there are no moves, "" if the PGN could be read.
    """

    record: GameRecord
    headers: Mapping[str, str]
    moves: tuple[PlayedMove, ...]
    last: chess.Board
    unreadable: str = ""

    @property
    def game_id(self) -> str:
        """Its id on Lichess."""
        return self.record.game_id

    @property
    def our_side(self) -> chess.Color:
        """The colour that the bot played."""
        return self.record.color == "white"

    @property
    def initial_ms(self) -> int | None:
        """The time on the clocks at the start; None without a clock."""
        return time_control(self.headers.get("TimeControl", ""))[0]

    def is_ours(self, move: PlayedMove) -> bool:
        """Whether the bot made the move."""
        return move.is_white == self.our_side

    def clock_ms(self, ply: int, *, white: bool) -> int | None:
        """Return what a side's clock showed after so many half-moves; None if that is unknown."""
        shown = [move.clock_ms for move in self.moves[:ply] if move.is_white == white]
        return shown[-1] if shown else self.initial_ms


def read_played(record: GameRecord) -> PlayedGame:
    """Read a game, which has no moves if its PGN cannot be read."""
    try:
        return played_game(record)
    except UnreadableGameError as error:
        return PlayedGame(record, {}, (), chess.Board(), str(error))


def played_game(record: GameRecord) -> PlayedGame:
    """Read a game. Raises UnreadableGameError."""
    game = chess.pgn.read_game(io.StringIO(record.pgn)) if record.pgn else None
    if game is None or game.errors:
        reason = "it has no PGN" if game is None else str(game.errors[0])
        raise UnreadableGameError(f"game {record.game_id} cannot be read: {reason}")
    return PlayedGame(record, dict(game.headers), tuple(_moves(game)), game.end().board())


def _moves(game: chess.pgn.Game) -> Iterator[PlayedMove]:
    initial_ms, increment_ms = time_control(game.headers.get("TimeControl", ""))
    left_ms = {chess.WHITE: initial_ms, chess.BLACK: initial_ms}
    board = game.board()
    for ply, node in enumerate(game.mainline(), 1):
        clock_s = node.clock()
        clock_ms = None if clock_s is None else round(clock_s * 1000)
        before_ms, left_ms[board.turn] = left_ms[board.turn], clock_ms
        spent_ms = None
        if ply > _FREE_PLIES and initial_ms is not None and before_ms is not None and clock_ms is not None:
            spent_ms = max(0, before_ms + increment_ms - clock_ms)
        yield PlayedMove(
            ply=ply,
            san=node.san(),
            uci=board.uci(node.move),
            is_white=board.turn == chess.WHITE,
            number=board.fullmove_number,
            fen=board.fen(),
            clock_ms=clock_ms,
            spent_ms=spent_ms,
            score=node.eval(),
            depth=node.eval_depth(),
            source=node.comment.partition("[%")[0].strip(),
        )
        board.push(node.move)


def time_control(tag: str) -> tuple[int | None, int]:
    """Return initial time and increment in ms from a tag such as "180+2"; None for a game without a clock."""
    initial, plus, increment = tag.partition("+")
    if not plus or not initial.isdecimal() or not increment.isdecimal():
        return None, 0
    return int(initial) * 1000, int(increment) * 1000
