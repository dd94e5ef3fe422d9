"""Local files for explorer and tablebase: a Polyglot book and Syzygy tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.polyglot
import chess.syzygy

from ..config import ConfigError

CATEGORIES = {2: "win", 1: "cursed-win", 0: "draw", -1: "blessed-loss", -2: "loss"}


@dataclass(frozen=True)
class Probe:
    """A table's entry for the side to move: result from -2 to 2, and plies to the next pawn move or capture."""

    wdl: int
    dtz: int

    @property
    def category(self) -> str:
        """The result as the server names it."""
        return CATEGORIES[self.wdl]


class Reference:
    """The open files."""

    def __init__(self, book: str = "", tables: Sequence[str] = ()) -> None:
        """Open the book and the folders of tables; raises ConfigError for what is missing or unreadable."""
        self._book: chess.polyglot.MemoryMappedReader | None = None
        self._tables: chess.syzygy.Tablebase | None = None
        for folder in tables:
            if not Path(folder).is_dir():
                raise ConfigError(f"syzygy: {folder!r} is not a folder")
        if book:
            try:
                self._book = chess.polyglot.open_reader(book)
            except (OSError, ValueError) as error:
                raise ConfigError(f"explorer_book: {book!r} cannot be read: {error}") from error
        if tables:
            self._tables = chess.syzygy.Tablebase()
            for folder in tables:
                self._tables.add_directory(folder)

    def book_moves(self, board: chess.Board) -> list[tuple[chess.Move, int]]:
        """Return the moves of the book with their weights, the heaviest first."""
        if self._book is None or type(board) is not chess.Board:
            return []
        found: dict[chess.Move, int] = {}
        for entry in self._book.find_all(board):
            found[entry.move] = found.get(entry.move, 0) + entry.weight
        return sorted(found.items(), key=lambda one: -one[1])

    def probe(self, board: chess.Board) -> Probe | None:
        """Return the entry of a position, None if no table has it."""
        if self._tables is None:
            return None
        wdl, dtz = self._tables.get_wdl(board), self._tables.get_dtz(board)
        return None if wdl is None or dtz is None else Probe(wdl, dtz)

    def close(self) -> None:
        """Close the files."""
        if self._book is not None:
            self._book.close()
        if self._tables is not None:
            self._tables.close()
