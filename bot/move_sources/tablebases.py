"""Syzygy and Gaviota tablebases in files."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import chess
import chess.gaviota
import chess.syzygy
import structlog

from bot.errors import ConfigurationError
from bot.move_sources.request import NO_MOVE, Choice, MoveRequest, close_files
from bot.settings import GaviotaSettings, SyzygySettings

log = structlog.get_logger(__name__)


class SyzygyTables(chess.syzygy.Tablebase):
    """A tablebase that reports a damaged table once and then does without it."""

    def __init__(self) -> None:
        super().__init__()
        self._sound: set[str] = set()

    def probe_wdl_table(self, board: chess.Board) -> int:
        """Probe as the base class does; raises MissingTableError for a damaged table too."""
        self._check(self.wdl, board)
        return super().probe_wdl_table(board)

    def probe_dtz_table(self, board: chess.Board, wdl: int) -> tuple[int, int]:
        """Probe as the base class does; raises MissingTableError for a damaged table too."""
        self._check(self.dtz, board)
        return super().probe_dtz_table(board, wdl)

    def _check(self, tables: dict[str, chess.syzygy.Table], board: chess.Board) -> None:
        """Look at the table of this material when it is first needed; drop it when it is damaged."""
        table = tables.get(chess.syzygy.calc_key(board))
        if table is None or table.path in self._sound:
            return
        try:
            _look_at(table)
        except Exception as error:  # noqa: BLE001 - python-chess raises whatever damaged bytes lead to
            log.error("syzygy_table_damaged", path=table.path, error=repr(error), remedy="fetch this file again")
            for key in [key for key, one in tables.items() if one is table]:
                del tables[key]
            table.close()
        else:
            self._sound.add(table.path)


def _look_at(table: chess.syzygy.Table) -> None:
    """Read the header; raises an error of python-chess, or ValueError where it is that of another table."""
    names = {table.key, table.mirrored_key}
    if isinstance(table, chess.syzygy.WdlTable):
        table.init_table_wdl()
        lists = [one for part in (table.files if table.has_pawns else [table]) for one in part.pieces.values()]
    else:
        assert isinstance(table, chess.syzygy.DtzTable)  # a tablebase knows these two
        table.init_table_dtz()
        lists = [part.pieces for part in (table.files if table.has_pawns else [table])]
    keys = {chess.syzygy.recalc_key(pieces) for pieces in lists}
    if keys != {table.key} or not keys <= names:
        raise ValueError(f"the header names the pieces {' and '.join(sorted(keys))}")


FIFTY_MOVES = 100  # plies
_DTZ_OF_ZEROING = {-2: -1, -1: -101, 0: 0, 1: 101, 2: 1}
SWINDLE_TIME_S = 0.05  # for finding the drawing move after which most replies lose


@dataclass(frozen=True, slots=True)
class RankedMove:
    """A move with its DTZ for us (0 is a draw) and whether it repeats a position of the game."""

    move: chess.Move
    dtz: int
    repeats: bool

    def wdl(self, clock: int) -> int:
        """Return the result (-2..2), given `clock` plies since the last capture or pawn move."""
        if self.dtz == 0:
            return 0
        in_time = abs(self.dtz) + clock <= FIFTY_MOVES
        return (2 if in_time else 1) if self.dtz > 0 else (-2 if in_time else -1)


T = TypeVar("T", bound=chess.syzygy.Tablebase | chess.gaviota.PythonTablebase)


class FileSource(Generic[T]):
    """Tables in files, which one thread at a time may read."""

    name = ""
    online = False
    limit_s = 1.0

    def __init__(self, tables: T, max_pieces: int) -> None:
        self._tables = tables
        self._lock = threading.Lock()
        self._max_pieces = max_pieces

    def _add(self, paths: Iterable[Path]) -> None:
        """Add folders of files. Raises ConfigurationError if one does not exist."""
        for path in paths:
            if not path.is_dir():
                raise ConfigurationError(f"move_sources.{self.name}.paths: there is no folder {path}")
            self._tables.add_directory(str(path))

    def applies(self, request: MoveRequest) -> bool:
        """Whether it is chess, with few enough pieces and without castling rights."""
        board = request.board
        return (
            type(board) is chess.Board
            and not board.castling_rights
            and chess.popcount(board.occupied) <= self._max_pieces
        )

    def close(self) -> None:
        """Close the files; a query that hangs in them is waited for as long as one may take."""
        close_files(self._lock, self._tables.close, self.limit_s)


@contextmanager
def _after(board: chess.Board, move: chess.Move) -> Iterator[None]:
    """Make a move, and unmake it."""
    board.push(move)
    try:
        yield
    finally:
        board.pop()


class SyzygySource(FileSource[chess.syzygy.Tablebase]):
    """Tables in folders. Raises ConfigurationError when the folders hold none."""

    name = "syzygy"

    def __init__(self, settings: SyzygySettings) -> None:
        super().__init__(SyzygyTables(), settings.max_pieces)
        self._add(settings.paths)
        if not self._tables.wdl:
            raise ConfigurationError("move_sources.syzygy.paths: no Syzygy files (.rtbw, .rtbz) in these folders")
        largest = max(len(name.replace("v", "")) for name in self._tables.wdl)
        self._max_pieces = min(settings.max_pieces, largest)

    def choose(self, request: MoveRequest, _timeout_s: float) -> Choice | None:
        """Return the move that keeps the result: the quickest win or the longest defence.

        None where a table is missing.
        """
        board = request.board.copy()
        with self._lock:
            try:
                moves = [self._rank(board, move) for move in board.legal_moves]
            except KeyError:  # python-chess: MissingTableError
                return None
            if not moves:
                return None
            clock = board.halfmove_clock
            best_wdl = max(one.wdl(clock) for one in moves)
            best = self._best([one for one in moves if one.wdl(clock) == best_wdl], best_wdl, board)
        return Choice(best.move, self.name, best_wdl)

    def _rank(self, board: chess.Board, move: chess.Move) -> RankedMove:
        with _after(board, move):
            repeats = board.is_repetition(2)
            if board.is_checkmate():
                return RankedMove(move, 1, repeats)
            if board.is_stalemate() or board.is_insufficient_material():
                return RankedMove(move, 0, repeats)
            if board.halfmove_clock == 0:
                return RankedMove(move, _DTZ_OF_ZEROING[-self._tables.probe_wdl(board)], repeats)
            dtz = -self._tables.probe_dtz(board)
            return RankedMove(move, dtz + (dtz > 0) - (dtz < 0), repeats)

    def _best(self, moves: list[RankedMove], wdl: int, board: chess.Board) -> RankedMove:
        if wdl > 0:
            return min(moves, key=lambda one: (one.repeats, one.dtz))
        if wdl < 0:
            return min(moves, key=lambda one: (not one.repeats, one.dtz))
        return self._hardest_to_defend(moves, board)

    def _hardest_to_defend(self, moves: list[RankedMove], board: chess.Board) -> RankedMove:
        """Return the drawing move after which the largest share of replies loses, among those examined in time."""
        deadline = time.monotonic() + SWINDLE_TIME_S
        best, best_share = moves[0], -1.0
        for one in moves:
            share = self._share_of_losing_replies(board, one.move)
            if share > best_share:
                best, best_share = one, share
            if time.monotonic() > deadline:
                break
        return best

    def _share_of_losing_replies(self, board: chess.Board, move: chess.Move) -> float:
        """Return -1 where a table is missing: without DTZ files, or after a capture, a draw is still a draw."""
        with _after(board, move):
            try:
                losing = [self._loses(board, reply) for reply in board.legal_moves]
            except KeyError:  # python-chess: MissingTableError
                return -1.0
        return sum(losing) / max(1, len(losing))

    def _loses(self, board: chess.Board, reply: chess.Move) -> bool:
        """Whether the player of a reply loses by it."""
        with _after(board, reply):
            if board.is_checkmate() or board.is_stalemate() or board.is_insufficient_material():
                return False
            return self._tables.probe_wdl(board) > 0


class GaviotaSource(FileSource[chess.gaviota.PythonTablebase]):
    """Plies to mate (DTM), which know nothing of the fifty-move rule. Raises ConfigurationError without files."""

    name = "gaviota"

    def __init__(self, settings: GaviotaSettings) -> None:
        super().__init__(chess.gaviota.PythonTablebase(), settings.max_pieces)
        self._add(settings.paths)
        if not self._tables.available_tables:
            raise ConfigurationError("move_sources.gaviota.paths: no Gaviota files (.gtb.cp4) in these folders")

    def choose(self, request: MoveRequest, _timeout_s: float) -> Choice | None:
        """Return the quickest mate certainly within the fifty-move rule, or the longest defence.

        Of a draw, and of a win that may come too late, it returns the result alone.
        """
        board = request.board.copy()
        with self._lock:
            try:
                moves = {move: self._dtm(board, move) for move in board.legal_moves}
            except KeyError:  # python-chess: MissingTableError
                return None
        winning = [move for move, dtm in moves.items() if dtm > 0]
        if winning:
            best = min(winning, key=lambda move: moves[move])
            in_time = moves[best] + board.halfmove_clock <= FIFTY_MOVES
            return Choice(best, self.name, 2) if in_time else Choice(NO_MOVE, self.name, 1)
        if moves and all(dtm < 0 for dtm in moves.values()):
            longest = max(moves, key=lambda move: -moves[move])
            in_time = board.halfmove_clock - moves[longest] <= FIFTY_MOVES
            return Choice(longest, self.name, -2 if in_time else -1)
        return Choice(NO_MOVE, self.name, 0) if moves else None

    def _dtm(self, board: chess.Board, move: chess.Move) -> int:
        """Return plies to mate after the move: positive when we mate, negative when we are mated, 0 for a draw."""
        with _after(board, move):
            if board.is_checkmate():
                return 1
            if board.is_stalemate() or board.is_insufficient_material():
                return 0
            dtm = -self._tables.probe_dtm(board)
            return dtm + (dtm > 0) - (dtm < 0)
