"""Polyglot opening books."""

from __future__ import annotations

import random
import threading

import chess
import chess.polyglot

from bot.errors import ConfigurationError
from bot.move_sources.request import Choice, MoveRequest, close_files
from bot.settings import BookSettings


class BookSource:
    """One book file, mapped into memory.

    `generator` makes the random choices. Raises ConfigurationError when the file is missing or is not a book.
    """

    online = False
    limit_s = 0.5

    def __init__(self, settings: BookSettings, generator: random.Random | None = None) -> None:
        self.name = f"book {settings.path.name}"
        self._settings = settings
        self._random = generator or random.Random()
        self._lock = threading.Lock()
        try:
            self._reader = chess.polyglot.MemoryMappedReader(str(settings.path))
        except (OSError, ValueError) as error:
            raise ConfigurationError(f"the book {settings.path} cannot be read: {error}") from error
        if len(self._reader) == 0:
            raise ConfigurationError(f"{settings.path} is not a Polyglot book: it is empty")

    def applies(self, request: MoveRequest) -> bool:
        """Whether game and ply are those that the book is for."""
        return self._settings.fit(request.facts) and request.board.ply() < self._settings.max_ply

    def choose(self, request: MoveRequest, _timeout_s: float) -> Choice | None:
        """Return a book move by the configured selection."""
        board = request.board
        with self._lock:
            found = list(self._reader.find_all(board, minimum_weight=self._settings.min_weight))
        entries = [entry for entry in found if board.is_legal(entry.move)]
        heaviest = max((entry.weight for entry in entries), default=0)
        entries = [entry for entry in entries if entry.weight >= self._settings.min_share * heaviest]
        if not entries:
            return None
        return Choice(self._pick(entries), self.name)

    def close(self) -> None:
        """Close the files; a query that hangs in them is waited for as long as one may take."""
        close_files(self._lock, self._reader.close, self.limit_s)

    def _pick(self, entries: list[chess.polyglot.Entry]) -> chess.Move:
        if self._settings.selection == "best":
            return max(entries, key=lambda entry: entry.weight).move
        if self._settings.selection == "uniform":
            return self._random.choice(entries).move
        weights = [entry.weight for entry in entries]
        return self._random.choices(entries, weights if any(weights) else None)[0].move
