"""Run a league: play the games that its file lacks, here or on a cluster, and keep each as soon as it ends."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

import chess

from bot.archive.review.review_game import cluster_executor
from bot.engine_pool import EnginePool
from bot.errors import ConfigurationError
from bot.lab.league.league_file import LeagueFile, Played
from bot.lab.league.league_game import GameStoppedError, play_alone, play_game
from bot.lab.league.schedule import GameTask, schedule
from bot.lab.league.table import Row, table
from bot.lab.players import Contestant, file_version

_POLL_S = 0.3


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
        self._abandoned = False
        tasks = list(schedule(options.players, options.rounds, options.clock, gauntlet=options.gauntlet))
        self._file = LeagueFile(options.path, options.players, options.clock)
        played = {game.key for game in self._file.games}
        self.left = [task for task in tasks if task.key not in played]
        self.state = LeagueState(options.players, len(self._file.games) + len(self.left), self._file.games)
        self.problems: list[str] = []

    def run(self, on_game: Callable[[Played], None]) -> None:
        """Play what is left; `on_game` is called with each game that ends. Raises ConfigurationError."""
        try:
            with self._executor() as (executor, play):
                self._play(executor, play, on_game)
        finally:
            self._file.close()

    @contextlib.contextmanager
    def _executor(self) -> Iterator[tuple[Executor, Callable[[GameTask], str]]]:
        if self._options.scheduler:
            with cluster_executor(self._options.scheduler) as executor:
                yield executor, play_alone
            return
        with (
            EnginePool([player.entry for player in self._options.players], fallback=None) as pool,
            ThreadPoolExecutor(self._options.concurrency, "league") as executor,
        ):
            for snapshot in pool.snapshot():
                if snapshot.last_error and not snapshot.pids:
                    raise ConfigurationError(f"{snapshot.last_error}; correct it, or leave it out")
            yield executor, lambda task: self._play_here(task, pool)

    def _play_here(self, task: GameTask, pool: EnginePool) -> str:
        def on_move(board: chess.Board) -> None:
            with self.state.lock:
                self.state.boards[task.key] = board.copy()

        try:
            return play_game(task, pool, on_move, lambda: self._abandoned or self._stopped())
        finally:
            with self.state.lock:
                self.state.boards.pop(task.key, None)

    def _play(self, executor: Executor, play: Callable[[GameTask], str], on_game: Callable[[Played], None]) -> None:
        tasks = iter(list(self.left))
        most = len(self.left) if self._options.scheduler else self._options.concurrency
        waiting: dict[Future[str], GameTask] = {}
        try:
            while not self._stopped():
                while len(waiting) < most and not self._edited() and (task := next(tasks, None)):
                    waiting[executor.submit(play, task)] = task
                if not waiting:
                    return
                done, _running = wait(waiting, timeout=_POLL_S, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(future, waiting.pop(future), on_game)
        finally:
            self._abandoned = True
            for future in waiting:
                future.cancel()

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
