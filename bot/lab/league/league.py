"""Run a league: play the games that its file lacks, here or on a cluster, and keep each as soon as it ends."""

from __future__ import annotations

import contextlib
import functools
import itertools
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

import chess

from bot.archive.review.workers import completed, workers
from bot.engine_pool.pool import EnginePool
from bot.errors import ConfigurationError
from bot.lab.league.league_file import LeagueFile, Played
from bot.lab.league.league_game import GameStoppedError, play_alone, play_game
from bot.lab.league.schedule import GameTask, schedule
from bot.lab.league.table import Row, table
from bot.lab.players import Contestant, file_version


@dataclass(frozen=True, slots=True)
class LeagueOptions:
    """`clock`: seconds at the start and for each move. `scheduler`: of a Dask cluster, "" for this machine."""

    players: Sequence[Contestant]
    rounds: int
    clock: tuple[float, float]
    path: Path
    gauntlet: bool = False
    concurrency: int = 1
    scheduler: str = ""


@dataclass
class LeagueState:
    """What a view shows: the games to play and played, and the boards of those that run here."""

    players: Sequence[Contestant]
    total: int
    games: Sequence[Played]
    boards: dict[tuple[str, str, str], chess.Board] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def rows(self) -> list[Row]:
        """Return the table as it stands. Called on other threads, so it takes one copy of the games."""
        return table(self.players, list(self.games))

    def running(self) -> list[tuple[tuple[str, str, str], chess.Board]]:
        """Return the running games, with their boards."""
        with self.lock:
            return [(key, board.copy()) for key, board in self.boards.items()]


class League:
    """One run of a league. `stopped()` ends it early."""

    def __init__(self, options: LeagueOptions, stopped: Callable[[], bool]) -> None:
        """Open the file. Raises ConfigurationError if it belongs to another league."""
        self._options, self._stopped = options, stopped
        tasks = list(schedule(options.players, options.rounds, options.clock, gauntlet=options.gauntlet))
        self._file = LeagueFile(options.path, options.players, options.clock)
        played = {game.key for game in self._file.games}
        self.left = [task for task in tasks if task.key not in played]
        self.state = LeagueState(options.players, len(self._file.games) + len(self.left), self._file.games)
        self.problems: list[str] = []

    def run(self, on_game: Callable[[Played], None]) -> None:
        """Play what is left; `on_game` is called with each game that ends. Raises ConfigurationError."""
        options, entries = self._options, [player.entry for player in self._options.players]
        most = len(self.left) if options.scheduler else options.concurrency
        tasks = itertools.takewhile(lambda _task: not self._edited(), list(self.left))
        try:
            with workers(options.scheduler, options.concurrency, entries, self._stopped) as (executor, pool, ended):
                for snapshot in () if pool is None else pool.snapshot():
                    if snapshot.last_error and not snapshot.pids:
                        raise ConfigurationError(f"{snapshot.last_error}; correct it, or leave it out")
                play = play_alone if pool is None else functools.partial(self._play_here, pool, ended)
                with contextlib.closing(completed(executor, play, tasks, most, self._stopped)) as results:
                    for task, future in results:
                        self._take(future, task, on_game)
        finally:
            self._file.close()

    def _play_here(self, pool: EnginePool, ended: Callable[[], bool], task: GameTask) -> str:
        def on_move(board: chess.Board) -> None:
            with self.state.lock:
                self.state.boards[task.key] = board.copy()

        try:
            return play_game(task, pool, on_move, ended)
        finally:
            with self.state.lock:
                self.state.boards.pop(task.key, None)

    def _take(self, future: Future[str], task: GameTask, on_game: Callable[[Played], None]) -> None:
        try:
            pgn = future.result()
        except GameStoppedError:
            return
        except Exception as error:  # a cluster loses workers; the game is played by the next run
            if not self._options.scheduler:
                raise
            self.problems.append(
                f"round {task.round}, {task.white.name} - {task.black.name}: the cluster says {error!r}"
            )
            return
        self.left.remove(task)
        on_game(self._file.add(pgn))

    def _edited(self) -> bool:
        """Whether the author has edited an engine: its games would be those of two versions."""
        for player in self._options.players:
            if player.version and file_version(player.entry) != player.version and not self.problems:
                self.problems.append(f"{player.name} was edited while the league ran: start another with --output")
        return bool(self.problems)
