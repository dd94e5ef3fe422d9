"""Gaviota tablebases: plies to mate (DTM), which know nothing of the fifty-move rule."""

from __future__ import annotations

import threading
from pathlib import Path

import chess
import chess.gaviota

from bot.errors import ConfigurationError
from bot.move_sources.request import NO_MOVE, Choice, MoveRequest, close_files
from bot.settings import GaviotaSettings

FIFTY_MOVES = 100  # plies


class GaviotaSource:
    """Tables in folders. Raises ConfigurationError when the folders hold none."""

    name = "gaviota"
    online = False
    limit_s = 1.0

    def __init__(self, settings: GaviotaSettings) -> None:
        self._tables = chess.gaviota.PythonTablebase()
        self._lock = threading.Lock()
        self._max_pieces = settings.max_pieces
        for path in settings.paths:
            if not Path(path).is_dir():
                raise ConfigurationError(f"move_sources.gaviota.paths: there is no folder {path}")
            self._tables.add_directory(str(path))
        if not self._tables.available_tables:
            raise ConfigurationError("move_sources.gaviota.paths: no Gaviota files (.gtb.cp4) in these folders")

    def applies(self, request: MoveRequest) -> bool:
        """Whether it is chess, with few enough pieces and without castling rights."""
        board = request.board
        return (
            type(board) is chess.Board
            and not board.castling_rights
            and chess.popcount(board.occupied) <= self._max_pieces
        )

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

    def close(self) -> None:
        """Close the files; a query that hangs in them is waited for as long as one may take."""
        close_files(self._lock, self._tables.close, self.limit_s)

    def _dtm(self, board: chess.Board, move: chess.Move) -> int:
        """Return plies to mate after the move: positive when we mate, negative when we are mated, 0 for a draw."""
        board.push(move)
        try:
            if board.is_checkmate():
                return 1
            if board.is_stalemate() or board.is_insufficient_material():
                return 0
            dtm = -self._tables.probe_dtm(board)
            return dtm + (dtm > 0) - (dtm < 0)
        finally:
            board.pop()
