"""The file of finished reviews: one line a game, written as each game is done, so that a review can be resumed."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import structlog

from bot.archive.review.values import GameReview
from bot.errors import ConfigurationError

log = structlog.get_logger(__name__)


class ReviewsFile:
    """Reviews by game, of one engine and number of nodes; those of others stay in the file. Use it as a context."""

    def __init__(self, path: Path, entry: str, nodes: int) -> None:
        """Read what is there. Raises ConfigurationError where the file cannot be used."""
        self.path = path
        self.reviews: dict[str, GameReview] = {}
        self._wanted = (entry, nodes)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._read()
            self._file: TextIO = path.open("a", encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{path}: cannot be used for reviews: {error}") from error

    def __enter__(self) -> ReviewsFile:
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()

    def add(self, review: GameReview) -> None:
        """Keep a review; it is in the file when this returns."""
        self.reviews[review.game_id] = review
        self._file.write(review.to_json() + "\n")
        self._file.flush()

    def _read(self) -> None:
        data = self.path.read_bytes() if self.path.exists() else b""
        if not data.endswith(b"\n"):  # the process was killed while it wrote, perhaps within a letter
            data = data[: data.rfind(b"\n") + 1]
            self.path.write_bytes(data)
        lines = data.decode().split("\n")  # a name may contain other separators
        for number, line in enumerate(lines[:-1], 1):
            try:
                review = GameReview.from_json(line)
            except ValueError as error:
                log.warning("review_ignored", file=str(self.path), line=number, error=str(error))
                continue
            if (review.entry, review.nodes) == self._wanted:
                self.reviews[review.game_id] = review
