"""`bot88 review`: analyse the chosen games and write the annotated PGN, lost positions and tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.archive.game_record import GameRecord
from bot.archive.review.annotated import annotated_games, lost_positions
from bot.archive.review.review_game import ReviewTask
from bot.archive.review.reviews_file import ReviewsFile
from bot.archive.review.run_reviews import (
    ClusterLost,
    Listener,
    cluster_executor,
    local_executor,
    run_reviews,
)
from bot.archive.review.values import GameReview
from bot.errors import ConfigurationError
from bot.settings import EngineEntry

REVIEWS, PGN, LOST = "reviews.jsonl", "reviewed.pgn", "lost.epd"


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """How games are reviewed: engine, nodes a position, threads here or the address of a Dask scheduler, folder."""

    entry: EngineEntry
    nodes: int
    jobs: int
    scheduler: str
    folder: Path


def _tell(console: Console, line: str) -> None:
    console.print(line, soft_wrap=True, markup=False)


def engine_entry(entries: Sequence[EngineEntry], name: str) -> EngineEntry:
    """Return the entry with a name, the first one for "". Raises ConfigurationError."""
    found = next((entry for entry in entries if name in ("", entry.name)), None)
    if found is None:
        raise ConfigurationError(
            f"--engine {name}: `engines:` has {', '.join(entry.name for entry in entries) or 'none'}"
        )
    return found


def review(
    games: Sequence[GameRecord],
    options: ReviewOptions,
    stopped: Callable[[], bool],
    console: Console,
    prepare_engine: Callable[[], object],
) -> list[GameReview]:
    """Review the games that have not been reviewed yet; returns the reviews of all that are, in the order of `games`.

    Progress is shown on `console`; `prepare_engine` runs before the first search on this machine. Raises
    ConfigurationError and StartUpError, and ClusterLost once the finished reviews are written.
    """
    wanted = [game for game in games if game.pgn and game.plies and game.variant in options.entry.variants]
    if len(wanted) < len(games):
        _tell(console, f"{len(games) - len(wanted)} games without moves or of other variants are left out")
    with ReviewsFile(options.folder / REVIEWS, options.entry.name, options.nodes) as file:
        missing = [game for game in wanted if game.game_id not in file.reviews]
        if len(missing) < len(wanted):
            _tell(console, f"{len(wanted) - len(missing)} of {len(wanted)} games were reviewed before")
        lost = _review_missing(missing, options, file, stopped, console, prepare_engine) if missing else None
        pairs = [(game, file.reviews[game.game_id]) for game in wanted if game.game_id in file.reviews]
    _write_files(pairs, options.folder, console)
    if lost is not None:
        left = f"{len(wanted) - len(pairs)} games are left; run the same command to continue"
        raise ClusterLost(f"--scheduler {options.scheduler}: {lost}; {left}") from lost
    return [found for _game, found in pairs]


def _review_missing(
    games: Sequence[GameRecord],
    options: ReviewOptions,
    file: ReviewsFile,
    stopped: Callable[[], bool],
    console: Console,
    prepare_engine: Callable[[], object],
) -> ClusterLost | None:
    """Review until all games are done, a signal arrives or the cluster is lost; return the loss, if any."""
    is_local = not options.scheduler
    if is_local:
        prepare_engine()
    tasks = [ReviewTask(game, options.entry, options.nodes) for game in games]
    executor = local_executor(options.jobs) if is_local else cluster_executor(options.scheduler)
    with executor as ready, _Progress(console, tasks, is_local=is_local) as progress:
        listener = progress.listener(file)
        try:
            run_reviews(tasks, ready, listener, stopped, is_local=is_local)
        except ClusterLost as lost:
            return lost
    if stopped():
        left = sum(game.game_id not in file.reviews for game in games)
        _tell(console, f"stopped: {left} games are left; run the same command to continue")
    return None


class _Progress:
    """A bar over the positions of all games with the time that is left; without a terminal a line a game."""

    def __init__(self, console: Console, tasks: Sequence[ReviewTask], *, is_local: bool) -> None:
        self._console = console
        self._is_local = is_local
        self._games, self._done = len(tasks), 0
        columns = (
            *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
            *(TextColumn("positions, left"), TimeRemainingColumn()),
        )
        self._bar = Progress(*columns, console=console, disable=not console.is_terminal, transient=True)
        positions = sum(task.game.plies for task in tasks)
        self._task = self._bar.add_task(self._title(), total=positions)

    def __enter__(self) -> _Progress:
        self._bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._bar.stop()

    def listener(self, file: ReviewsFile) -> Listener:
        """Return what keeps each review and moves the bar."""

        def done(found: GameReview) -> None:
            file.add(found)
            self._count(found.game_id, len(found.moves))

        def failed(task: ReviewTask, reason: str) -> None:
            _tell(self._console, f"{task.game.game_id} is not reviewed: {reason}")
            self._count(task.game.game_id, task.game.plies)

        return Listener(done, failed, lambda: self._bar.advance(self._task))

    def _count(self, game_id: str, positions: int) -> None:
        self._done += 1
        self._bar.update(self._task, advance=0 if self._is_local else positions, description=self._title())
        if not self._console.is_terminal:
            _tell(self._console, f"{self._done} of {self._games}  {game_id}")

    def _title(self) -> str:
        return f"Reviewed {self._done} of {self._games} games"


def _write_files(pairs: Sequence[tuple[GameRecord, GameReview]], folder: Path, console: Console) -> None:
    """Write the annotated games and the lost positions, over those of an earlier review."""
    if not pairs:
        return
    lost = [line for game, found in pairs for line in lost_positions(game, found)]
    try:
        (folder / PGN).write_text(annotated_games(pairs), encoding="utf-8")
        (folder / LOST).write_text("".join(f"{line}\n" for line in lost), encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{folder}: cannot be written: {error}") from error
    _tell(console, f"{folder / PGN}: {len(pairs)} games annotated; {folder / LOST}: {len(lost)} lost positions")
