"""Removes what is older, or more, than the configuration wants to keep: games, PGN files, copies of the store."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

import structlog

from bot.settings import RetentionSettings
from bot.supervised_loop import SupervisedLoop

DAY_S = 86_400.0
EVERY_S = 6 * 3600.0
#: What is put beside a store: before its schema is migrated, and when it was found damaged.
_COPIES = ("{}.schema-*", "{}.damaged-*")

log = structlog.get_logger(__name__)


class GameStore(Protocol):
    """The part of the store that is tidied."""

    def remove_games(self, before_s: float, most: int) -> int:
        """Remove finished games; see Store."""


class Retention:
    """Tidies up at the start and every six hours, on a thread of its own; nothing is removed without a limit."""

    def __init__(
        self,
        settings: RetentionSettings,
        store: GameStore,
        store_path: Path | None,
        pgn_folder: Path | None,
        wall_s: Callable[[], float] = time.time,
    ) -> None:
        """Prepare; `wall_s` gives epoch seconds."""
        self._settings = settings
        self._store = store
        self._store_path = store_path
        self._pgn_folder = pgn_folder
        self._wall_s = wall_s
        self._loop = SupervisedLoop("retention", self._work)

    def start(self) -> None:
        """Begin, where there is a limit."""
        if self._settings.games_days or self._settings.games or self._settings.copies_days:
            self._loop.ensure_started()

    def stop(self) -> None:
        """Tidy up no more."""
        self._loop.stop()
        self._loop.join(5.0)

    def tidy(self) -> None:
        """Remove what is too old or too much, and say so. Raises StoreError."""
        games_days, copies_days = self._settings.games_days, self._settings.copies_days
        before_s = self._wall_s() - games_days * DAY_S if games_days else 0.0
        games = self._store.remove_games(before_s, self._settings.games) if before_s or self._settings.games else 0
        files = 0
        if games_days and self._pgn_folder is not None:
            files += remove_older(self._pgn_folder.glob("*.pgn"), before_s)
        if copies_days and self._store_path is not None:
            found = [
                path for form in _COPIES for path in self._store_path.parent.glob(form.format(self._store_path.name))
            ]
            files += remove_older(found, self._wall_s() - copies_days * DAY_S)
        if games or files:
            log.info("old_games_removed", games=games, files=files, by_key="retention")

    def _work(self) -> None:
        while True:
            self.tidy()
            if self._loop.wait(EVERY_S):
                return


def remove_older(paths: Iterable[Path], before_s: float) -> int:
    """Remove files last written before a moment (epoch seconds); returns how many, having said what failed."""
    removed = 0
    for path in list(paths):
        try:
            if path.stat().st_mtime < before_s:
                path.unlink()
                removed += 1
        except FileNotFoundError:
            continue
        except OSError as error:
            log.warning(
                "old_file_not_removed",
                file=str(path),
                error=str(error),
                remedy="remove it, or make its folder writable",
            )
    return removed
